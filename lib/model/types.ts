import type { ChecklistDefinition, CompletedChecklistItem, Progress } from "./checklist-types.ts";
import type { NewContact, Scalar } from "./contact-types.ts";
import type { Access, AttributeType, EventTypeDefinition } from "./declarations.ts";
import type { Rule, SimpleRule } from "./rule-types.ts";
import type { SubscriptionDefinition } from "./subscription-types.ts";

export type * from "./checklist-types.ts";
export type * from "./contact-types.ts";
export type { Access, AttributeType, EventTypeDefinition, EventTypeUsage, PropertyType } from "./declarations.ts";
export type * from "./periods.ts";
export type * from "./rule-types.ts";
export type * from "./subscription-types.ts";

/** The result of `contacts.delete`. */
export interface Deletion {
  contactId: string;
  /** The number of events that were removed with the contact. */
  events: number;
}

/** The input of `events.track`. */
export interface NewEvent {
  /** The contact's externalId, or its email if it has no externalId of its own. */
  externalId: string;
  /** Any text that is not blank and has no control characters; snake_case by convention. */
  eventKey: string;
  /** A flat object: no nested objects or arrays. */
  properties?: Record<string, Scalar | undefined> | undefined;
  /**
   * When it happened; the time of the call by default. A `Date`, or an ISO 8601 date-time with a zone, at most 5 minutes
   * ahead of the tracker's clock. Fractions of a millisecond are cut off.
   */
  createdAt?: string | Date | undefined;
}

/** The contact of `events.track` that is upserted before the event. */
export type EventContact = Pick<NewContact, "email" | "externalId" | "name">;

/** The input of `events.track` that upserts its contact first. */
export interface FirstEvent extends Omit<NewEvent, "externalId"> {
  contact: EventContact;
}

/** An item of `events.trackMany`. */
export interface KeyedEvent extends NewEvent {
  /**
   * 1 to 255 visible ASCII characters. A second event with the same key is not recorded, as long as the first exists. It gets the first
   * answer, even if the event type would refuse it now. A given `createdAt` must be the same too.
   */
  idempotencyKey?: string | undefined;
}

/** A recorded event, in the answer of `events.track`. */
export interface TrackedEvent {
  /** A UUIDv7 (RFC 9562) that the library generates. */
  id: string;
  /** As the sender gave it. */
  eventKey: string;
  contactId: string;
  /** When it happened: ISO 8601 in UTC, with milliseconds. The id tells when it was recorded. */
  createdAt: string;
}

/** A recorded event, in the answer of `events.list`. */
export interface StoredEvent extends TrackedEvent {
  properties: Record<string, Scalar>;
}

/** A recorded event, in the answer of `events.recent`. */
export interface RecentEvent extends StoredEvent {
  /** The externalId by which the event's contact is found now. */
  externalId: string;
  /** The contact's email and name as they are now. */
  email: string;
  name: string | null;
}

/** The result of `events.track`. */
export interface Tracked {
  event: TrackedEvent;
  /** The checklist items that this event completed. A replay answers them as the first call did. */
  completedChecklistItems: CompletedChecklistItem[];
  /** `true` if an earlier call with the same idempotency key recorded the event. */
  replayed: boolean;
}

/** A custom attribute that contacts of the workspace can have. Its key and type never change. */
export interface AttributeDefinition {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes. */
  key: string;
  type: AttributeType;
  /** A name to show to people; `null` if none was given. `define` without it keeps the earlier name. */
  name?: string | null | undefined;
}

/** The description of an API key. The key itself is shown only once, by `apiKeys.create`. */
export interface ApiKey {
  id: string;
  name: string;
  /** The key's first 12 characters. */
  prefix: string;
  access: Access;
  /** The number of requests allowed in each minute of the clock; `null` if the tracker's `rateLimit` applies. */
  requestsPerMinute: number | null;
  /** From then on, requests with the key are refused; `null` for never. */
  expiresAt: string | null;
  createdAt: string;
  /** The time of the last authenticated request, cut to the minute but not to before `createdAt`; `null` before the first. */
  lastUsedAt: string | null;
}

/** The input of `apiKeys.create`. */
export interface NewApiKey {
  name: string;
  /** `"write"` by default. */
  access?: Access | undefined;
  /** Replaces the tracker's `rateLimit` for this key, also if that is `false`. */
  requestsPerMinute?: number | undefined;
  /** A `Date`, or an ISO 8601 date-time with a zone, in the future. */
  expiresAt?: string | Date | undefined;
}

/** The input of `provision`, the content of a provisioning file, and the `definitions` of a tracker. */
export interface Definitions {
  events?: readonly EventTypeDefinition[] | undefined;
  attributes?: readonly AttributeDefinition[] | undefined;
  audiences?: readonly AudienceDefinition[] | undefined;
  checklists?: readonly ChecklistDefinition[] | undefined;
  subscriptions?: readonly SubscriptionDefinition[] | undefined;
}

/** Selects a page of a list. */
export interface PageRequest {
  /** 1 to 1,000; 100 by default. */
  limit?: number | undefined;
  /** The `nextCursor` of the previous page. It stays valid if the row that it points at is deleted. */
  cursor?: string | undefined;
}

/** Selects a page of contacts. */
export interface ContactPageRequest extends PageRequest {
  /**
   * The beginning of the email, the externalId or the name. Behind these contacts come those of which a later word of the name, or the
   * part of the email behind the `@`, begins so. A word begins behind white space or a sign. Ignores the case of A to Z. A page can be short or empty though others follow. A contact that is renamed
   * between two pages can be missing or come twice.
   */
  query?: string | undefined;
  /** By creation; `oldest` by default. A cursor contains query and order. If you repeat them, they must be the same. */
  order?: "oldest" | "newest" | undefined;
}

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  /** `null` on the last page. A page with about 4 MiB of rows has fewer than `limit`. */
  nextCursor: string | null;
}

/** A rule with a key and a name. Defining the same key again replaces both rule and name. */
export interface AudienceDefinition {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes. */
  key: string;
  /** A name to show to people. */
  name: string;
  rule: Rule;
  /**
   * With `true`, subscriptions take the contacts that enter and leave because the rule was defined anew. Otherwise the first pass
   * over all contacts begins again, without changes. Not stored.
   */
  announce?: boolean | undefined;
}

/** Set in results about a rule that looks further back than events are kept. */
export interface Kept {
  /** The time since when events are kept: the rule counts no earlier ones. */
  eventsKeptSince?: string | undefined;
}

/** The result of `audiences.explain`: whether the rule matches the contact, and why. */
export interface Explanation extends Kept {
  match: boolean;
  /**
   * Every simple rule in the rule, in order, with the data that decided it, and its `match` before any `not` around it. The data are the events that an event rule counts, the value
   * of a field or an attribute, or the progress of a checklist. `observed` is `null` if there are no events, no value, or no
   * such checklist.
   */
  because: { rule: SimpleRule; match: boolean; observed: ObservedEvents | ObservedValue | Progress | null }[];
}

/** A contact's events of one key. */
export interface ObservedEvents {
  count: number;
  firstAt: string;
  lastAt: string;
}

/** The value of a contact's field or attribute. A time is ISO 8601 in UTC. */
export interface ObservedValue {
  value: Scalar;
}

/** An open transaction of the storage in use. For `memoryStorage()`, the result of its `begin()`. */
export type Transaction = object;
