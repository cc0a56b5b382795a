/** Rules about the beginning of a checklist, and about where contacts are stuck in it. */
import { simpleRulesPerRuleMax } from "./limits.ts";
import { simpleRules } from "./rules.ts";
import type { ChecklistItem, Period, Rule } from "./types.ts";

/** Whether the times are known at which contacts completed the first item. Otherwise a period does not select among them. */
export function knowsBeginning([first]: readonly ChecklistItem[]): boolean {
  return !first?.when || ("kind" in first.when && first.when.kind === "has_done");
}

/** The contacts that completed the item with this rule within the period, or at any time if no time is known. */
export function beganRule(when: NonNullable<ChecklistItem["when"]>, period: Period): Rule {
  const isDone = "kind" in when && when.kind === "has_done";
  return isDone ? { kind: "first_done_within", eventKey: when.eventKey, period } : when;
}

/**
 * The contacts that completed every item before this one and not this one, and the first within the period if it is given. `null` for the
 * first item, if one of these items is completed by hand, and if the rule would be too long.
 */
export function stuckRule(items: readonly ChecklistItem[], itemKey: string, began?: Period): Rule | null {
  const index = items.findIndex(({ key }) => key === itemKey);
  const whens = items.slice(0, index + 1).flatMap(({ when }) => when ?? []);
  const [first, ...others] = whens;
  const last = others.pop();
  if (!first || !last || whens.length <= index) return null;
  const rule = { all: [began ? beganRule(first, began) : first, ...others, { not: last }] };
  return simpleRules(rule).length > simpleRulesPerRuleMax ? null : rule;
}
