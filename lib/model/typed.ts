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
import type {
  AttributeType,
  Definitions,
  EventTypeDefinition,
  NewEvent,
  PageRequest,
  PropertyType,
  Scalar,
  SubscriptionDefinition,
} from "./types.ts";

/** The keys of one kind that the definitions list; `string` if they do not list that kind. */
export type KeyOf<Kind extends keyof Definitions, Defined extends Definitions> =
  Listed<Kind, Defined> extends { key: infer Key extends string } ? Key : string;

export type Listed<Kind extends keyof Definitions, Defined extends Definitions> = Defined extends {
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

export type KeyIn<Definition> = Definition extends { key: infer Key extends string } ? Key : never;
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

export type PropertiesOf<Declared extends Record<string, PropertyType>> = Plain<
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

// Makes editors show the fields of a type. They would show only its name without the intersection with `{}`.
export type Plain<Type> = { -readonly [Key in keyof Type]: Type[Key] } & {};
