/** A custom attribute's value, and an event property's: text, a finite number, or a boolean. */
export type Scalar = string | number | boolean;

/** A contact as every answer shows it: each field always present, `null` where unset; times are ISO 8601 in UTC. */
export interface Contact {
  /** UUIDv7, made by the library. */
  id: string;
  /** With A–Z lowered. */
  email: string;
  /** The caller's own identifier, byte-exact; the email until one is given. */
  externalId: string;
  name: string | null;
  phone: string | null;
  avatarUrl: string | null;
  role: string | null;
  plan: string | null;
  signedUpAt: string | null;
  /** By attribute key; only attributes that are set. */
  customAttributes: Record<string, Scalar>;
  createdAt: string;
  /** When a write last changed something. */
  updatedAt: string;
}

/** What `contacts.update` takes. What is left out (or `undefined`) stays; `null` clears. */
export interface ContactChanges {
  email?: string | undefined;
  /** Fixes the externalId, also when it equals the email; `null` returns to the email. */
  externalId?: string | null | undefined;
  name?: string | null | undefined;
  phone?: string | null | undefined;
  /** An absolute http(s) URL. */
  avatarUrl?: string | null | undefined;
  role?: string | null | undefined;
  plan?: string | null | undefined;
  /** A `Date`, or an ISO 8601 date-time with a zone; cut to milliseconds. */
  signedUpAt?: string | Date | null | undefined;
  /** Merged key by key; `null` removes a key. Every key must have been defined. */
  customAttributes?: Record<string, Scalar | null | undefined> | undefined;
}

/** What `contacts.upsert` takes: the changes, and the email that says to whom. */
export interface NewContact extends ContactChanges {
  email: string;
}

/** The receipt of what one `contacts.delete` removed. */
export interface Deletion {
  contactId: string;
  /** How many events were removed with the contact. */
  events: number;
}

/** What `events.track` takes. */
export interface NewEvent {
  /** The contact's externalId (its email, while it has none of its own). */
  externalId: string;
  /** Any non-blank string without control characters; snake_case by convention. */
  eventKey: string;
  /** Flat. */
  properties?: Record<string, Scalar | undefined> | undefined;
}

/** An event as the answer to recording it shows it. */
export interface TrackedEvent {
  /** UUIDv7, made by the library. */
  id: string;
  eventKey: string;
  contactId: string;
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string;
}

/** An event as `events.list` shows it. */
export interface StoredEvent extends TrackedEvent {
  properties: Record<string, Scalar>;
}

/** The result of `events.track`. */
export interface Tracked {
  event: TrackedEvent;
  /** The items that this event completed, as first answered. */
  completedChecklistItems: CompletedChecklistItem[];
  /** Whether an earlier call with the same idempotency key recorded the event. */
  replayed: boolean;
}

/** What an attribute's values are. */
export type AttributeType = "text" | "number" | "boolean";

/** A custom attribute that contacts of the workspace may carry. Key and type never change. */
export interface AttributeDefinition {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes. */
  key: string;
  type: AttributeType;
  /** For people; left out, an earlier name stays; `null` where none was given. */
  name?: string | null | undefined;
}

/** An API key as it is listed; the key itself is shown once, at creation. */
export interface ApiKey {
  id: string;
  name: string;
  /** The key's first 12 characters. */
  prefix: string;
  createdAt: string;
  /** The minute of the last authenticated request; `null` before the first. */
  lastUsedAt: string | null;
}

/** Everything that a provisioning file may hold. */
export interface Definitions {
  attributes?: AttributeDefinition[] | undefined;
  audiences?: AudienceDefinition[] | undefined;
  checklists?: ChecklistDefinition[] | undefined;
}

/** Which part of a list is wanted. */
export interface PageRequest {
  /** 1 to 1,000; 100 by default. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. It survives the deletion of the row it points at. */
  cursor?: string | undefined;
}

/** A part of a list. */
export interface Page<Item> {
  items: Item[];
  /** `null` on the last page. */
  nextCursor: string | null;
}

/**
 * From now minus so long to now, both ends included, a day being 24 hours; or from `from` until just before `to`, either of
 * which may be left out. Times are a `Date`, or an ISO 8601 date-time with a zone.
 */
export type Period =
  | { days: number }
  | { hours: number }
  | { minutes: number }
  | { from: string | Date; to?: string | Date | undefined }
  | { from?: undefined; to: string | Date };

/** What a contact's events of one key must be like. */
export type SimpleRule =
  | { kind: "has_done"; eventKey: string }
  | { kind: "has_not_done"; eventKey: string }
  | { kind: "count_greater_than"; eventKey: string; count: number }
  | { kind: "first_done_within"; eventKey: string; period: Period }
  | { kind: "last_done_within"; eventKey: string; period: Period };

/** A targeting rule: true or false of a contact at a moment. No group is empty. */
export type Rule = SimpleRule | { all: readonly Rule[] } | { any: readonly Rule[] } | { not: Rule };

/** A rule with a name. Defined again, it is replaced. */
export interface AudienceDefinition {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes. */
  key: string;
  /** For people. */
  name: string;
  rule: Rule;
}

/** Why a rule is true or false of a contact. */
export interface Explanation {
  match: boolean;
  /** Each rule that is no group, in the order in which it stands, with the events that it was decided by. */
  because: { rule: SimpleRule; match: boolean; observed: ObservedEvents | null }[];
}

/** A contact's events of one key. */
export interface ObservedEvents {
  count: number;
  firstAt: string;
  lastAt: string;
}

/** Steps for a contact to take. Defined again, it is replaced; items whose keys stay keep what was completed by hand. */
export interface ChecklistDefinition {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes; so is an item's, of which no two are the same. */
  key: string;
  /** For people. */
  name: string;
  /** 1 to 100. */
  items: readonly ChecklistItem[];
}

/** A step of a checklist. */
export interface ChecklistItem {
  key: string;
  /** For people. */
  name: string;
  /** What completes it, for good; without it, it is completed by hand. */
  when?: Extract<SimpleRule, { kind: "has_done" | "count_greater_than" }> | undefined;
}

/** How far a contact has come with a checklist. */
export interface ChecklistProgress {
  checklistKey: string;
  name: string;
  progress: Progress;
  /** In the checklist's order. */
  items: {
    itemKey: string;
    name: string;
    /** Whether events complete it; if not, it is completed by hand. */
    automatic: boolean;
    completed: boolean;
    /**
     * When its first event was recorded, for a `has_done`; when `complete` was first called, by hand. `null` while it is not
     * completed, and where the time is not kept: for a `count_greater_than`, and by hand before times were kept.
     */
    completedAt: string | null;
  }[];
}

/** How many items of a checklist are completed. */
export interface Progress {
  completed: number;
  total: number;
}

/** A checklist item that an event completed. */
export interface CompletedChecklistItem {
  checklistKey: string;
  itemKey: string;
  name: string;
  /** The event's time. */
  completedAt: string;
  /** The checklist's, once the event is recorded. */
  progress: Progress;
}

/** An open transaction of the storage's own kind: what `memoryStorage().begin()` hands out, for one. */
export type Transaction = object;
