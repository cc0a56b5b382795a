import { simpleRules, spanOf } from "../rules.ts";
import type { Condition, EventSummary } from "../storage/rows.ts";
import { formatTime } from "../times.ts";
import type { Explanation, ObservedEvents, Rule } from "../types.ts";

/** A contact's summaries, by event key. */
export type Summaries = ReadonlyMap<string, EventSummary>;

/** Turns a rule into a condition at the time `now`, with periods as absolute times. */
export function conditionOf(rule: Rule, now: number): Condition {
  if ("all" in rule) return { all: rule.all.map((part) => conditionOf(part, now)) };
  if ("any" in rule) return { any: rule.any.map((part) => conditionOf(part, now)) };
  if ("not" in rule) return { not: conditionOf(rule.not, now) };
  const { kind, eventKey } = rule;
  switch (kind) {
    case "has_done":
      return { eventKey, field: "count", from: 1, to: null };
    case "has_not_done":
      return { not: { eventKey, field: "count", from: 1, to: null } };
    case "count_greater_than":
      return { eventKey, field: "count", from: rule.count + 1, to: null };
    case "first_done_within":
      return { eventKey, field: "firstAt", ...spanOf(rule.period, now) };
    case "last_done_within":
      return { eventKey, field: "lastAt", ...spanOf(rule.period, now) };
  }
}

/** Whether a contact meets the condition. For storages without a query language, which call it for every contact. */
export function holds(condition: Condition, summaries: Summaries): boolean {
  if ("all" in condition) return condition.all.every((part) => holds(part, summaries));
  if ("any" in condition) return condition.any.some((part) => holds(part, summaries));
  if ("not" in condition) return !holds(condition.not, summaries);
  const { eventKey, field, from, to } = condition;
  const observed = summaries.get(eventKey)?.[field];
  return observed !== undefined && (from === null || observed >= from) && (to === null || observed < to);
}

export function explain(rule: Rule, summaries: Summaries, now: number): Explanation {
  const isTrue = (part: Rule): boolean => holds(conditionOf(part, now), summaries);
  const because = simpleRules(rule).map((part) => {
    const summary = summaries.get(part.eventKey);
    return { rule: structuredClone(part), match: isTrue(part), observed: summary ? toObserved(summary) : null };
  });
  return { match: isTrue(rule), because };
}

function toObserved({ count, firstAt, lastAt }: EventSummary): ObservedEvents {
  return { count, firstAt: formatTime(firstAt), lastAt: formatTime(lastAt) };
}
