import type { EventRow, RecordedEvent, Slice } from "../../../lib/storage/rows.ts";
import { readContact } from "../contacts/index.ts";
import { rareKeyContactsMax } from "../limits.ts";
import { contactStatements, eventListStatements as sql, toEvent, toRecordedEvent } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";

export async function listEvents(
  work: Work,
  workspace: string,
  externalId: string,
  eventKey: string | null,
  slice: Slice,
): Promise<EventRow[] | null> {
  const contact = await readContact(work, { workspace, reference: { externalId } });
  if (!contact) return null;
  const statement =
    eventKey === null ? sql.listEvents(contact.id, slice) : sql.listEventsOfKey(workspace, contact.id, eventKey, slice);
  const events = (await work.rows(statement)).map(toEvent);
  // The list is also empty if the contact was deleted meanwhile.
  if (events.length === 0 && (await work.rows(contactStatements.findContactsById([contact.id], ""))).length === 0)
    return null;
  return events;
}

/** Lists the latest events. For a key of few contacts, reads the events of these contacts instead of all events. */
export async function listRecentEvents(
  work: Work,
  workspace: string,
  eventKey: string | null,
  slice: Slice,
): Promise<RecordedEvent[]> {
  const statement =
    eventKey !== null && (await isRare(work, workspace, eventKey))
      ? sql.listRareEvents(workspace, eventKey, slice)
      : sql.listRecentEvents(workspace, eventKey, slice);
  return (await work.rows(statement)).map(toRecordedEvent);
}

async function isRare(work: Work, workspace: string, eventKey: string): Promise<boolean> {
  const [row] = await work.rows(sql.countContactsThatDid(workspace, eventKey, rareKeyContactsMax + 1));
  // COUNT answers one row.
  return Number(row!.contacts) <= rareKeyContactsMax;
}
