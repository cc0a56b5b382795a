/** The rules of completing checklist items, as pure functions over rows. A storage calls them inside its atomic section. */
import type { ChecklistItem, ChecklistProgress, CompletedChecklistItem } from "./behaviour-types.ts";
import type { ChecklistRow, Completion } from "./storage.ts";
import { formatTime } from "./times.ts";

/** What a contact has done, as far as checklists ask. */
export interface Doing {
  /** How often it was recorded, by event key. */
  counts: ReadonlyMap<string, number>;
  completions: readonly Completion[];
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
    const { progress } = progressOf(checklist, doing);
    const completedAt = formatTime(createdAt);
    return items.map(({ key, name }) => ({ checklistKey: checklist.key, itemKey: key, name, completedAt, progress }));
  });
  return completed.length > 0 ? JSON.stringify(completed) : null;
}

export function progressOf({ id, key, body }: ChecklistRow, { counts, completions }: Doing): ChecklistProgress {
  const items = body.items.map(({ key: itemKey, name, when }) => {
    const completed = when
      ? (counts.get(when.eventKey) ?? 0) >= completingCount(when)
      : completions.some((completion) => completion.checklistId === id && completion.itemKey === itemKey);
    return { itemKey, name, completed };
  });
  const completed = items.filter((item) => item.completed).length;
  return { checklistKey: key, name: body.name, progress: { completed, total: items.length }, items };
}

function completingCount(when: NonNullable<ChecklistItem["when"]>): number {
  return when.kind === "has_done" ? 1 : when.count + 1;
}
