import { completeItems, completingCounts } from "../../lib/decisions/completions.ts";
import { addToSummary } from "../../lib/decisions/events.ts";
import type { ChecklistRow, EventSummary, Slice, EventRow, EventDraft } from "../../lib/storage/rows.ts";
import { findContact } from "./contacts.ts";
import { countBefore, findInOrder, insertInOrder } from "./order.ts";
import type { Tables } from "./tables.ts";
import type { View } from "./view.ts";

export function recordEvent(
  view: View,
  draft: EventDraft,
  checklistsOf: (workspace: string) => readonly ChecklistRow[],
): EventRow | null {
  const { id, eventKey, properties, createdAt, idempotencyHash, fingerprint } = draft;
  const tables = view.tables(draft.workspace);
  const replayed = idempotencyHash === null ? undefined : tables.keyedEvents.get(idempotencyHash);
  if (replayed) return { ...replayed };

  const contact = findContact(tables, draft.contact);
  if (!contact) return null;
  const recorded = findInOrder(tables.contacts.get(contact.id)!.events, draft);
  if (recorded) return { ...recorded };
  view.claim(draft.workspace, () => (idempotencyHash === null ? [contact.id] : [contact.id, idempotencyHash]));

  const { events, summaries, completions } = tables.edit(contact.id);
  const summary = summaries.get(eventKey) ?? { eventKey, count: 0, firstAt: createdAt, lastAt: createdAt };
  addToSummary(summary, createdAt);
  summaries.set(eventKey, summary);
  let completedItems: string | null = null;
  const checklists = checklistsOf(draft.workspace);
  if (completingCounts(checklists, eventKey).includes(summary.count)) {
    const counts = new Map(Array.from(summaries, ([key, { count }]) => [key, count]));
    completedItems = completeItems(checklists, draft, { counts, completions });
  }
  // The summary's text of the key: a text of its own would cost each event as much as its id.
  const row = {
    id,
    contactId: contact.id,
    eventKey: summary.eventKey,
    properties,
    createdAt,
    idempotencyHash,
    fingerprint,
    completedItems,
  };
  insertInOrder(events, row);
  if (idempotencyHash !== null) tables.keyedEvents.set(idempotencyHash, row);
  return { ...row };
}

export function listEvents(
  tables: Tables,
  externalId: string,
  eventKey: string | null,
  { limit, after }: Slice,
): EventRow[] | null {
  const contact = findContact(tables, { externalId });
  if (!contact) return null;
  const { events } = tables.contacts.get(contact.id)!;
  const listed: EventRow[] = [];
  for (let index = after ? countBefore(events, after) : events.length; index-- > 0 && listed.length < limit;) {
    const row = events[index]!;
    if (eventKey === null || row.eventKey === eventKey) listed.push({ ...row });
  }
  return listed;
}

export function findSummaries(tables: Tables, contactId: string): EventSummary[] {
  const summaries = [...(tables.contacts.get(contactId)?.summaries.values() ?? [])];
  return summaries
    .sort((a, b) => Buffer.compare(Buffer.from(a.eventKey), Buffer.from(b.eventKey)))
    .map((summary) => ({ ...summary }));
}
