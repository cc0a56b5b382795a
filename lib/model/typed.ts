/** Derives the types of a tracker's methods from the literal of `definitions`. A kind that it omits accepts any key. */
import type * as changes from "./change-types.ts";
import type { ScalarType } from "./declarations.ts";
import type {
  AttributeType,
  Contact,
  Definitions,
  EventContact,
  KeyedEvent,
  NewContact,
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

/** A contact in an answer, with the attributes that the definitions list. */
export type ContactOf<Defined extends Definitions> = Contact<AttributesOf<Defined>>;

/** The input of `contacts.upsert`. */
export type NewContactOf<Defined extends Definitions> = NewContact<GivenAttributesOf<Defined>>;

/** The values of a contact's attributes. `Dates` is the type of a date: as answered by default. */
export type AttributesOf<Defined extends Definitions, Dates = string> =
  string extends KeyOf<"attributes", Defined>
    ? Record<string, Scalar | Dates>
    : Plain<{ [Attribute in Listed<"attributes", Defined> as KeyIn<Attribute>]?: ValueIn<Attribute, Dates> }>;

/** The values of a contact's attributes as a write takes them. */
export type GivenAttributesOf<Defined extends Definitions> = AttributesOf<Defined, string | Date>;

export type KeyIn<Definition> = Definition extends { key: infer Key extends string } ? Key : never;
type ValueIn<Attribute, Dates> = Attribute extends { type: infer Type extends AttributeType }
  ? (Values & { date: Dates })[Type]
  : never;

interface Values {
  text: string;
  number: number;
  boolean: boolean;
}

/**
 * The input of `events.track` for one event key; by default a union over all keys that the definitions list. A method takes
 * `{ eventKey: EventKey } & …`: the compiler infers the key from that, so its errors name the properties of this event alone.
 */
export type NewEventOf<
  Defined extends Definitions,
  EventKey extends KeyOf<"events", Defined> = KeyOf<"events", Defined>,
> =
  string extends KeyOf<"events", Defined>
    ? NewEvent
    : // Distributes over the keys.
      EventKey extends string
      ? Plain<
          Omit<NewEvent, "eventKey" | "properties"> & { eventKey: EventKey } & Given<PropertiesOf<Defined, EventKey>>
        >
      : never;

/** An event whose contact is named by its externalId, or upserted from `contact` before the event is recorded. */
export type WithContact<Event extends Pick<NewEvent, "externalId">> =
  | (Event & { contact?: undefined })
  // Distributes over the keys.
  | (Event extends unknown ? Omit<Event, "externalId"> & { contact: EventContact; externalId?: undefined } : never);

/** An item of `events.trackMany` for one event key; by default one type for each key that the definitions list. */
export type KeyedEventOf<
  Defined extends Definitions,
  EventKey extends KeyOf<"events", Defined> = KeyOf<"events", Defined>,
> = NewEventOf<Defined, EventKey> & Pick<KeyedEvent, "idempotencyKey">;

/** The properties of the events of a key. A key whose properties are not listed has any. */
export type PropertiesOf<Defined extends Definitions, EventKey extends KeyOf<"events", Defined>> =
  string extends KeyOf<"events", Defined>
    ? Record<string, Scalar | undefined>
    : PropertiesIn<Extract<Listed<"events", Defined>, { key: EventKey }>>;

type PropertiesIn<Definition> = Definition extends { properties: infer Declared extends Record<string, PropertyType> }
  ? // An empty object type would accept any object, so an event type without properties needs `never`.
    [keyof Declared] extends [never]
    ? Record<string, never>
    : DeclaredProperties<Declared>
  : Record<string, Scalar | undefined>;

type Given<Properties> = {} extends Properties ? { properties?: Properties | undefined } : { properties: Properties };

/** Selects a page of events, of one key or of all. */
export interface EventPageRequest<EventKey extends string> extends PageRequest {
  eventKey?: EventKey | undefined;
}

export type DeclaredProperties<Declared extends Record<string, PropertyType>> = Plain<
  {
    [Name in keyof Declared as Declared[Name] extends ScalarType ? Name : never]: ValueOf<Declared[Name]>;
  } & {
    [Name in keyof Declared as Declared[Name] extends ScalarType ? never : Name]?: ValueOf<Declared[Name]> | undefined;
  }
>;

type ValueOf<Type extends PropertyType> = Type extends `${infer Required extends ScalarType}?`
  ? Values[Required]
  : Values[Extract<Type, ScalarType>];

/** A subscription to events and audiences that the definitions list. */
export type SubscriptionOf<Defined extends Definitions> = SubscriptionDefinition<
  KeyOf<"events", Defined>,
  KeyOf<"audiences", Defined>
>;

/** The changes of a subscription: those of its topics if the definitions list it. */
export type ChangeOf<Key extends KeyOf<"subscriptions", Defined>, Defined extends Definitions> =
  string extends KeyOf<"subscriptions", Defined>
    ? changes.Change
    : ChangeOn<Extract<Listed<"subscriptions", Defined>, { key: Key }>>;

type ChangeOn<Definition> = Definition extends { on: infer Topics }
  ? | (Topics extends { events: true | readonly string[] } ? changes.EventChange : never)
    | (Topics extends { contacts: true } ? changes.ContactChange | changes.DeletionChange : never)
    | (Topics extends { checklists: true } ? changes.ItemChange | changes.ChecklistChange : never)
    | (Topics extends { audiences: readonly string[] } ? changes.AudienceChange : never)
  : never;

// Makes editors show the fields of a type. They would show only its name without the intersection with `{}`.
export type Plain<Type> = { -readonly [Key in keyof Type]: Type[Key] } & {};
