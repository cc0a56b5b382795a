import { assertKnownType } from "../model/attribute-values.ts";
import { TrackerError } from "../model/errors.ts";
import { spanOf } from "../model/periods.ts";
import { countedSpanOf, isCountRule } from "../model/rules.ts";
import type * as rows from "../storage/rows.ts";
import type { WatchedRule } from "../storage/watches.ts";
import type * as model from "../model/types.ts";
import { completionTestOf, type TestedChecklist } from "./completions.ts";
import { fulfils, nextAbove } from "./value-tests.ts";

/** A contact, its summaries by event key, and its completions by hand. */
export interface ContactData {
  row: rows.ContactRow;
  summaries: ReadonlyMap<string, rows.EventSummary>;
  completions: readonly rows.Completion[];
  /** The number of stored events that the test counts. May stop at the `count` of the test. */
  countEvents(test: rows.OccurrenceTest): number;
}

/** The definitions that a rule names, by their keys. */
export interface NamedDefinitions {
  attributes: ReadonlyMap<string, rows.AttributeRow>;
  checklists: ReadonlyMap<string, rows.ChecklistRow>;
}

/** The parts of the named definitions that decide who fulfils the rule. */
export interface TestedDefinitions {
  attributes: ReadonlyMap<string, WatchedRule["attributes"][number]>;
  checklists: ReadonlyMap<string, TestedChecklist>;
}

/** Matches no contact, because no attribute has the nil UUID as its id. */
const nobody: rows.Condition = { attributeId: "00000000-0000-0000-0000-000000000000", operator: "is_set" };

/**
 * Turns a rule into a condition at the time `now`, with periods as absolute times, and definitions by their ids. A rule about a
 * definition that does not exist is true of nobody. Events of a period are counted as at the time `countedAt`. Throws
 * `definition_unknown` for what a later version has defined.
 */
export function conditionOf(
  rule: model.Rule,
  now: number,
  definitions: TestedDefinitions,
  countedAt: number = now,
): rows.Condition {
  const inner = (part: model.Rule): rows.Condition => conditionOf(part, now, definitions, countedAt);
  if ("all" in rule) return { all: rule.all.map(inner) };
  if ("any" in rule) return { any: rule.any.map(inner) };
  if ("not" in rule) return { not: inner(rule.not) };
  switch (rule.kind) {
    case "field":
      return valueCondition({ contactField: rule.field }, rule, now);
    case "attribute": {
      const attribute = definitions.attributes.get(rule.key);
      if (!attribute) return nobody;
      if (attribute.body) assertKnownType(attribute.body.type);
      return valueCondition({ attributeId: attribute.id }, rule, now);
    }
    case "checklist_completed": {
      const checklist = definitions.checklists.get(rule.checklistKey);
      return checklist ? completionTestOf(checklist) : nobody;
    }
    default:
      return eventCondition(rule, now, countedAt);
  }
}

function eventCondition(rule: model.EventRule, now: number, countedAt: number): rows.Condition {
  const { kind, eventKey } = rule;
  switch (kind) {
    case "first_done_within":
      return { eventKey, field: "firstAt", ...spanOf(rule.period, now) };
    case "last_done_within":
      return { eventKey, field: "lastAt", ...spanOf(rule.period, now) };
    default: {
      const done: rows.Condition = occurrenceTestOf(rule, countedAt) ?? {
        eventKey,
        field: "count",
        from: neededCount(rule),
        to: null,
      };
      return kind === "has_not_done" ? { not: done } : done;
    }
  }
}

function neededCount(rule: model.CountRule): number {
  switch (rule.kind) {
    case "has_done":
    case "has_not_done":
      return 1;
    case "count_greater_than":
      return rule.count + 1;
    // A rule or a group of a later version.
    default:
      throw new TrackerError("definition_unknown");
  }
}

/** The test of the events that the rule counts; `null` if the rule does not count the events of a period. */
export function occurrenceTestOf(rule: model.SimpleRule, now: number): rows.OccurrenceTest | null {
  const span = countedSpanOf(rule, now);
  if (!span || !isCountRule(rule)) return null;
  const { eventKey, where = [] } = rule;
  return {
    eventKey,
    count: neededCount(rule),
    ...span,
    where: where.map((condition) => valueCondition({ property: condition.property }, condition, now)),
  };
}

function valueCondition<
  Target extends { contactField: rows.TestedField } | { attributeId: string } | { property: string },
>(
  target: Target,
  rule: model.FieldRule | model.AttributeRule | model.PropertyCondition,
  now: number,
): (Target & rows.ValueTest) | { not: Target & rows.ValueTest } {
  const { operator, value } = rule;
  switch (operator) {
    case "is_set":
      return value ? { ...target, operator } : { not: { ...target, operator } };
    case "equals":
      return { ...target, operator: "one_of", values: [value] };
    case "one_of":
      return { ...target, operator, values: value };
    case "contains":
    case "starts_with":
    case "ends_with":
      return { ...target, operator, text: value };
    case "within":
      return { ...target, operator, ...spanOf(value, now) };
    case "less_than":
      return { ...target, operator: "within", from: null, to: value };
    case "greater_than":
      return { ...target, operator: "within", from: nextAbove(value), to: null };
    case "between":
      return { ...target, operator: "within", from: value[0], to: nextAbove(value[1]) };
    default:
      throw new TrackerError("definition_unknown");
  }
}

/** The tests in a condition: its parts, at any depth, that are not groups. */
export function testsIn(
  condition: rows.Condition,
): Exclude<rows.Condition, { all: unknown } | { any: unknown } | { not: unknown }>[] {
  if ("all" in condition) return condition.all.flatMap(testsIn);
  if ("any" in condition) return condition.any.flatMap(testsIn);
  return "not" in condition ? testsIn(condition.not) : [condition];
}

/** Whether a contact meets the condition. For storages without a query language, which call it for every contact. */
export function holds(condition: rows.Condition, contact: ContactData): boolean {
  if ("all" in condition) return condition.all.every((part) => holds(part, contact));
  if ("any" in condition) return condition.any.some((part) => holds(part, contact));
  if ("not" in condition) return !holds(condition.not, contact);
  if ("checklistId" in condition) return isCompleted(condition, contact);
  if ("operator" in condition) return fulfils(contact.row, condition);
  if ("where" in condition) return contact.countEvents(condition) >= condition.count;
  const { eventKey, field, from, to } = condition;
  const observed = contact.summaries.get(eventKey)?.[field];
  return isWithin(observed, { from, to });
}

function isCompleted({ checklistId, itemKeys, counts, within }: rows.CompletionTest, contact: ContactData): boolean {
  const inTime = ({ completedAt }: rows.Completion): boolean => !within || isWithin(completedAt ?? undefined, within);
  const byHand = contact.completions.filter((each) => each.checklistId === checklistId && inTime(each));
  return (
    counts.every((list) =>
      list.some(({ eventKey, count }) => (contact.summaries.get(eventKey)?.count ?? 0) >= count),
    ) && itemKeys.every((key) => byHand.some(({ itemKey }) => itemKey === key))
  );
}

function isWithin(value: number | undefined, { from, to }: Pick<rows.EventTest, "from" | "to">): boolean {
  return value !== undefined && (from === null || value >= from) && (to === null || value < to);
}
