/** The rules for completing checklist items: pure functions over rows. A storage calls them inside its transaction. */
import type { CompletedChecklistItem, Progress, ChecklistProgress, ChecklistItem } from "../model/types.ts";
import type { ChecklistRow, Completion, CompletionTest, EventDraft } from "../storage/rows.ts";
import { formatTime } from "../model/times.ts";

/** The data of a contact that completes checklist items. */
export interface Doing {
  /** The number of events, by event key. */
  counts: ReadonlyMap<string, number>;
  completions: readonly Completion[];
}

/** The parts of a checklist that decide who completes it. */
export interface TestedChecklist {
  id: string;
  body: { items: readonly Pick<ChecklistItem, "key" | "when">[] };
}

/** The times of a contact's first events. */
export interface Beginnings {
  firstAts: ReadonlyMap<string, number>;
}

/** The counts at which an event with this key completes an item. Most keys have none, so most events need no more reads. */
export function completingCounts(checklists: readonly ChecklistRow[], eventKey: string): number[] {
  const counts: number[] = [];
  for (const { body } of checklists) {
    for (const { when } of body.items) if (when?.eventKey === eventKey) counts.push(completingCount(when));
  }
  return counts;
}

/**
 * The items that the last recorded event completes, as JSON text; `null` if none. `doing` includes that event. The items are
 * completed at the time of recording, because events of earlier times may be recorded later. Items are in the order of the
 * checklists, and of the items in each.
 */
export function completeItems(
  checklists: readonly ChecklistRow[],
  { eventKey, recordedAt }: Pick<EventDraft, "eventKey" | "recordedAt">,
  doing: Doing,
): string | null {
  const count = doing.counts.get(eventKey);
  const completed = checklists.flatMap((checklist): CompletedChecklistItem[] => {
    const items = checklist.body.items.filter(
      ({ when }) => when?.eventKey === eventKey && completingCount(when) === count,
    );
    if (items.length === 0) return [];
    const progress = countCompleted(checklist, doing);
    const completedAt = formatTime(recordedAt);
    return items.map(({ key, name }) => ({ checklistKey: checklist.key, itemKey: key, name, completedAt, progress }));
  });
  return completed.length > 0 ? JSON.stringify(completed) : null;
}

export function progressOf(checklist: ChecklistRow, doing: Doing & Beginnings): ChecklistProgress {
  const { key: checklistKey, body } = checklist;
  const items = body.items.map((item) => {
    const completed = isCompleted(checklist, item, doing);
    const completedAt = completed ? completedAtOf(checklist, item, doing) : null;
    return {
      itemKey: item.key,
      name: item.name,
      automatic: item.when !== undefined,
      completed,
      completedAt: completedAt === null ? null : formatTime(completedAt),
    };
  });
  return { checklistKey, name: body.name, progress: countCompleted(checklist, doing), items };
}

/**
 * The condition that every item of the checklist is completed. Of items that count the same event, the highest count
 * decides.
 */
export function completionTestOf({ id, body }: TestedChecklist): CompletionTest {
  const counts = new Map<string, number>();
  const itemKeys: string[] = [];
  for (const { key, when } of body.items) {
    if (when) counts.set(when.eventKey, Math.max(counts.get(when.eventKey) ?? 0, completingCount(when)));
    else itemKeys.push(key);
  }
  return { checklistId: id, itemKeys, counts: Array.from(counts, ([eventKey, count]) => ({ eventKey, count })) };
}

export function countCompleted(checklist: TestedChecklist, doing: Doing): Progress {
  const { items } = checklist.body;
  return { completed: items.filter((item) => isCompleted(checklist, item, doing)).length, total: items.length };
}

function isCompleted(
  checklist: TestedChecklist,
  { key, when }: Pick<ChecklistItem, "key" | "when">,
  { counts, completions }: Doing,
): boolean {
  if (when) return (counts.get(when.eventKey) ?? 0) >= completingCount(when);
  return findByHand(checklist, key, completions) !== undefined;
}

/**
 * When a completed item was completed. `null` if the time is not stored: a summary has only the times of the first and the
 * last event of a key.
 */
function completedAtOf(
  checklist: ChecklistRow,
  { key, when }: ChecklistItem,
  { firstAts, completions }: Doing & Beginnings,
): number | null {
  // A completed item has an event with its key, or a completion by hand.
  if (when) return when.kind === "has_done" ? firstAts.get(when.eventKey)! : null;
  return findByHand(checklist, key, completions)!.completedAt;
}

function findByHand({ id }: TestedChecklist, key: string, completions: Doing["completions"]): Completion | undefined {
  return completions.find(({ checklistId, itemKey }) => checklistId === id && itemKey === key);
}

function completingCount(when: NonNullable<ChecklistItem["when"]>): number {
  return when.kind === "has_done" ? 1 : when.count + 1;
}
