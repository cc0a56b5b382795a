import type { TextContactField } from "./contact-types.ts";
import type { Period, PeriodOfTime, PeriodWithStart } from "./periods.ts";

/**
 * Selects the events that a rule counts. With a period: the kept events of that period that fulfil all conditions of `where`,
 * 1 to 10. Without one: all events ever recorded.
 */
interface Counted {
  /** The key of the events to count. */
  eventKey: string;
  period?: PeriodWithStart | undefined;
  /** Needs a period. */
  where?: readonly PropertyCondition[] | undefined;
}

/** A rule about the number of a contact's events of one key. */
export type CountRule =
  /** Has recorded the event at least once. */
  | ({ kind: "has_done" } & Counted)
  /** Has never recorded it. */
  | ({ kind: "has_not_done" } & Counted)
  /** Has recorded it more than `count` times. */
  | ({ kind: "count_greater_than"; count: number } & Counted);

/** A rule about a contact's events of one key. */
export type EventRule =
  | CountRule
  /** Has its first time in the period. */
  | { kind: "first_done_within"; eventKey: string; period: Period }
  /** Has its last time in the period. */
  | { kind: "last_done_within"; eventKey: string; period: Period };

/** A rule that never turns false once it is true: it counts all events ever recorded. */
export type LastingRule =
  { kind: "has_done"; eventKey: string } | { kind: "count_greater_than"; eventKey: string; count: number };

type IsSet = { operator: "is_set"; value: boolean };
/** `equals` alone takes an empty text. `one_of` takes 1 to 1,000 texts. */
export type TextTest =
  | { operator: "equals" | "contains" | "starts_with" | "ends_with"; value: string }
  | { operator: "one_of"; value: readonly string[] }
  | IsSet;
/** `within` takes a period. */
export type TimeTest = { operator: "within"; value: PeriodOfTime } | IsSet;
/** `between` includes both ends. `one_of` takes 1 to 1,000 numbers. */
export type NumberTest =
  | { operator: "equals" | "greater_than" | "less_than"; value: number }
  | { operator: "one_of"; value: readonly number[] }
  | { operator: "between"; value: readonly [number, number] }
  | IsSet;
/** `equals` takes `true` or `false`. */
export type BooleanTest = { operator: "equals"; value: boolean } | IsSet;

/**
 * A rule about a field of the contact. Text is compared byte for byte, with A–Z of an email in lower case. `externalId` is the one
 * shown. A field that is not set fulfils only `is_set: false`; an empty text is set.
 */
export type FieldRule =
  | ({ kind: "field"; field: "email" | "externalId" | TextContactField } & TextTest)
  | ({ kind: "field"; field: "signedUpAt" | "createdAt" } & TimeTest);

/**
 * A rule about a custom attribute, with an operator of the attribute's type; `between` includes both ends. An attribute that is
 * not set fulfils only `is_set: false`.
 */
export type AttributeRule = { kind: "attribute"; key: string } & (TextTest | NumberTest | BooleanTest | TimeTest);

/**
 * A condition on a property of an event, with the operators of attributes. A property that the event lacks fulfils only
 * `is_set: false`, and one of another type only `is_set: true`. A property whose name is a comma, or begins with a colon, cannot be named.
 */
export type PropertyCondition = { property: string } & (TextTest | NumberTest | BooleanTest);

/** A rule that is true of contacts who completed every item of the checklist. */
export type ChecklistRule = { kind: "checklist_completed"; checklistKey: string };

/** A rule that is no group. */
export type SimpleRule = EventRule | FieldRule | AttributeRule | ChecklistRule;

/** A targeting rule. At any moment it matches a contact or does not. `all` and `any` take at least one rule. */
export type Rule = SimpleRule | { all: readonly Rule[] } | { any: readonly Rule[] } | { not: Rule };
