/** Reads the parts of rules and of periods. */
import { contactFieldNames, contactFields } from "./contact-fields.ts";
import type { TextContactField } from "./contact-types.ts";
import { parseTime } from "./times.ts";
import type { AttributeType, CountRule, FieldRule, Period, Rule, SimpleRule } from "./types.ts";

const unitMs = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };
export type Unit = keyof typeof unitMs;
const unitNames = Object.keys(unitMs) as Unit[];

export interface Ends {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

export function unitOf(period: Partial<Record<Unit, unknown>>): Unit | undefined {
  return unitNames.find((name) => period[name] !== undefined);
}

function momentOf(moment: string | Date | undefined): number | null {
  return moment === undefined ? null : (parseTime(moment) as number);
}

/** The span of a period in milliseconds since the Unix epoch: `from` included, `to` excluded; `null` for an open end. */
export function spanOf(period: Period, now: number): { from: number | null; to: number | null } {
  const lengths = period as Partial<Record<Unit, number>>;
  const unit = unitOf(lengths);
  // The period has a length in the unit found. It has no upper end: an event can have happened a little ahead of our clock.
  if (unit) return { from: now - lengths[unit]! * unitMs[unit], to: null };
  const { from, to } = period as Ends;
  return { from: momentOf(from), to: momentOf(to) };
}

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
