/** The rules of completing checklist items, as pure functions over rows. A storage calls them inside its atomic section. */
import type { CompletedChecklistItem, Progress, ChecklistProgress, ChecklistItem } from "../types.ts";
import type { ChecklistRow, Completion } from "../storage/rows.ts";
import { formatTime } from "../times.ts";

/** What a contact has done, as far as checklists ask. */
export interface Doing {
  /** How often it was recorded, by event key. */
  counts: ReadonlyMap<string, number>;
  completions: readonly Completion[];
}

/** When each event key was first recorded. */
export interface Beginnings {
  firstAts: ReadonlyMap<string, number>;
}

/** The counts of the event's key at which an event completes an item. Most keys have none, and need no look at what was done. */
export function completingCounts(checklists: readonly ChecklistRow[], eventKey: string): number[] {
  const counts: number[] = [];
  for (const { body } of checklists) {
    for (const { when } of body.items) if (when?.eventKey === eventKey) counts.push(completingCount(when));
  }
  return counts;
}

/**
 * The items that the event which made its key's count what `doing` says completes, as JSON text: in the order of the
 * checklists, and in each in its own; `null` for none.
 */
export function completeItems(
  checklists: readonly ChecklistRow[],
  { eventKey, createdAt }: { eventKey: string; createdAt: number },
  doing: Doing,
): string | null {
  const count = doing.counts.get(eventKey);
  const completed = checklists.flatMap((checklist): CompletedChecklistItem[] => {
    const items = checklist.body.items.filter(
      ({ when }) => when?.eventKey === eventKey && completingCount(when) === count,
    );
    if (items.length === 0) return [];
    const progress = countCompleted(checklist, doing);
    const completedAt = formatTime(createdAt);
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

function countCompleted(checklist: ChecklistRow, doing: Doing): Progress {
  const { items } = checklist.body;
  return { completed: items.filter((item) => isCompleted(checklist, item, doing)).length, total: items.length };
}

function isCompleted(checklist: ChecklistRow, { key, when }: ChecklistItem, { counts, completions }: Doing): boolean {
  if (when) return (counts.get(when.eventKey) ?? 0) >= completingCount(when);
  return findByHand(checklist, key, completions) !== undefined;
}

/** `null` where it is not kept: of an event key's times only the first and the last are. */
function completedAtOf(
  checklist: ChecklistRow,
  { key, when }: ChecklistItem,
  { firstAts, completions }: Doing & Beginnings,
): number | null {
  if (when) return when.kind === "has_done" ? firstAts.get(when.eventKey)! : null;
  return findByHand(checklist, key, completions)!.completedAt;
}

function findByHand({ id }: ChecklistRow, key: string, completions: Doing["completions"]): Completion | undefined {
  return completions.find(({ checklistId, itemKey }) => checklistId === id && itemKey === key);
}

function completingCount(when: NonNullable<ChecklistItem["when"]>): number {
  return when.kind === "has_done" ? 1 : when.count + 1;
}
