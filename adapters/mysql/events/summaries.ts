import { addToSummary } from "../../../lib/decisions/events.ts";
import type { NewEventRow, SummaryChange } from "../sql/index.ts";

/** The changes to each summary. All transactions write them in the same order, nearly that of the table, to avoid deadlocks. */
export function summarize(events: readonly NewEventRow[]): SummaryChange[] {
  const changes = new Map<string, SummaryChange>();
  for (const { workspace, row } of events) {
    const { contactId, eventKey, createdAt: at } = row;
    const name = `${eventKey} ${contactId}`;
    let change = changes.get(name);
    if (!change) {
      change = { workspace, contactId, eventKey, count: 0, firstAt: at, lastAt: at };
      changes.set(name, change);
    }
    addToSummary(change, at);
  }
  // Each name is a key of the map.
  return [...changes.keys()].sort().map((name) => changes.get(name)!);
}
