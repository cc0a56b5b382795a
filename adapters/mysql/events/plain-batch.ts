/**
 * A shortcut for what most batches are: new events, without Idempotency-Keys, that complete nothing, of contacts that are there
 * under the externalIds given and that nobody holds. MariaDB records such a batch by one compound statement, which is the whole
 * transaction; `record.ts` records it with the same result by four round trips. It gives 1.6 to 1.8 times the events/s at one
 * connection, 1.2 at 64, and takes 0.62, 0.82 and 0.93 of the processor time at 1, 64 and 256.
 */
import { completingCounts } from "../../../lib/decisions/completions.ts";
import type { EventDraft, EventRow } from "../../../lib/storage/rows.ts";
import { id as idOf, recordPlainEvents, type Name, type PlainDraft } from "../sql/index.ts";
import type { Compound } from "../transactions/index.ts";
import type { Defined } from "./definitions.ts";

/** The batch as one statement; `null` if something has to be decided here. */
export function plainBatch(drafts: readonly EventDraft[], defined: Defined): Compound<EventRow[]> | null {
  if (!drafts.every(isPlain) || !isAccepted(drafts, defined)) return null;
  const places = new Map<string, number>();
  const names: Name[] = [];
  const placesOfDrafts = drafts.map(({ workspace, contact: { externalId } }) => {
    const name = `${workspace} ${externalId}`;
    const place = places.get(name) ?? names.push([workspace, externalId]);
    places.set(name, place);
    return place;
  });
  return {
    statement: recordPlainEvents(names, drafts),
    resultOf(rows) {
      // The others are held, absent, or named by their folded email.
      if (rows.length < names.length) return null;
      const ids = new Map(rows.map((row) => [Number(row.place), idOf(row.id)]));
      // Each draft has a place, and each place an id.
      return drafts.map((draft, index) => toEvent(draft, ids.get(placesOfDrafts[index]!)!));
    },
  };
}

function isPlain(draft: EventDraft): draft is PlainDraft {
  return draft.idempotencyHash === null && "externalId" in draft.contact;
}

/** Whether no draft is refused, and none completes an item. */
function isAccepted(drafts: readonly EventDraft[], { checklists, refusals }: Defined): boolean {
  return (
    refusals.every((refusal) => refusal === null) &&
    drafts.every(({ workspace, eventKey }) => completingCounts(checklists.get(workspace) ?? [], eventKey).length === 0)
  );
}

function toEvent({ id, eventKey, properties, createdAt }: PlainDraft, contactId: string): EventRow {
  const unset = { idempotencyHash: null, fingerprint: null, completedItems: null };
  return { id, contactId, eventKey, properties, createdAt, ...unset };
}
