import { groupBy } from "../groups.ts";
import { upserts } from "./calls.ts";
import { mayBeDeleted, slotOfEmail, type Evidence, type Finding } from "./evidence.ts";
import type { Performed } from "./history.ts";

/** Each contact that was answered is there, or was deleted, and was created once. */
export function checkContacts(evidence: Evidence): Finding[] {
  const { byContact, deletions, reborn, rows } = evidence;
  const answered = [...byContact].flatMap(([id, performed]) => {
    const callIds = performed.map(({ callId }) => callId).slice(-10);
    const created = performed.filter(({ answer }) => answer?.created === true);
    const { step, begin } = performed[0]!;
    const isGone = !rows.contacts.has(id) && !deletions.has(id) && !mayBeDeleted(evidence, step.slot, begin);
    const isTwice = created.length > 1 && !reborn.has(id);
    return [
      ...(isGone ? [{ text: `contact ${id} is missing, and nobody deleted it`, callIds }] : []),
      ...(isTwice ? [{ text: `contact ${id} was created twice`, callIds: created.map(({ callId }) => callId) }] : []),
    ];
  });
  return [...answered, ...findInvented(evidence)];
}

function findInvented({ byContact, performed, rows }: Evidence): Finding[] {
  return [...rows.contacts.values()].flatMap(({ id, email }) => {
    const known = byContact.get(id) ?? [];
    // One whose answer does not tell, or was lost.
    const isUntold = ({ step, outcome, answer }: Performed): boolean =>
      upserts(step) && step.slot === slotOfEmail(email) && outcome !== "refused" && answer === null;
    const isCreation = ({ step, answer }: Performed): boolean => upserts(step) && answer?.created !== false;
    if (known.some(isCreation) || performed.some(isUntold)) return [];
    return [{ text: `nobody created contact ${id}`, callIds: known.map(({ callId }) => callId).slice(0, 10) }];
  });
}

/** A deleted contact has no row in any table, and no table has rows of a contact that is not there. */
export function checkDeletions({ deletions, reborn, rows }: Evidence): Finding[] {
  const tables: [table: string, contactIds: readonly string[]][] = [
    ["contacts", [...rows.contacts.keys()]],
    ["events", rows.events.map(({ contactId }) => contactId)],
    ["summaries", rows.summaries.map(({ contactId }) => contactId)],
    ["completions", rows.completions],
    ["dismissals", rows.dismissals],
    ["changes", rows.changed],
  ];
  return tables.flatMap(([table, contactIds]) =>
    [...groupBy(contactIds, (id) => id)].flatMap(([id, found]) => {
      const isDeleted = deletions.has(id) && !reborn.has(id);
      if (!isDeleted && rows.contacts.has(id)) return [];
      const callIds = (deletions.get(id) ?? []).map(({ callId }) => callId);
      return [{ text: `${found.length} rows of ${table} are of contact ${id}, which does not exist`, callIds }];
    }),
  );
}
