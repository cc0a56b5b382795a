/** The contacts whose pause is over. */
import type { ChangeRow } from "../../../lib/storage/changes.ts";
import type { TakenChange, TakeRequest } from "../../../lib/storage/consumers.ts";
import type { PageRows, PageSize } from "../../../lib/storage/rows.ts";
import { dueContactsMax } from "../limits.ts";
import { readPage } from "../pages.ts";
import { id, takenChangeStatements, toChange, failureStatements as sql } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";
import type { Found } from "../changes/index.ts";

/** The subscription of a call. */
export interface Target extends Pick<Found, "subscriptionId" | "topics"> {
  workspace: string;
}

/** The positions of the slots that a call has locked. */
export type FreeSlots = ReadonlyMap<number, number>;

/** A contact whose pause is over. */
interface Due {
  contactId: string;
  slot: number;
  position: number;
  failures: number;
  /** Whether the change at the position has failed, and was removed since. */
  isExpired: boolean;
}

/**
 * Takes the changes of these contacts up to the positions of their slots. Parks a contact whose failed change is gone. Ends the
 * wait of a contact without changes to take.
 */
export async function takeDue(
  work: Work,
  target: Target,
  free: FreeSlots,
  size: PageSize & Pick<TakeRequest, "probe">,
): Promise<PageRows<TakenChange>> {
  const { workspace, subscriptionId, topics } = target;
  const contactsMax = size.probe ? 1 : dueContactsMax;
  const listed = await work.rows(sql.listDue(workspace, subscriptionId, [...free.keys()], contactsMax, size.probe));
  const due = listed.map((row): Due => ({
    contactId: id(row.contact_id),
    slot: Number(row.slot),
    position: Number(row.position),
    failures: Number(row.failures),
    isExpired: Number(row.has_failed) === 1 && Number(row.is_kept) === 0,
  }));
  const expired = due.filter(({ isExpired }) => isExpired).map(({ contactId }) => contactId);
  if (expired.length > 0) await work.write(sql.parkWaiting(subscriptionId, expired));
  const others = due.filter(({ isExpired }) => !isExpired);
  if (others.length === 0) return again({ rows: [], more: false });
  // Only contacts of free slots are listed.
  const ranges = others.map(({ contactId, slot, position }) => ({
    contactId,
    from: position,
    to: free.get(slot)!,
  }));
  const failuresAt = new Map(others.map(({ position, failures }) => [position, failures]));
  const page = await readPage(
    work,
    size,
    (row) => toTaken(toChange(row), failuresAt),
    (last, count) => {
      const from = last ? last.row.position + 1 : 0;
      const rest = ranges.map((range) => ({ ...range, from: Math.max(range.from, from) }));
      return takenChangeStatements.listOfContacts(workspace, topics, rest, count);
    },
  );
  const found = new Set(page.rows.map(({ row }) => row.contact.id));
  const done = others.filter(({ contactId }) => !found.has(contactId)).map(({ contactId }) => contactId);
  // If more pages follow, they may contain changes of these contacts.
  if (!page.more && done.length > 0) await work.write(sql.deleteWaiting(subscriptionId, done));
  return again(page);

  /** Goes on with the next contacts if a full list of contacts has no changes. */
  function again(taken: PageRows<TakenChange>): PageRows<TakenChange> | Promise<PageRows<TakenChange>> {
    return taken.rows.length === 0 && listed.length === contactsMax ? takeDue(work, target, free, size) : taken;
  }
}

function toTaken(row: ChangeRow, failuresAt: ReadonlyMap<number, number>): TakenChange {
  return { row, waited: true, failures: failuresAt.get(row.position) ?? 0 };
}
