/** Derives the types of a tracker's methods from the literal of `definitions`. A kind that it omits accepts any key. */
import type {
  AudienceChange,
  Change,
  ChecklistChange,
  ContactChange,
  DeletionChange,
  EventChange,
  ItemChange,
} from "./change-types.ts";
import type { BooleanTest, NumberTest, TextTest } from "./rule-types.ts";
import type {
  AttributeRule,
  AttributeType,
  AudienceDefinition,
  ChecklistDefinition,
  ChecklistItem,
  Definitions,
  EventRule,
  EventTypeDefinition,
  FieldRule,
  NewEvent,
  PageRequest,
  PropertyType,
  Rule,
  Scalar,
  SubscriptionDefinition,
} from "./types.ts";

/** The keys of one kind that the definitions list; `string` if they do not list that kind. */
export type KeyOf<Kind extends keyof Definitions, Defined extends Definitions> =
  Listed<Kind, Defined> extends { key: infer Key extends string } ? Key : string;

type Listed<Kind extends keyof Definitions, Defined extends Definitions> = Defined extends {
  [Name in Kind]: readonly (infer Definition)[];
}
  ? Definition
  : { key: string };

/** The keys of a checklist's items that are completed by hand. */
export type ItemKeyOf<Checklist extends string, Defined extends Definitions> =
  string extends KeyOf<"checklists", Defined> ? string : ItemKeyIn<Listed<"checklists", Defined>, Checklist>;

type ItemKeyIn<Definition, Checklist extends string> = Definition extends {
  key: Checklist;
  items: readonly (infer Item)[];
}
  ? KeyIn<Exclude<Item, { when: object }>>
  : never;

/** The values of a contact's attributes. */
export type AttributesOf<Defined extends Definitions> =
  string extends KeyOf<"attributes", Defined>
    ? Record<string, Scalar>
    : Plain<{ [Attribute in Listed<"attributes", Defined> as KeyIn<Attribute>]?: ValueIn<Attribute> }>;

type KeyIn<Definition> = Definition extends { key: infer Key extends string } ? Key : never;
type ValueIn<Attribute> = Attribute extends { type: infer Type extends AttributeType } ? Values[Type] : never;

interface Values {
  text: string;
  number: number;
  boolean: boolean;
}

/** The input of `events.track`: one type for each event key, with its properties. */
export type EventOf<Defined extends Definitions> =
  string extends KeyOf<"events", Defined> ? NewEvent : EventIn<Listed<"events", Defined>>;

/** Selects a page of events, of one key or of all. */
export type EventPageOf<Defined extends Definitions> = PageRequest & {
  eventKey?: KeyOf<"events", Defined> | undefined;
};

type EventIn<Definition> = Definition extends EventTypeDefinition
  ? Plain<Omit<NewEvent, "eventKey" | "properties"> & { eventKey: Definition["key"] } & PropertiesIn<Definition>>
  : never;

type PropertiesIn<Definition> = Definition extends { properties: infer Declared extends Record<string, PropertyType> }
  ? {} extends Properties<Declared>
    ? { properties?: Properties<Declared> | undefined }
    : { properties: Properties<Declared> }
  : Pick<NewEvent, "properties">;

// An empty object type would accept any object, so an event type without properties needs `never`.
type Properties<Declared extends Record<string, PropertyType>> = [keyof Declared] extends [never]
  ? Record<string, never>
  : PropertiesOf<Declared>;

type PropertiesOf<Declared extends Record<string, PropertyType>> = Plain<
  {
    [Name in keyof Declared as Declared[Name] extends AttributeType ? Name : never]: ValueOf<Declared[Name]>;
  } & {
    [Name in keyof Declared as Declared[Name] extends AttributeType ? never : Name]?:
      ValueOf<Declared[Name]> | undefined;
  }
>;

type ValueOf<Type extends PropertyType> = Type extends `${infer Required extends AttributeType}?`
  ? Values[Required]
  : Values[Extract<Type, AttributeType>];

/** A rule about events, attributes and checklists that the definitions list. */
export type RuleOf<Defined extends Definitions> = [string, string, string] extends [
  KeyOf<"events", Defined>,
  KeyOf<"attributes", Defined>,
  KeyOf<"checklists", Defined>,
]
  ? Rule
  : RuleAbout<KeyOf<"events", Defined>, AttributesOf<Defined>, KeyOf<"checklists", Defined>>;

/** A rule about events and checklists of these keys, and about attributes with these values. */
export type RuleAbout<EventKey extends string, Attributes = {}, ChecklistKey extends string = never> =
  | About<EventRule, EventKey>
  | FieldRule
  | AttributeRuleAbout<Attributes>
  | { kind: "checklist_completed"; checklistKey: ChecklistKey }
  | { all: readonly RuleAbout<EventKey, Attributes, ChecklistKey>[] }
  | { any: readonly RuleAbout<EventKey, Attributes, ChecklistKey>[] }
  | { not: RuleAbout<EventKey, Attributes, ChecklistKey> };

type About<Simple, EventKey extends string> = Simple extends { eventKey: string }
  ? Plain<Omit<Simple, "eventKey"> & { eventKey: EventKey }>
  : never;

type AttributeRuleAbout<Attributes> = string extends keyof Attributes
  ? AttributeRule
  : { [Key in keyof Attributes]-?: { kind: "attribute"; key: Key } & TestOf<Attributes[Key]> }[keyof Attributes];

type TestOf<Value> = Value extends string ? TextTest : Value extends number ? NumberTest : BooleanTest;

/** An audience whose rule is about what the definitions list. */
export type AudienceOf<Defined extends Definitions> = Plain<
  Omit<AudienceDefinition, "rule"> & { rule: RuleOf<Defined> }
>;

/** A checklist whose items are completed by events that the definitions list. */
export type ChecklistOf<Defined extends Definitions> = Plain<
  Omit<ChecklistDefinition, "items"> & { items: readonly ItemOf<Defined>[] }
>;

type ItemOf<Defined extends Definitions> = Plain<
  Omit<ChecklistItem, "when"> & {
    when?: About<NonNullable<ChecklistItem["when"]>, KeyOf<"events", Defined>> | undefined;
  }
>;

/** A subscription to events and audiences that the definitions list. */
export type SubscriptionOf<Defined extends Definitions> = SubscriptionDefinition<
  KeyOf<"events", Defined>,
  KeyOf<"audiences", Defined>
>;

/** The changes of a subscription: those of its topics if the definitions list it. */
export type ChangeOf<Key extends string, Defined extends Definitions> =
  string extends KeyOf<"subscriptions", Defined>
    ? Change
    : ChangeOn<Extract<Listed<"subscriptions", Defined>, { key: Key }>>;

type ChangeOn<Definition> = Definition extends { on: infer Topics }
  ? | (Topics extends { events: true | readonly string[] } ? EventChange : never)
    | (Topics extends { contacts: true } ? ContactChange | DeletionChange : never)
    | (Topics extends { checklists: true } ? ItemChange | ChecklistChange : never)
    | (Topics extends { audiences: readonly string[] } ? AudienceChange : never)
  : never;

/** Definitions without unknown fields, whose rules are about listed definitions only. */
export type Consistent<Defined extends Definitions> = Defined & {
  audiences?: readonly AudienceOf<Defined>[] | undefined;
  checklists?: readonly ChecklistOf<Defined>[] | undefined;
  subscriptions?: readonly SubscriptionOf<Defined>[] | undefined;
} & { [Kind in Exclude<keyof Defined, keyof Definitions>]?: never };

// Makes editors show the fields of a type. They would show only its name without the intersection with `{}`.
type Plain<Type> = { -readonly [Key in keyof Type]: Type[Key] } & {};
