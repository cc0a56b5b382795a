import type { ContactData } from "../../../lib/decisions/conditions.ts";
import type { Names, Watcher } from "../../../lib/decisions/watches.ts";
import type { Completion, ContactRow, EventSummary, OccurrenceTest, Silenceable } from "../../../lib/storage/rows.ts";
import { countOccurrences } from "../audiences/index.ts";
import * as sql from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";

/** A write of one contact. */
export interface ContactEdit {
  contactId: string;
  /** `null` touches all rules, and evaluates them whether the write changes their results or not. */
  names: Names | null;
  /** The row before the write; `null` if the contact is created, absent if it must be read. */
  before?: ContactRow | null;
  /** The names of a contact whose row must be read. */
  contact?: Pick<ContactRow, "id" | "email" | "externalId">;
  /** The data after the write; `null` if it changes nothing. `data` is `null` if the contact is created. */
  apply(data: ContactData | null): ContactData | null;
  at: number;
}

/** A write of a contact, and the watches that it touches. */
export interface Touching {
  write: { workspace: string } & Silenceable;
  edit: ContactEdit;
  watchers: readonly Watcher[];
}

/** Reads the data that the watches need, by contact id. A contact that a write creates has no data. */
export async function readContacts(work: Work, wanted: readonly Touching[]): Promise<Map<string, ContactData>> {
  const created = new Set<string>();
  const keys = new Map<string, { workspace: string; contactId: string; eventKey: string }>();
  const byHand = new Set<string>();
  for (const { write, edit, watchers } of wanted) {
    const { workspace } = write;
    const { contactId, before } = edit;
    if (before === null) created.add(contactId);
    if (created.has(contactId)) continue;
    for (const { eventKeys, needsCompletions } of watchers) {
      for (const eventKey of eventKeys) keys.set(`${contactId} ${eventKey}`, { workspace, contactId, eventKey });
      if (needsCompletions) byHand.add(contactId);
    }
  }
  const rows = await readRows(
    work,
    wanted.filter(({ edit }) => !created.has(edit.contactId)),
  );
  const summaries = await readSummaries(work, [...keys.values()]);
  const completions = await readCompletions(work, [...byHand]);
  // By content: the condition of a watch at another time has equal tests.
  const counts = new Map<string, ReadonlyMap<string, number>>();
  const data = new Map(
    Array.from(rows, ([contactId, row]): [string, ContactData] => {
      const own = { summaries: summaries.get(contactId) ?? new Map(), completions: completions.get(contactId) ?? [] };
      return [contactId, { row, ...own, countEvents: (test) => counts.get(JSON.stringify(test))?.get(contactId) ?? 0 }];
    }),
  );
  for (const [test, contacts] of testedContacts(wanted, data))
    counts.set(JSON.stringify(test), await countOccurrences(work, test, [...contacts]));
  return data;
}

/** The contacts whose events the watches count, by the test. */
function testedContacts(
  wanted: readonly Touching[],
  data: ReadonlyMap<string, ContactData>,
): Map<OccurrenceTest, Set<ContactData>> {
  const tested = new Map<OccurrenceTest, Set<ContactData>>();
  for (const { edit, watchers } of wanted) {
    const contact = data.get(edit.contactId);
    for (const test of contact ? watchers.flatMap(({ occurrenceTests }) => occurrenceTests()) : [])
      tested.set(test, (tested.get(test) ?? new Set()).add(contact!));
  }
  return tested;
}

async function readRows(work: Work, wanted: readonly Touching[]): Promise<Map<string, ContactRow>> {
  const ids = new Set<string>();
  for (const { edit, watchers } of wanted) {
    if (edit.before === undefined && watchers.some((watcher) => watcher.needsRow)) ids.add(edit.contactId);
  }
  // The contacts are locked already. A read with a lock returns them as they are now, also in an old snapshot.
  const lock = work.waits ? "FOR UPDATE" : "";
  const read = ids.size > 0 ? await work.rows(sql.contactStatements.findContactsById([...ids], lock)) : [];
  const rows = new Map<string, ContactRow>();
  for (const { edit } of wanted) {
    const { contactId, before, contact } = edit;
    // Where no watch needs the row, an evaluation reads no more than the names.
    const known = before ?? (contact as ContactRow | undefined);
    if (known && !rows.has(contactId)) rows.set(contactId, known);
  }
  for (const row of read.map(sql.toContact)) rows.set(row.id, row);
  return rows;
}

async function readSummaries(
  work: Work,
  named: Parameters<typeof sql.eventStatements.findSummariesOf>[0],
): Promise<Map<string, Map<string, EventSummary>>> {
  const found = new Map<string, Map<string, EventSummary>>();
  for (const row of named.length > 0 ? await work.rows(sql.eventStatements.findSummariesOf(named)) : []) {
    const contactId = sql.id(row.contact_id);
    const own = found.get(contactId) ?? new Map<string, EventSummary>();
    const summary = sql.toSummary(row);
    found.set(contactId, own.set(summary.eventKey, summary));
  }
  return found;
}

/** Reads the completions by hand, by contact id. */
export async function readCompletions(
  work: Work,
  contactIds: readonly string[],
  lock?: sql.Lock,
): Promise<ReadonlyMap<string, readonly Completion[]>> {
  const found = new Map<string, Completion[]>();
  const rows =
    contactIds.length > 0 ? await work.rows(sql.completionStatements.findCompletionsOf(contactIds, lock)) : [];
  for (const row of rows) {
    const contactId = sql.id(row.contact_id);
    found.set(contactId, [...(found.get(contactId) ?? []), sql.toCompletion(row)]);
  }
  return found;
}
