import { changeOfDeletion } from "../../../lib/decisions/changes.ts";
import { chooseForDeletion, foldEmail } from "../../../lib/decisions/find-contact.ts";
import type { Position, ContactRow, Refused } from "../../../lib/storage/rows.ts";
import { lockContact, lockContacts, wholeContacts } from "./lookup.ts";
import {
  id,
  completionStatements,
  contactStatements as contactSql,
  eventListStatements,
  eventStatements as sql,
  membershipStatements,
} from "../sql/index.ts";
import { openOutbox, type FindSubscriptions, type WasEverUsed } from "../changes/index.ts";
import { assertCaughtUp, rowLocked, type Runner, type Step, type Work } from "../transactions/index.ts";

interface Receipt {
  contactId: string;
  events: number;
}

/** The progress of a deletion. */
interface Progress {
  /** `null` until the identifier has been looked up. */
  contactId: string | null;
  events: number;
  /** The position of the last removed event. A scan from the start would pass the deleted rows that InnoDB still keeps. */
  after: Position | null;
}

/** Noted before the COMMIT of a step. If a retry finds the events `ids` gone, the step was committed, and this is its progress. */
interface Removal extends Receipt {
  ids: string[];
  after: Position | null;
}

const eventsPerStep = 1_000;

/**
 * Deletes the events in steps, so that no lock is held for long, and the contact with the last events. If it is interrupted,
 * only events were removed, and the same call finishes the deletion.
 */
export function deleteContact(
  runner: Runner,
  workspace: string,
  identifier: string,
  at: number,
  { findInside, wasEverUsed }: { findInside: FindSubscriptions; wasEverUsed: WasEverUsed },
): Promise<Receipt | Refused> {
  const start: Progress = { contactId: null, events: 0, after: null };
  return runner.writeInSteps(start, async (work: Work<Removal>, progress: Progress) => {
    const target = progress.contactId ?? work.intended?.contactId ?? null;
    const contact = await (target === null ? lockIdentified(work, workspace, identifier) : lockContact(work, target));
    if (contact === rowLocked) return rowLocked;
    if (contact && "refused" in contact) return { result: contact };
    if (work.intended && (await wasCommitted(work, contact, work.intended))) {
      const { contactId, after } = work.intended;
      const events = progress.events + work.intended.events;
      return contact ? { next: { contactId, events, after } } : { result: { contactId, events } };
    }
    if (!contact) return { result: receiptOfVanished(progress) };
    const step = await remove(work, contact, progress);
    if ("result" in step && (await wasEverUsed())) {
      const outbox = await openOutbox(work, [contact], await findInside([contact]));
      outbox.addDeletion(contact, changeOfDeletion(contact, at));
      await outbox.flush();
      await work.write(membershipStatements.deleteMembershipsOf(contact.id));
    }
    return step;
  });
}

async function lockIdentified(
  work: Work,
  workspace: string,
  identifier: string,
): Promise<ContactRow | Refused | typeof rowLocked> {
  const [byExternalId, byEmail] = await lockContacts(
    work,
    [
      { workspace, reference: { externalId: identifier } },
      { workspace, reference: { email: foldEmail(identifier) } },
    ],
    wholeContacts,
  );
  if (byExternalId === rowLocked || byEmail === rowLocked) return rowLocked;
  if (!byExternalId && !byEmail) assertCaughtUp(work);
  return chooseForDeletion(byExternalId ?? null, byEmail ?? null);
}

async function remove(work: Work<Removal>, contact: ContactRow, progress: Progress): Promise<Step<Progress, Receipt>> {
  const contactId = contact.id;
  const listed = await work.rows(eventListStatements.listEventIds(contactId, progress.after, eventsPerStep));
  const ids = listed.map((row) => id(row.id));
  const last = listed.at(-1);
  const after = last ? { createdAt: Number(last.created_at), id: id(last.id) } : null;
  const removal: Removal = { contactId, ids, after, events: ids.length };
  work.intend(removal);
  if (listed.length === eventsPerStep) {
    const events = progress.events + (await work.write(sql.deleteEvents(ids)));
    return { next: { contactId, events, after } };
  }
  const removed = await work.write(sql.deleteEventsOf(contactId));
  removal.events = removed;
  await work.write(sql.deleteSummariesOf(contactId));
  await work.write(completionStatements.deleteCompletionsOf(contactId));
  await work.write(contactSql.deleteContact(contactId));
  return { result: { contactId, events: progress.events + removed } };
}

/** Looks for the events of the uncertain step. The contact is locked, so no other call can have removed them since. */
async function wasCommitted(work: Work, contact: ContactRow | null, { ids }: Removal): Promise<boolean> {
  if (contact === null) return true;
  return ids.length > 0 && (await work.rows(sql.findEventsById(ids, ""))).length === 0;
}

/** Returns the result after another deletion has removed the contact: the events that this deletion has removed itself. */
function receiptOfVanished({ contactId, events }: Progress): Receipt | Refused {
  return contactId !== null && events > 0 ? { contactId, events } : { refused: { code: "contact_not_found" } };
}
