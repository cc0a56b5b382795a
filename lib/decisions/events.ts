import type { ContactRow, EventDraft, EventRow, EventSummary, OccurrenceTest, Refused } from "../storage/rows.ts";
import type { ContactData } from "./conditions.ts";
import { fulfilAll } from "./value-tests.ts";

/** The answer to an event that is not new, or the event to be added. */
export type EventDecision<Answer> = { answer: Answer } | { added: EventRow };

/**
 * Decides what a draft records. `answer` is the event that was recorded earlier with the same idempotency hash, or else with
 * the same id; `null` if the contact does not exist. `added` is a new event: the storage adds it, with the items that
 * `completeItems` returns. Pass a symbol for a row that cannot be read yet. The function returns the symbol if the decision
 * depends on that row. `refusal` is that of `refusalOfEvent`. It is the answer unless the same input was recorded earlier; a
 * storage need not look for the contact of a refused event.
 */
export function decideEvent<Recorded extends EventRow | symbol>(
  draft: EventDraft,
  byHash: Recorded | null,
  byId: Recorded | null,
  contact: Pick<ContactRow, "id"> | Extract<Recorded, symbol> | null,
  refusal: Refused | null,
): EventDecision<Recorded | Refused | null> {
  // An event with the same idempotency hash takes precedence over one with the same id.
  const recorded = byHash ?? byId;
  if (recorded !== null && !(refusal && isOfOtherInput(recorded, draft))) return { answer: recorded };
  if (refusal) return { answer: refusal };
  if (contact === null || typeof contact === "symbol") return { answer: contact };
  const { id, eventKey, properties, createdAt, idempotencyHash, fingerprint } = draft;
  const contactId = contact.id;
  const completedItems = null;
  return {
    added: { id, contactId, eventKey, properties, createdAt, idempotencyHash, fingerprint, completedItems },
  };
}

function isOfOtherInput(recorded: EventRow | symbol, { fingerprint }: EventDraft): boolean {
  return typeof recorded !== "symbol" && isKeyReused(recorded, fingerprint);
}

/**
 * Whether the input differs from the one that was recorded under the same idempotency key (`idempotency_key_reused`).
 * `fingerprint` is that of the new input; `null` without a key.
 */
export function isKeyReused(recorded: Pick<EventRow, "fingerprint">, fingerprint: string | null): boolean {
  return recorded.fingerprint !== fingerprint;
}

/** Adds one event to the summary. */
export function addToSummary(summary: EventSummary, at: number): void {
  summary.count++;
  summary.firstAt = Math.min(summary.firstAt, at);
  summary.lastAt = Math.max(summary.lastAt, at);
}

/** The data of a contact with one more event. */
export function withEvent(
  data: ContactData,
  event: Pick<EventRow, "eventKey" | "createdAt" | "properties">,
): ContactData {
  const { eventKey, createdAt: at } = event;
  const summary = { ...(data.summaries.get(eventKey) ?? { eventKey, count: 0, firstAt: at, lastAt: at }) };
  addToSummary(summary, at);
  // A batch can add many events of a contact. Without the known counts each evaluation would count all of them.
  const known = new Map<OccurrenceTest, number>();
  return {
    ...data,
    summaries: new Map(data.summaries).set(eventKey, summary),
    countEvents(test) {
      const count = known.get(test) ?? data.countEvents(test) + (summarizeEvents([event], test)?.count ?? 0);
      known.set(test, count);
      return count;
    },
  };
}

/** The summary of the events that the test counts; `null` if it counts none. */
export function summarizeEvents(
  events: readonly Pick<EventRow, "eventKey" | "createdAt" | "properties">[],
  { eventKey, from, to, where }: OccurrenceTest,
): EventSummary | null {
  const summary = { eventKey, count: 0, firstAt: Infinity, lastAt: -Infinity };
  for (const { eventKey: key, createdAt, properties } of events) {
    if (key !== eventKey || createdAt < from || createdAt >= (to ?? Infinity)) continue;
    if (fulfilAll(properties, where)) addToSummary(summary, createdAt);
  }
  return summary.count > 0 ? summary : null;
}
