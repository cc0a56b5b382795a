import { completeItems, completingCounts } from "../../../lib/decisions/completions.ts";
import type { Completion } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { unavailableBecause } from "../connection/index.ts";
import { lockContacts, namesOnly } from "../contacts/index.ts";
import type { Checklists } from "./defined.ts";
import {
  id,
  text,
  toCompletion,
  toDismissal,
  completionStatements as sql,
  type Row,
  type Statement,
  type EventTableRow,
} from "../sql/index.ts";
import { assertCaughtUp, held, type Runner, type Work } from "../transactions/index.ts";
import { writeOne } from "../write-one.ts";

/** An event that this transaction adds, and when it was recorded. */
export type AddedEvent = EventTableRow & { recordedAt: number };

/**
 * Stores with each event the checklist items that it completes. The summaries already count the events. Their contacts are
 * locked, so the counts that this transaction reads include no event of another open transaction.
 */
export async function noteCompletions(work: Work, added: readonly AddedEvent[], checklists: Checklists): Promise<void> {
  const known = new Map<string, number[]>();
  const countsOf = ({ workspace, eventKey }: EventTableRow): number[] => {
    const name = `${workspace} ${eventKey}`;
    const counts = known.get(name) ?? completingCounts(checklists.get(workspace) ?? [], eventKey);
    known.set(name, counts);
    return counts;
  };
  const candidates = added.filter((event) => countsOf(event).length > 0);
  if (candidates.length === 0) return;
  const counts = toCounts(await work.rows(sql.findCounts(candidates)));
  const completing = new Set<AddedEvent>();
  rewind(added, counts, (event, count) => {
    if (countsOf(event).includes(count)) completing.add(event);
  });
  if (completing.size > 0) await complete(work, added, completing, checklists);
}

async function complete(
  work: Work,
  added: readonly AddedEvent[],
  completing: ReadonlySet<AddedEvent>,
  checklists: Checklists,
): Promise<void> {
  const contactIds = [...new Set(Array.from(completing, ({ contactId }) => contactId))];
  const counts = toCounts(await work.rows(sql.findCountsOf(contactIds)));
  const asks = [...checklists.values()].flat().some(({ body }) => body.items.some(({ when }) => !when));
  const completions = toCompletions(asks ? await work.rows(sql.findCompletionsOf(contactIds)) : []);
  rewind(added, counts, (event, _count, doing) => {
    if (!completing.has(event)) return;
    const { workspace, contactId } = event;
    const done = { counts: doing, completions: completions.get(contactId) ?? [] };
    event.completedItems = completeItems(checklists.get(workspace) ?? [], event, done);
  });
}

/** By contact id and event key. */
type Counts = Map<string, Map<string, number>>;

/**
 * Goes back from the last event to the first. Calls `visit` with each event, the count of its key just after it was
 * recorded, and the counts of all keys then.
 */
function rewind(
  added: readonly AddedEvent[],
  counts: Counts,
  visit: (event: AddedEvent, count: number, doing: ReadonlyMap<string, number>) => void,
): void {
  for (const event of added.toReversed()) {
    const doing = counts.get(event.contactId);
    const count = doing?.get(event.eventKey);
    if (!doing || count === undefined) continue;
    visit(event, count, doing);
    doing.set(event.eventKey, count - 1);
  }
}

function toCounts(rows: readonly Row[]): Counts {
  const counts: Counts = new Map();
  for (const row of rows) {
    const contactId = id(row.contact_id);
    const doing = counts.get(contactId) ?? new Map<string, number>();
    counts.set(contactId, doing.set(text(row.event_key), Number(row.event_count)));
  }
  return counts;
}

function toCompletions(rows: readonly Row[]): Map<string, Completion[]> {
  const completions = new Map<string, Completion[]>();
  for (const row of rows) {
    const contactId = id(row.contact_id);
    completions.set(contactId, [...(completions.get(contactId) ?? []), toCompletion(row)]);
  }
  return completions;
}

/** The port's methods for completions by hand and dismissals. */
export function createCompletions(
  runner: Runner,
): Pick<Storage, "insertCompletion" | "findCompletions" | "putDismissal" | "findDismissals"> {
  return {
    insertCompletion: (draft) =>
      writeOne(runner, draft, (work, copy) =>
        writeToContact(work, copy, (contactId) => sql.insertCompletion(contactId, copy)),
      ),
    putDismissal: (draft) =>
      writeOne(runner, draft, (work, copy) =>
        writeToContact(work, copy, (contactId) => {
          const { checklistId, dismissedAt } = copy;
          if (dismissedAt === null) return sql.deleteDismissal(contactId, checklistId);
          return sql.insertDismissal(contactId, { checklistId, dismissedAt });
        }),
      ),
    findDismissals: (workspace, contactId) =>
      runner.read(async (work) => (await work.rows(sql.findDismissals(workspace, contactId))).map(toDismissal)),
    findCompletions: (workspace, contactId) =>
      runner.read(async (work) => (await work.rows(sql.findCompletions(workspace, contactId))).map(toCompletion)),
  };
}

/** Writes to the contact, which it locks. Resolves with `false` if there is no such contact. */
async function writeToContact(
  work: Work,
  { workspace, externalId }: { workspace: string; externalId: string },
  statementFor: (contactId: string) => Statement,
): Promise<boolean | typeof held> {
  const [contact] = await lockContacts(work, [{ workspace, reference: { externalId } }], namesOnly);
  if (contact === held) return held;
  if (!contact) assertCaughtUp(work);
  // The earlier try may have written, and others may have deleted the contact since.
  if (!contact && work.uncertain) throw unavailableBecause("unknown_outcome");
  if (contact) await work.write(statementFor(contact.id));
  return contact !== null;
}
