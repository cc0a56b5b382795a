import { fieldTypes } from "../../../../lib/model/rules.ts";
import type { Operator } from "../../../../lib/model/rules.ts";
import type * as model from "../../../../lib/model/types.ts";

const valuesShownMax = 5;
const textShownMaxCharacters = 60;

/** The words for an operator. They stand between the name of a field and a value. */
export const operatorWords: Readonly<Record<Operator, string>> = {
  equals: "is",
  one_of: "is one of",
  contains: "contains",
  starts_with: "starts with",
  ends_with: "ends with",
  greater_than: "is greater than",
  less_than: "is less than",
  between: "is between",
  within: "within",
  is_set: "is set",
};

/** A valid rule in plain words, on one line. Long texts and lists are cut. */
export function ruleWords(rule: model.Rule): string {
  if ("all" in rule) return groupWords("all of", rule.all);
  if ("any" in rule) return groupWords("any of", rule.any);
  if ("not" in rule) return negationWords(rule.not);
  return simpleWords(rule);
}

function negationWords(rule: model.Rule): string {
  if ("kind" in rule && rule.kind === "has_done") return simpleWords({ ...rule, kind: "has_not_done" });
  if ("kind" in rule && rule.kind === "has_not_done") return simpleWords({ ...rule, kind: "has_done" });
  return `not (${ruleWords(rule)})`;
}

function groupWords(name: string, rules: readonly model.Rule[]): string {
  return rules.length === 1 ? ruleWords(rules[0]!) : `${name} (${rules.map(ruleWords).join("; ")})`;
}

function simpleWords(rule: model.SimpleRule): string {
  switch (rule.kind) {
    case "has_done":
      return `has done ${rule.eventKey}${countedWords(rule)}`;
    case "has_not_done":
      return `has not done ${rule.eventKey}${countedWords(rule)}`;
    case "count_greater_than":
      return `did ${rule.eventKey} more than ${rule.count === 1 ? "once" : `${rule.count} times`}${countedWords(rule)}`;
    case "first_done_within":
      return `first did ${rule.eventKey} ${periodWords(rule.period)}`;
    case "last_done_within":
      return `last did ${rule.eventKey} ${periodWords(rule.period)}`;
    case "checklist_completed":
      return `completed the checklist ${rule.checklistKey}`;
    case "field":
      return `${rule.field} ${testWords(rule)}`;
    case "attribute":
      return `${rule.key} ${testWords(rule)}`;
  }
}

function countedWords({ period, where = [] }: model.CountRule): string {
  if (!period) return "";
  const conditions = where.map((condition) => `${valueWords(condition.property)} ${testWords(condition)}`);
  return `, ${periodWords(period)}${conditions.length > 0 ? `, where ${conditions.join(" and ")}` : ""}`;
}

function testWords(test: model.FieldRule | model.AttributeRule | model.PropertyCondition): string {
  if (test.operator === "is_set") return test.value ? "is set" : "is not set";
  if (test.operator === "within") return periodWords(test.value);
  if (test.operator === "between") return `is between ${test.value[0]} and ${test.value[1]}`;
  const { operator, value } = test as { operator: Operator; value: model.Scalar | readonly model.Scalar[] };
  return `${operatorWords[operator]} ${typeof value === "object" ? valuesWords(value) : valueWords(value)}`;
}

function valuesWords(values: readonly model.Scalar[]): string {
  const more = values.length - valuesShownMax;
  const shown = values.slice(0, valuesShownMax).map(valueWords).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** The value, in quotation marks if a reader could not see where it begins and ends. */
function valueWords(value: model.Scalar): string {
  const characters = Array.from(String(value));
  const shown =
    characters.length > textShownMaxCharacters ? [...characters.slice(0, textShownMaxCharacters), "…"] : characters;
  const text = shown.join("");
  return /^[\p{L}\p{N}\p{M}_@.+/…-]+$/u.test(text) ? text : `“${text}”`;
}

/** The words for a period, such as "in the last 7 days". */
export function periodWords(period: model.PeriodOfTime): string {
  if ("next" in period) return `in the next ${lengthWords(period.next)}`;
  if ("ago" in period) return `more than ${lengthWords(period.ago, "1 ")} ago`;
  const last = lengthWords(period);
  if (last !== null) return `in the last ${last}`;
  const { from, to } = period as { from?: string; to?: string };
  if (to === undefined) return `since ${timeWords(from!)} UTC`;
  return from === undefined
    ? `before ${timeWords(to)} UTC`
    : `from ${timeWords(from)} until before ${timeWords(to)} UTC`;
}

/** A length as it follows "the last", or with `one` before a single unit. `null` if it is none. */
function lengthWords(length: object, one = ""): string | null {
  for (const unit of ["day", "hour", "minute"] as const) {
    const count = (length as Record<string, number | undefined>)[`${unit}s`];
    if (count !== undefined) return count === 1 ? `${one}${unit}` : `${count} ${unit}s`;
  }
  return null;
}

/** The time in UTC. Leaves out seconds and a time of day that are zero. */
function timeWords(time: string): string {
  const at = new Date(time);
  return (Number.isNaN(at.getTime()) ? time : at.toISOString())
    .replace("T", " ")
    .replace(/(:00)?\.000Z$|Z$/, "")
    .replace(/ 00:00$/, "");
}

/** Whether the rule is about a time of the contact, so that what was observed is a time. */
export function isAboutTime(rule: model.SimpleRule): boolean {
  if ("operator" in rule && rule.operator === "within") return true;
  return rule.kind === "field" && fieldTypes[rule.field] === "time";
}
