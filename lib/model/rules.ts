/** Reads the parts of rules. */
import { contactFieldNames, contactFields } from "./contact-fields.ts";
import type { TextContactField } from "./contact-types.ts";
import { spanOf } from "./periods.ts";
import type { AttributeType, CountRule, FieldRule, Rule, SimpleRule } from "./types.ts";

/** Complete by its type: the compiler asks whether a new kind counts. */
const countRuleKinds: Readonly<Record<CountRule["kind"], true>> = {
  has_done: true,
  has_not_done: true,
  count_greater_than: true,
};

/** Whether the rule is about the number of events. */
export function isCountRule(rule: Pick<SimpleRule, "kind">): rule is CountRule {
  return Object.hasOwn(countRuleKinds, rule.kind);
}

/** The span in which the rule counts events; `null` if it does not count the events of a period. */
export function countedSpanOf(rule: SimpleRule, now: number): { from: number; to: number | null } | null {
  if (!isCountRule(rule) || !rule.period) return null;
  const { from, to } = spanOf(rule.period, now);
  // The period has a beginning.
  return { from: from!, to };
}

export type Operator =
  | "equals"
  | "one_of"
  | "is_set"
  | "contains"
  | "starts_with"
  | "ends_with"
  | "greater_than"
  | "less_than"
  | "between"
  | "within";

/** The operators of a value's type. */
export const operatorsOf: Readonly<Record<AttributeType | "time", readonly Operator[]>> = {
  text: ["equals", "one_of", "is_set", "contains", "starts_with", "ends_with"],
  number: ["equals", "one_of", "is_set", "greater_than", "less_than", "between"],
  boolean: ["equals", "is_set"],
  date: ["is_set", "within"],
  time: ["is_set", "within"],
};

const typesByContactField = Object.fromEntries(
  contactFieldNames.map((name) => [name, contactFields[name].kind]).filter(([, kind]) => kind !== "url"),
) as Record<TextContactField | "signedUpAt", "text" | "time">;

/** The fields that a rule can be about, and the type of each. */
export const fieldTypes: Readonly<Record<FieldRule["field"], "text" | "time">> = {
  email: "text",
  externalId: "text",
  ...typesByContactField,
  createdAt: "time",
};

export function simpleRules(rule: Rule): SimpleRule[] {
  if ("all" in rule) return rule.all.flatMap(simpleRules);
  if ("any" in rule) return rule.any.flatMap(simpleRules);
  return "not" in rule ? simpleRules(rule.not) : [rule];
}

/** The rule, with each of its simple rules changed. */
export function mapSimpleRules(rule: Rule, change: (part: SimpleRule) => SimpleRule): Rule {
  if ("all" in rule) return { all: rule.all.map((part) => mapSimpleRules(part, change)) };
  if ("any" in rule) return { any: rule.any.map((part) => mapSimpleRules(part, change)) };
  return "not" in rule ? { not: mapSimpleRules(rule.not, change) } : change(rule);
}
