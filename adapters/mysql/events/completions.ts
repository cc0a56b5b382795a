import { completeItems, completingCounts } from "../../../lib/decisions/completions.ts";
import type { EventDraft } from "../../../lib/storage/rows.ts";
import type { ContactNames } from "../contacts/index.ts";
import type { Checklists } from "../definitions/index.ts";
import {
  id,
  text,
  completionStatements as sql,
  eventStatements,
  type Lock,
  type NewEventRow,
  type Row,
} from "../sql/index.ts";
import type { Outbox } from "../changes/index.ts";
import type { Work } from "../transactions/index.ts";
import { readCompletions } from "../watches/index.ts";
import { summarize } from "./summaries.ts";

/** An event that this transaction adds, the draft that it was made from, and its contact. */
export interface AddedEvent extends NewEventRow {
  draft: EventDraft;
  contact: ContactNames;
}

/**
 * Stores with each event the checklist items that it completes. The summaries already count the events. Their contacts are
 * locked, so the counts that this transaction reads include no event of another open transaction.
 */
export async function noteCompletions(
  work: Work,
  added: readonly AddedEvent[],
  checklists: Checklists,
  outbox: Outbox,
): Promise<void> {
  const known = new Map<string, number[]>();
  const countsOf = ({ workspace, row: { eventKey } }: AddedEvent): number[] => {
    const name = `${workspace} ${eventKey}`;
    const counts = known.get(name) ?? completingCounts(checklists.get(workspace) ?? [], eventKey);
    known.set(name, counts);
    return counts;
  };
  const candidates = added.filter((event) => countsOf(event).length > 0);
  if (candidates.length === 0) return;
  const counts = toCounts(await work.rows(eventStatements.findSummariesOf(summarize(candidates))));
  const completing = new Set<AddedEvent>();
  rewind(added, counts, (event, count) => {
    if (countsOf(event).includes(count)) completing.add(event);
  });
  if (completing.size === 0) return;
  const noted = Array.from(completing).filter(({ draft }) => outbox.takesChecklists(draft));
  if (noted.length > 0) await conflictWithNodes(work, new Set(noted.map(({ contact }) => contact.id)));
  await complete(work, added, completing, checklists, noted.length > 0 && work.waits ? "FOR UPDATE" : "");
}

/**
 * Writes a row of each contact and removes it. Transactions of two Galera nodes that complete items of one contact then conflict,
 * and one is repeated. Otherwise neither might see that the checklist is complete.
 */
export async function conflictWithNodes(work: Work, contactIds: ReadonlySet<string>): Promise<void> {
  await work.write(sql.insertMarks([...contactIds]));
  await work.write(sql.deleteMarks([...contactIds]));
}

/** With a `lock`, also reads the commits of others since the snapshot, so that exactly one event completes a whole checklist. */
async function complete(
  work: Work,
  added: readonly AddedEvent[],
  completing: ReadonlySet<AddedEvent>,
  checklists: Checklists,
  lock: Lock,
): Promise<void> {
  const contactIds = [...new Set(Array.from(completing, ({ contact }) => contact.id))];
  const counts = toCounts(await work.rows(sql.findCountsOf(contactIds, lock)));
  const asks = [...checklists.values()].flat().some(({ body }) => body.items.some(({ when }) => !when));
  const completions = await readCompletions(work, asks ? contactIds : [], lock);
  rewind(added, counts, (event, _count, doing) => {
    if (!completing.has(event)) return;
    const { workspace, row, draft } = event;
    const done = { counts: doing, completions: completions.get(row.contactId) ?? [] };
    row.completedItems = completeItems(checklists.get(workspace) ?? [], draft, done);
  });
}

/** By contact id and event key. */
type Counts = Map<string, Map<string, number>>;

/**
 * Goes back from the last event to the first. Calls `visit` with each event, the count of its key just after it was
 * recorded, and the counts of all keys at that time.
 */
function rewind(
  added: readonly AddedEvent[],
  counts: Counts,
  visit: (event: AddedEvent, count: number, doing: ReadonlyMap<string, number>) => void,
): void {
  for (const event of added.toReversed()) {
    const { contactId, eventKey } = event.row;
    const doing = counts.get(contactId);
    const count = doing?.get(eventKey);
    if (!doing || count === undefined) continue;
    visit(event, count, doing);
    doing.set(eventKey, count - 1);
  }
}

export function toCounts(rows: readonly Row[]): Counts {
  const counts: Counts = new Map();
  for (const row of rows) {
    const contactId = id(row.contact_id);
    const doing = counts.get(contactId) ?? new Map<string, number>();
    counts.set(contactId, doing.set(text(row.event_key), Number(row.event_count)));
  }
  return counts;
}
