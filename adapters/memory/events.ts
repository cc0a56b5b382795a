import { changesOfEvent } from "../../lib/decisions/changes.ts";
import { completeItems, completingCounts } from "../../lib/decisions/completions.ts";
import { refusalOfEvent } from "../../lib/decisions/event-types.ts";
import { addToSummary, decideEvent, withEvent } from "../../lib/decisions/events.ts";
import { fillPage } from "../../lib/decisions/pages.ts";
import { namesOfEventKey } from "../../lib/decisions/watches.ts";
import { effectiveExternalId } from "../../lib/decisions/find-contact.ts";
import type {
  EventDraft,
  EventRow,
  EventSummary,
  EventUsage,
  PageRows,
  PageSize,
  NamedEvent,
  RecordedEvent,
  Refused,
  Slice,
} from "../../lib/storage/rows.ts";
import { findContact } from "./contacts.ts";
import { assertKnownRules, dataOf, noticeEdit } from "./watches/index.ts";
import { compare, countBefore, findInOrder, insertInOrder } from "./order.ts";
import { logChanges } from "./log.ts";
import type { Tables } from "./tables.ts";
import type { View } from "./view.ts";

export function recordEvent(view: View, draft: EventDraft, prunedBefore: number | null): EventRow | Refused | null {
  const { eventKey, createdAt, idempotencyHash } = draft;
  const tables = view.tables(draft.workspace);
  const contact = findContact(tables, draft.contact);
  const record = contact && tables.contacts.get(contact.id);
  const refusal = refusalOfEvent(tables.definitions("event"), prunedBefore, draft);
  // An open transaction may have recorded an event with this key. Wait for its end: then the event is replayed, not refused.
  if (refusal && idempotencyHash !== null) view.claim(draft.workspace, () => [idempotencyHash]);
  const byHash = idempotencyHash === null ? undefined : tables.keyedEvents.get(idempotencyHash);
  const byId = record && findInOrder(record.events, draft);
  const decision = decideEvent(draft, byHash ?? null, byId ?? null, contact, refusal);
  if ("answer" in decision) return decision.answer && { ...decision.answer };

  const { added } = decision;
  const { contactId } = added;
  view.claim(draft.workspace, () => (idempotencyHash === null ? [contactId] : [contactId, idempotencyHash]));
  assertKnownRules(tables, contactId, namesOfEventKey(eventKey));
  const checklists = tables.definitions("checklist");
  const completing = completingCounts(checklists, eventKey);
  const edited = tables.edit(contactId);
  const { events, summaries, completions } = edited;
  const before = dataOf(tables, edited);
  const known = summaries.get(eventKey);
  const summary = known ?? { eventKey, count: 0, firstAt: createdAt, lastAt: createdAt };
  addToSummary(summary, createdAt);
  if (!known) summaries.set(eventKey, summary);
  // Shares the event key's string with the summary. A string of its own would take as much memory as the event's id.
  added.eventKey = summary.eventKey;
  // `JSON.stringify` returns a text of two joined parts. Counting its bytes joins them into one, which takes 48 bytes less.
  Buffer.byteLength(added.properties);
  if (completing.includes(summary.count)) {
    added.completedItems = completeItems(checklists, draft, { counts: countsOf(summaries), completions });
  }
  if (idempotencyHash !== null) tables.keyedEvents.set(idempotencyHash, added);
  // An event is added only to a contact that was found.
  logChanges(tables, draft, () => changesOfEvent(contact!, added, draft.recordedAt));
  noticeEdit(tables, draft, () => ({
    names: namesOfEventKey(eventKey),
    before,
    after: withEvent(before, added),
    at: draft.recordedAt,
  }));
  // Inserted last, because the evaluation counts the new event in addition to `events`.
  insertInOrder(events, added);
  return { ...added };
}

/** The number of events, by event key. */
export function countsOf(summaries: ReadonlyMap<string, EventSummary>): Map<string, number> {
  return new Map(Array.from(summaries, ([key, { count }]) => [key, count]));
}

export function listEvents(
  tables: Tables,
  externalId: string,
  eventKey: string | null,
  slice: Slice,
): PageRows<EventRow> | null {
  const contact = findContact(tables, { externalId });
  const record = contact && tables.contacts.get(contact.id);
  return record ? fillPage(latestOf(record.events, eventKey, slice), slice, (event) => ({ ...event })) : null;
}

export function listRecentEvents({ contacts }: Tables, eventKey: string | null, slice: Slice): PageRows<NamedEvent> {
  const events = Array.from(contacts.values(), (record) => [...latestOf(record.events, eventKey, slice)])
    .flat()
    .sort((a, b) => compare(b, a));
  return fillPage(events, slice, (event) => ({ ...event, ...namesOf(contacts, event) }));
}

function namesOf(
  contacts: Tables["contacts"],
  { contactId }: EventRow,
): Pick<NamedEvent, "externalId" | "email" | "name"> {
  // The event was found at this contact.
  const { row } = contacts.get(contactId)!;
  return { externalId: effectiveExternalId(row), email: row.email, name: row.name };
}

/** Yields the latest events, at most one more than the limit. */
function* latestOf(
  events: readonly EventRow[],
  eventKey: string | null,
  { limit, after }: Slice,
): Generator<EventRow, void> {
  let left = limit + 1;
  for (let index = after ? countBefore(events, after) : events.length; index-- > 0 && left > 0;) {
    // `index` is below the length.
    const row = events[index]!;
    if (eventKey !== null && row.eventKey !== eventKey) continue;
    left--;
    yield row;
  }
}

export function listRecorded(
  { contacts }: Tables,
  after: string | null,
  size: PageSize,
): { events: RecordedEvent[]; next: string | null } {
  const recorded = Array.from(contacts.values(), ({ events }) => events)
    .flat()
    .filter(({ id }) => after === null || id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const { rows, more } = fillPage(recorded, size, (event) => ({
    ...event,
    externalId: namesOf(contacts, event).externalId,
  }));
  // If events follow the page, it has at least one.
  return { events: rows, next: more ? rows.at(-1)!.id : null };
}

export function findSummaries(tables: Tables, contactId: string): EventSummary[] {
  const summaries = [...(tables.contacts.get(contactId)?.summaries.values() ?? [])];
  return summaries.sort(compareKeys).map((summary) => ({ ...summary }));
}

export function listEventUsage({ contacts }: Tables, after: string | null, size: PageSize): PageRows<EventUsage> {
  const usage = new Map<string, EventUsage>();
  for (const { summaries } of contacts.values()) {
    for (const { eventKey, count, firstAt, lastAt } of summaries.values()) {
      const sum = usage.get(eventKey) ?? { eventKey, contacts: 0, count: 0, firstAt, lastAt };
      sum.contacts++;
      sum.count += count;
      sum.firstAt = Math.min(sum.firstAt, firstAt);
      sum.lastAt = Math.max(sum.lastAt, lastAt);
      usage.set(eventKey, sum);
    }
  }
  const rows = [...usage.values()]
    .filter(({ eventKey }) => after === null || compareKeys({ eventKey }, { eventKey: after }) > 0)
    .sort(compareKeys);
  return fillPage(rows, size, (row) => row);
}

function compareKeys(a: { eventKey: string }, b: { eventKey: string }): number {
  return Buffer.compare(Buffer.from(a.eventKey), Buffer.from(b.eventKey));
}
