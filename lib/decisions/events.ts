import type { ContactRow, EventDraft, EventRow, EventSummary } from "../storage/rows.ts";

/** The answer to an event that is not new, or the event to be added. */
export type EventDecision<Answer> = { answer: Answer } | { added: EventRow };

/**
 * Decides what a draft records. The answer is the event that was recorded before under its idempotency hash, or else under its id;
 * `null` when there is no contact. Otherwise the event is new: the storage adds it, with the items that `completeItems` gives.
 * A storage that cannot know one of the three yet passes a symbol, and is answered it where it matters.
 */
export function decideEvent<Recorded extends EventRow | symbol>(
  draft: EventDraft,
  byHash: Recorded | null,
  byId: Recorded | null,
  contact: Pick<ContactRow, "id"> | Extract<Recorded, symbol> | null,
): EventDecision<Recorded | null> {
  // The hash goes first: it stands for the answer, whatever else the draft says.
  const recorded = byHash ?? byId;
  if (recorded !== null) return { answer: recorded };
  if (contact === null || typeof contact === "symbol") return { answer: contact };
  const { id, eventKey, properties, createdAt, idempotencyHash, fingerprint } = draft;
  const contactId = contact.id;
  const completedItems = null;
  return {
    added: { id, contactId, eventKey, properties, createdAt, idempotencyHash, fingerprint, completedItems },
  };
}

/** Counts one event more, as every storage does. */
export function addToSummary(summary: EventSummary, at: number): void {
  summary.count++;
  summary.firstAt = Math.min(summary.firstAt, at);
  summary.lastAt = Math.max(summary.lastAt, at);
}
