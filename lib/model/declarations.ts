/** The declarations in definitions: the types of values, and the properties of events. */

/** Each includes the one before it. */
export const accesses = ["read", "write", "admin"] as const;

/** The accesses of API keys. Each includes the one before it: to read; to write contacts and events; to define and to manage keys. */
export type Access = (typeof accesses)[number];

/** Whether the access is the needed one, or includes it. */
export function includesAccess(access: Access, needed: Access): boolean {
  return accesses.indexOf(access) >= accesses.indexOf(needed);
}

/** The type of a value that is stored as it is given. */
export type ScalarType = "text" | "number" | "boolean";

/** The type of an attribute's values. A `date` is a point in time. */
export type AttributeType = ScalarType | "date";

/** The type of a declared event property. With `?` it may be left out. */
export type PropertyType = ScalarType | `${ScalarType}?`;

/** A kind of event. Defining the same key again replaces name and properties; events recorded before stay as they are. */
export interface EventTypeDefinition {
  /** An event key, as `events.track` takes it. */
  key: string;
  /** A name to show to people; `null` if none was given. */
  name?: string | null | undefined;
  /** The properties that an event must have, and may have, by their keys. If absent, events have any; with `{}`, none. */
  properties?: Readonly<Record<string, PropertyType>> | undefined;
}

/** The events of one key, of all contacts. The list contains every key that is defined or that events have. */
export interface EventTypeUsage {
  key: string;
  /** Whether there is an event type with this key. */
  defined: boolean;
  /** The number of contacts that have such events. */
  contacts: number;
  /** The number of events. */
  count: number;
  /** The time of the first event, ISO 8601 in UTC; `null` if there are none. */
  firstAt: string | null;
  /** The time of the last event; `null` if there are none. */
  lastAt: string | null;
}

/** The types of values: `name` is the result of `typeof`, and `words` describes the type in messages. */
export const valueTypes: Readonly<Record<ScalarType, { name: string; words: string }>> = {
  text: { name: "string", words: "text" },
  number: { name: "number", words: "a number" },
  boolean: { name: "boolean", words: "a boolean" },
};
