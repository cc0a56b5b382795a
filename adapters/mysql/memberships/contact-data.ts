import type { ContactData } from "../../../lib/decisions/conditions.ts";
import type { Watcher } from "../../../lib/decisions/watches.ts";
import type { Completion, ContactRow, EventSummary } from "../../../lib/storage/rows.ts";
import {
  completionStatements,
  contactStatements,
  eventStatements,
  id,
  toCompletion,
  toContact,
  toSummary,
} from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";

/** A contact, the watches to evaluate, and its row if that is known. */
interface Wanted {
  workspace: string;
  contactId: string;
  before?: ContactRow | null;
  watchers: readonly Watcher[];
}

/** Reads the data of the contacts that the watches need, by contact id. A contact that is created has none. */
export async function readContacts(work: Work, wanted: readonly Wanted[]): Promise<Map<string, ContactData>> {
  const first = new Map<string, Wanted>();
  const keys = new Map<string, { workspace: string; contactId: string; eventKey: string }>();
  const byHand = new Set<string>();
  for (const edit of wanted) {
    const { workspace, contactId, watchers } = edit;
    if (!first.has(contactId)) first.set(contactId, edit);
    if (first.get(contactId)!.before === null) continue;
    for (const { eventKeys, needsCompletions } of watchers) {
      for (const eventKey of eventKeys) keys.set(`${contactId} ${eventKey}`, { workspace, contactId, eventKey });
      if (needsCompletions) byHand.add(contactId);
    }
  }
  const rows = await readRows(work, [...first.values()]);
  const summaries = await readSummaries(work, [...keys.values()]);
  const completions = await readCompletions(work, [...byHand]);
  return new Map(
    Array.from(rows, ([contactId, row]) => {
      const own = { summaries: summaries.get(contactId) ?? new Map(), completions: completions.get(contactId) ?? [] };
      return [contactId, { row, ...own }];
    }),
  );
}

async function readRows(work: Work, wanted: readonly Wanted[]): Promise<Map<string, ContactRow>> {
  const unknown = wanted.filter(({ before }) => before === undefined).map(({ contactId }) => contactId);
  // The contacts are locked already. A lock reads them as they are now, also in an old snapshot.
  const lock = work.waits ? "FOR UPDATE" : "";
  const read = unknown.length > 0 ? await work.rows(contactStatements.findContactsById(unknown, lock)) : [];
  const known = wanted.flatMap(({ before }) => before ?? []);
  return new Map([...known, ...read.map(toContact)].map((row) => [row.id, row]));
}

async function readSummaries(
  work: Work,
  named: Parameters<typeof eventStatements.findSummariesOf>[0],
): Promise<Map<string, Map<string, EventSummary>>> {
  const found = new Map<string, Map<string, EventSummary>>();
  for (const row of named.length > 0 ? await work.rows(eventStatements.findSummariesOf(named)) : []) {
    const contactId = id(row.contact_id);
    const own = found.get(contactId) ?? new Map<string, EventSummary>();
    const summary = toSummary(row);
    found.set(contactId, own.set(summary.eventKey, summary));
  }
  return found;
}

async function readCompletions(work: Work, contactIds: readonly string[]): Promise<Map<string, Completion[]>> {
  const found = new Map<string, Completion[]>();
  for (const row of contactIds.length > 0 ? await work.rows(completionStatements.findCompletionsOf(contactIds)) : []) {
    const contactId = id(row.contact_id);
    found.set(contactId, [...(found.get(contactId) ?? []), toCompletion(row)]);
  }
  return found;
}
