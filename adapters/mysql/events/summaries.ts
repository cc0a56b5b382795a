import { addToSummary } from "../../../lib/decisions/events.ts";
import type { EventRow, EventSummary } from "../../../lib/storage/rows.ts";
import type { SummaryChange } from "../sql/index.ts";

/** The changes to each summary. All transactions use the same order, nearly the table's, so that they do not deadlock. */
export function summarize(events: readonly EventRow[], workspaceOf: (index: number) => string): SummaryChange[] {
  const changes = new Map<string, SummaryChange>();
  events.forEach(({ contactId, eventKey, createdAt: at }, index) => {
    const name = `${eventKey} ${contactId}`;
    let change = changes.get(name);
    if (!change) {
      change = { workspace: workspaceOf(index), contactId, eventKey, count: 0, firstAt: at, lastAt: at };
      changes.set(name, change);
    }
    addToSummary(change, at);
  });
  // Each name is a key of the map.
  return [...changes.keys()].sort().map((name) => changes.get(name)!);
}

/** The summaries with one more event. */
export function withEvent(
  summaries: ReadonlyMap<string, EventSummary>,
  eventKey: string,
  at: number,
): ReadonlyMap<string, EventSummary> {
  const summary = { ...(summaries.get(eventKey) ?? { eventKey, count: 0, firstAt: at, lastAt: at }) };
  addToSummary(summary, at);
  return new Map(summaries).set(eventKey, summary);
}
