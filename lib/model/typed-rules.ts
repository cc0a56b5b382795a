/** The types of rules, audiences and checklists about what the literal of `definitions` lists. */
import type {
  BooleanTest,
  CountRule,
  LastingRule,
  NumberTest,
  PropertyCondition,
  TextTest,
  TimeTest,
} from "./rule-types.ts";
import type { AttributesOf, DeclaredProperties, KeyOf, Listed, Plain, SubscriptionOf } from "./typed.ts";
import type {
  AttributeRule,
  AudienceDefinition,
  ChecklistDefinition,
  ChecklistItem,
  Definitions,
  EventRule,
  FieldRule,
  PropertyType,
  Rule,
  Scalar,
} from "./types.ts";

/** A rule about events, attributes and checklists that the definitions list. */
export type RuleOf<Defined extends Definitions> = [string, string, string] extends [
  KeyOf<"events", Defined>,
  KeyOf<"attributes", Defined>,
  KeyOf<"checklists", Defined>,
]
  ? Rule
  : RuleAbout<
      KeyOf<"events", Defined>,
      AttributesOf<Defined, Date>,
      KeyOf<"checklists", Defined>,
      EventPropertiesOf<Listed<"events", Defined>>
    >;

/**
 * A rule about events and checklists of these keys, and about attributes with these values. `where` takes the properties of
 * the event's key, if `OfEvents` has that key.
 */
export type RuleAbout<EventKey extends string, Attributes = {}, ChecklistKey extends string = never, OfEvents = {}> =
  | About<Exclude<EventRule, CountRule>, EventKey>
  | CountRuleAbout<EventKey, OfEvents>
  | FieldRule
  | AttributeRuleAbout<Attributes>
  | { kind: "checklist_completed"; checklistKey: ChecklistKey }
  | { all: readonly RuleAbout<EventKey, Attributes, ChecklistKey, OfEvents>[] }
  | { any: readonly RuleAbout<EventKey, Attributes, ChecklistKey, OfEvents>[] }
  | { not: RuleAbout<EventKey, Attributes, ChecklistKey, OfEvents> };

/** The properties of the events, by their keys. Those of an event that lists none can have any name and value. */
type EventPropertiesOf<Definition extends { key: string }> = {
  [Event in Definition as Event["key"]]: Event extends {
    properties: infer Declared extends Record<string, PropertyType>;
  }
    ? Required<DeclaredProperties<Declared>>
    : Record<string, Scalar>;
};

// One type for each key with properties of its own, because `where` depends on the key.
type CountRuleAbout<EventKey extends string, OfEvents> =
  | CountRuleWhere<Exclude<EventKey, keyof OfEvents>, never>
  | { [Key in EventKey & keyof OfEvents]: CountRuleWhere<Key, ConditionOn<OfEvents[Key]>> }[EventKey & keyof OfEvents];

type CountRuleWhere<EventKey extends string, Condition> = [EventKey] extends [never]
  ? never
  : Counting<CountRule, EventKey, Condition>;

type Counting<Simple, EventKey extends string, Condition> = Simple extends CountRule
  ? Plain<Omit<Simple, "eventKey" | "where"> & { eventKey: EventKey; where?: readonly Condition[] | undefined }>
  : never;

type ConditionOn<Declared> = string extends keyof Declared
  ? PropertyCondition
  : { [Name in keyof Declared]-?: Plain<{ property: Name } & TestOf<Declared[Name]>> }[keyof Declared];

type About<Simple, EventKey extends string> = Simple extends { eventKey: string }
  ? Plain<Omit<Simple, "eventKey"> & { eventKey: EventKey }>
  : never;

type AttributeRuleAbout<Attributes> = string extends keyof Attributes
  ? AttributeRule
  : { [Key in keyof Attributes]-?: { kind: "attribute"; key: Key } & TestOf<Attributes[Key]> }[keyof Attributes];

// A date is a `Date` in the types of rules alone, which tell it from a text.
type TestOf<Value> = Value extends string
  ? TextTest
  : Value extends number
    ? NumberTest
    : Value extends Date
      ? TimeTest
      : BooleanTest;

/** An audience whose rule is about what the definitions list. */
export type AudienceOf<Defined extends Definitions> = Plain<
  Omit<AudienceDefinition, "rule"> & { rule: RuleOf<Defined> }
>;

/** A checklist whose items are completed by events that the definitions list. */
export type ChecklistOf<Defined extends Definitions> = Plain<
  Omit<ChecklistDefinition, "items"> & { items: readonly ItemOf<Defined>[] }
>;

type ItemOf<Defined extends Definitions> = Plain<
  Omit<ChecklistItem, "when"> & { when?: WhenOf<KeyOf<"events", Defined>> | undefined }
>;

type WhenOf<EventKey extends string> = About<LastingRule, EventKey> | { any: readonly About<LastingRule, EventKey>[] };

/** Definitions without unknown fields, whose rules are about listed definitions only. */
export type Consistent<Defined extends Definitions> = Defined & {
  audiences?: readonly AudienceOf<Defined>[] | undefined;
  checklists?: readonly ChecklistOf<Defined>[] | undefined;
  subscriptions?: readonly SubscriptionOf<Defined>[] | undefined;
} & { [Kind in Exclude<keyof Defined, keyof Definitions>]?: never };
