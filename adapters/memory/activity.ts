import type { ActivityCounts, Span } from "../../lib/storage/rows.ts";
import { countBefore } from "./order.ts";
import type { Tables } from "./tables.ts";

export function countActivity({ contacts }: Tables, eventKey: string | null, { from, to }: Span): ActivityCounts {
  const counts = { events: 0, contacts: 0, newContacts: 0 };
  for (const { row, events } of contacts.values()) {
    // An id comes after the empty text.
    const [first, end] = [from, to].map((createdAt) => countBefore(events, { createdAt, id: "" }));
    const found = events.slice(first, end).filter((event) => eventKey === null || event.eventKey === eventKey);
    counts.events += found.length;
    if (found.length > 0) counts.contacts++;
    if (row.createdAt >= from && row.createdAt < to) counts.newContacts++;
  }
  return counts;
}
