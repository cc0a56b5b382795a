/** The rules for completing checklist items: pure functions over rows. A storage calls them inside its transaction. */
import type * as model from "../model/types.ts";
import type { ChecklistRow, Completion, CompletionTest, Dismissal, EventDraft } from "../storage/rows.ts";
import { TrackerError } from "../model/errors.ts";
import { formatTime } from "../model/times.ts";

/** The data of a contact that decide which checklist items it has completed. */
export interface Doing {
  /** The number of events, by event key. */
  counts: ReadonlyMap<string, number>;
  completions: readonly Completion[];
}

/** The parts of a checklist that decide who completes it. */
export interface TestedChecklist {
  id: string;
  body: { items: readonly Pick<model.ChecklistItem, "key" | "when">[] };
}

/** The data of a contact from which its progress is shown. */
export interface Shown extends Doing {
  /** The times of the first events, by event key. */
  firstAts: ReadonlyMap<string, number>;
  dismissals: readonly Dismissal[];
}

/** The counts at which an event with this key completes an item. Most keys have none, so most events need no more reads. */
export function completingCounts(checklists: readonly ChecklistRow[], eventKey: string): number[] {
  const counts: number[] = [];
  for (const { body } of checklists) {
    for (const rule of body.items.flatMap(rulesOf)) {
      const count = completingCount(rule);
      if (rule.eventKey === eventKey) counts.push(count);
    }
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
  const before = new Map(doing.counts).set(eventKey, (doing.counts.get(eventKey) ?? 0) - 1);
  const completed = checklists.flatMap((checklist): model.CompletedChecklistItem[] => {
    const items = checklist.body.items.filter((item) => {
      const rules = rulesOf(item);
      return rules.some((rule) => isTrue(rule, doing.counts)) && !rules.some((rule) => isTrue(rule, before));
    });
    if (items.length === 0) return [];
    const progress = countCompleted(checklist, doing);
    const completedAt = formatTime(recordedAt);
    return items.map(({ key, name }) => ({ checklistKey: checklist.key, itemKey: key, name, completedAt, progress }));
  });
  return completed.length > 0 ? JSON.stringify(completed) : null;
}

export function progressOf(checklist: ChecklistRow, doing: Shown): model.ChecklistProgress {
  const { key: checklistKey, body } = checklist;
  const items = body.items.map((item) => {
    const completed = isCompleted(checklist, item, doing);
    const completedAt = completed ? completedAtOf(checklist, item, doing) : null;
    return {
      itemKey: item.key,
      name: item.name,
      description: item.description ?? null,
      href: item.href ?? null,
      automatic: item.when !== undefined,
      completed,
      completedAt: completedAt === null ? null : formatTime(completedAt),
    };
  });
  const dismissal = doing.dismissals.find(({ checklistId }) => checklistId === checklist.id);
  return {
    checklistKey,
    name: body.name,
    description: body.description ?? null,
    progress: countCompleted(checklist, doing),
    dismissedAt: dismissal ? formatTime(dismissal.dismissedAt) : null,
    items,
  };
}

/**
 * The condition that every item of the checklist is completed. Of items with one rule about the same event key, only the highest
 * count is tested.
 */
export function completionTestOf({ id, body }: TestedChecklist): CompletionTest {
  const highest = new Map<string, number>();
  const counts: { eventKey: string; count: number }[][] = [];
  for (const rules of body.items.map(rulesOf)) {
    const [first, ...others] = rules.map((rule) => ({ eventKey: rule.eventKey, count: completingCount(rule) }));
    if (first && others.length > 0) counts.push([first, ...others]);
    else if (first) highest.set(first.eventKey, Math.max(highest.get(first.eventKey) ?? 0, first.count));
  }
  counts.push(...Array.from(highest, ([eventKey, count]) => [{ eventKey, count }]));
  return { checklistId: id, itemKeys: body.items.filter(({ when }) => !when).map(({ key }) => key), counts };
}

export function countCompleted(checklist: TestedChecklist, doing: Doing): model.Progress {
  const { items } = checklist.body;
  return { completed: items.filter((item) => isCompleted(checklist, item, doing)).length, total: items.length };
}

function isCompleted(
  checklist: TestedChecklist,
  item: Pick<model.ChecklistItem, "key" | "when">,
  { counts, completions }: Doing,
): boolean {
  if (item.when) return rulesOf(item).some((rule) => isTrue(rule, counts));
  return findByHand(checklist, item.key, completions) !== undefined;
}

/** The rules that complete the item, each by itself; none if it is completed by hand. */
export function rulesOf({ when }: Pick<model.ChecklistItem, "when">): readonly model.LastingRule[] {
  if (!when) return [];
  return "any" in when ? when.any : [when];
}

function isTrue(rule: model.LastingRule, counts: Doing["counts"]): boolean {
  return (counts.get(rule.eventKey) ?? 0) >= completingCount(rule);
}

/**
 * When a completed item was completed. `null` if the time is not stored: a summary has only the times of the first and the
 * last event of a key.
 */
function completedAtOf(
  checklist: ChecklistRow,
  item: model.ChecklistItem,
  { counts, firstAts, completions }: Shown,
): number | null {
  // A completed item without rules has a completion by hand.
  if (!item.when) return findByHand(checklist, item.key, completions)!.completedAt;
  const rules = rulesOf(item).filter((rule) => isTrue(rule, counts));
  // A key with a count has a first time.
  return rules.every(({ kind }) => kind === "has_done")
    ? Math.min(...rules.map(({ eventKey }) => firstAts.get(eventKey)!))
    : null;
}

function findByHand({ id }: TestedChecklist, key: string, completions: Doing["completions"]): Completion | undefined {
  return completions.find(({ checklistId, itemKey }) => checklistId === id && itemKey === key);
}

function completingCount(rule: model.LastingRule): number {
  switch (rule.kind) {
    case "has_done":
      return 1;
    case "count_greater_than":
      return rule.count + 1;
    default:
      throw new TrackerError("definition_unknown");
  }
}
