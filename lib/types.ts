import type {
  AudienceDefinition,
  ChecklistDefinition,
  ChecklistProgress,
  CompletedChecklistItem,
  Explanation,
  Rule,
} from "./behaviour-types.ts";

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

/** An open transaction of the storage's own kind: what `memoryStorage().begin()` hands out, for one. */
export type Transaction = object;

/** The methods on one workspace. Every input passes the same validation as over HTTP; refusals are `TrackerError`s. */
export interface Workspace {
  contacts: {
    /** Creates the contact of this email, or updates it. `invalid_input`, `external_id_taken`. */
    upsert(input: NewContact): Promise<{ contact: Contact; created: boolean }>;
    /** `null` when there is none. */
    get(externalId: string): Promise<Contact | null>;
    /** `invalid_input`, `contact_not_found`, `email_taken`, `external_id_taken`. */
    update(externalId: string, changes: ContactChanges): Promise<Contact>;
    /** By externalId or email; removes everything kept about the contact. `contact_not_found`, `ambiguous_identifier`. */
    delete(identifier: string): Promise<Deletion>;
    /** Oldest first. */
    list(page?: PageRequest): Promise<Page<Contact>>;
  };
  events: {
    /** Records one event. `invalid_input`, `contact_not_found`, `idempotency_key_reused`. */
    track(input: NewEvent, options?: { idempotencyKey?: string | undefined }): Promise<Tracked>;
    /** Newest first. `contact_not_found`. */
    list(externalId: string, page?: PageRequest & { eventKey?: string | undefined }): Promise<Page<StoredEvent>>;
  };
  attributes: {
    /** Idempotent; may change the name. `attribute_conflict` when the key is defined with another type. */
    define(definition: AttributeDefinition): Promise<AttributeDefinition>;
    /** Oldest first. */
    list(): Promise<AttributeDefinition[]>;
    /** Takes the attribute's values with it. `definition_not_found`. */
    delete(key: string): Promise<void>;
  };
  /** `members`, `count` and `explain` take an audience's key (`definition_not_found`) or a rule. */
  audiences: {
    /** Idempotent; replaces the name and the rule. `invalid_input`. */
    define(definition: AudienceDefinition): Promise<AudienceDefinition>;
    /** Oldest first. */
    list(): Promise<AudienceDefinition[]>;
    /** `definition_not_found`. */
    delete(key: string): Promise<void>;
    /** In order of contact id. */
    members(audience: string | Rule, page?: PageRequest): Promise<Page<Contact>>;
    /** How many contacts the rule holds for now. `definition_not_found` for a key without a definition. */
    count(audience: string | Rule): Promise<number>;
    /** `contact_not_found`. */
    explain(audience: string | Rule, externalId: string): Promise<Explanation>;
  };
  checklists: {
    /** Idempotent; replaces the name and the items. `invalid_input`. */
    define(definition: ChecklistDefinition): Promise<ChecklistDefinition>;
    /** Oldest first. */
    list(): Promise<ChecklistDefinition[]>;
    /** Takes what was completed by hand with it. `definition_not_found`. */
    delete(key: string): Promise<void>;
    /** Of every checklist, oldest first. `contact_not_found`. */
    progress(externalId: string): Promise<ChecklistProgress[]>;
    /**
     * Completes an item by hand; again changes nothing. `contact_not_found`; `definition_not_found` for no such checklist or
     * item; `invalid_input` (`automatic_item`) for an item that events complete.
     */
    complete(externalId: string, checklistKey: string, itemKey: string): Promise<ChecklistProgress>;
  };
  apiKeys: {
    /** `key` is shown here and never again. */
    create(input: { name: string }): Promise<{ key: string; apiKey: ApiKey }>;
    /** Oldest first; without the revoked ones. */
    list(): Promise<ApiKey[]>;
    /** `api_key_not_found`. */
    revoke(id: string): Promise<void>;
  };
  /** Makes the definitions. Idempotent; checked whole (`invalid_input`, `attribute_conflict`) before anything is made. */
  provision(definitions: Definitions): Promise<void>;
  /**
   * The same methods inside the caller's own transaction: what they write exists exactly if it commits.
   * Each call takes effect whole or not at all; none is retried. Await each before the next that builds on it, and the last
   * before the end. `transaction_required` once it has ended,
   * `transaction_lost` when the storage gave it up: then run the whole transaction again.
   */
  within(transaction: Transaction): Pick<Workspace, "contacts" | "events">;
}

/** The workspace `"default"`, and the doors to the others. */
export interface Tracker extends Workspace {
  /** Answers one HTTP request. Never rejects. Its API key chooses the workspace. */
  handle(request: Request): Promise<Response>;
  /** The same methods on another workspace; a name is `[a-z0-9_-]{1,64}`. */
  workspace(name: string): Workspace;
  /** Closes the storage; again is harmless. */
  close(): Promise<void>;
}
