import type { Storage } from "../../../lib/storage/port.ts";
import { readPage } from "../pages.ts";
import {
  id,
  toNamedEvent,
  toRecordedEvent,
  eventListStatements as sql,
  contactStatements,
  toEvent,
} from "../sql/index.ts";
import { readNumber, readOne, type Runner, type Work } from "../transactions/index.ts";
import type { EventRow, NamedEvent, PageRows, Slice } from "../../../lib/storage/rows.ts";
import { readContact } from "../contacts/index.ts";
import { rareKeyContactsMax } from "../limits.ts";

export async function listEvents(
  work: Work,
  workspace: string,
  externalId: string,
  eventKey: string | null,
  slice: Slice,
): Promise<PageRows<EventRow> | null> {
  const contact = await readContact(work, { workspace, reference: { externalId } });
  if (!contact) return null;
  const page = await readPage(work, slice, toEvent, (last, limit) => {
    const part = { limit, after: last ?? slice.after };
    return eventKey === null
      ? sql.listEvents(contact.id, part)
      : sql.listEventsOfKey(workspace, contact.id, eventKey, part);
  });
  // The list is also empty if the contact was deleted meanwhile.
  if (page.rows.length === 0 && (await work.rows(contactStatements.findContactsById([contact.id], ""))).length === 0)
    return null;
  return page;
}

/** Lists the latest events. For a key of few contacts, reads the events of these contacts instead of all events. */
export async function listRecentEvents(
  work: Work,
  workspace: string,
  eventKey: string | null,
  slice: Slice,
): Promise<PageRows<NamedEvent>> {
  const rareKey = eventKey !== null && (await isRare(work, workspace, eventKey)) ? eventKey : null;
  return readPage(work, slice, toNamedEvent, (last, limit) => {
    const part = { limit, after: last ?? slice.after };
    return rareKey === null
      ? sql.listRecentEvents(workspace, eventKey, part)
      : sql.listRareEvents(workspace, rareKey, part);
  });
}

async function isRare(work: Work, workspace: string, eventKey: string): Promise<boolean> {
  const counted = sql.countContactsThatDid(workspace, eventKey, rareKeyContactsMax + 1);
  return (await readNumber(work, counted, "contacts")) <= rareKeyContactsMax;
}

/** The port's method for all events of a workspace, in order of their recording. */
export function createEventLists(runner: Runner): Pick<Storage, "listRecorded"> {
  return {
    listRecorded: (workspace, after, size) =>
      readOne(runner, size, async (work, copy) => {
        const { rows, more } = await readPage(
          work,
          copy,
          // An event of another workspace, or one deleted meanwhile, has only its `listed_id` in the row.
          (row) => ({ listedId: id(row.listed_id), event: row.id === null ? null : toRecordedEvent(row) }),
          (last, count) => sql.listRecorded(workspace, last?.listedId ?? after, count),
        );
        const events = rows.flatMap(({ event }) => event ?? []);
        // If more pages follow, this page has a row.
        return { events, next: more ? rows.at(-1)!.listedId : null };
      }),
  };
}
