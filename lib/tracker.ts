import { isDate } from "node:util/types";
import { createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
import { defineAttribute, listAttributes } from "./attributes.ts";
import { countMembers, defineAudience, explainMember, listAudiences, listMembers } from "./audiences.ts";
import { checklistProgress, completeByHand, defineChecklist, listChecklists } from "./checklists.ts";
import { deleteContact, getContact, listContacts, updateContact, upsertContact } from "./contacts.ts";
import { deleteDefinition } from "./definitions.ts";
import { listEvents, trackEvent } from "./events.ts";
import { createHandler } from "./http/handle.ts";
import { isValidPath } from "./http/paths.ts";
import { createResponder, respondSymbol, type OnError, type WithRespond } from "./http/respond.ts";
import { maxBodyBytesDefault, rateLimitDefault } from "./limits.ts";
import { provision } from "./provision.ts";
import type { RateLimit } from "./decisions/rate-limit.ts";
import type { Scope } from "./scope.ts";
import type { Storage } from "./storage/port.ts";
import type {
  ApiKey,
  AttributeDefinition,
  Contact,
  ContactChanges,
  Definitions,
  Deletion,
  NewContact,
  NewEvent,
  Page,
  PageRequest,
  StoredEvent,
  Tracked,
  ChecklistProgress,
  ChecklistDefinition,
  Explanation,
  AudienceDefinition,
  Rule,
  Transaction,
} from "./types.ts";
import { parse } from "./input/shapes.ts";
import { workspaceNameStruct } from "./input/structs.ts";

/** What `createTracker` takes; all but the storage may be left out. */
export interface TrackerOptions {
  storage: Storage;
  /** Where the API is mounted, as URLs have it. A path without it counts as already stripped by the mount. */
  basePath?: string | undefined;
  /** Per API key; `false` for none, and no headers that speak of one. */
  rateLimit?: RateLimit | false | undefined;
  /** The largest body that is read; one that a parser has read before it bounds itself. */
  maxBodyBytes?: number | undefined;
  /** The clock. */
  now?: (() => Date) | undefined;
  /** Told once of every error that is answered 500; by default it goes to standard error. */
  onError?: OnError | undefined;
}

/**
 * A tracker over a storage. Does no I/O until it is used; asks the clock once.
 * Throws a `RangeError` for an option out of range, a `TypeError` for what is no storage, for a clock that gives no `Date`, and
 * for an option that there is not.
 */
export function createTracker(options: TrackerOptions): Tracker {
  const {
    storage,
    basePath = "/api/v1",
    rateLimit = rateLimitDefault,
    maxBodyBytes = maxBodyBytesDefault,
    now = () => new Date(),
    onError = (error) => console.error(error),
    ...others
  } = options;

  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) throw new TypeError(`createTracker has no option "${name}"`);
  }
  if (typeof storage?.recordEvents !== "function") throw new TypeError("storage must be a storage");
  if (rateLimit !== false) assertWhole({ requests: rateLimit?.requests, perSeconds: rateLimit?.perSeconds });
  assertWhole({ maxBodyBytes });
  if (!/^(?:\/[^/?#]+)*$/.test(basePath) || !isValidPath(basePath))
    throw new RangeError("basePath must be empty, or a path as URLs have it that ends without a slash");

  const readClock = (): number => readTime(now);
  readClock();
  const scopeOf = (workspace: string): Scope => ({ storage, workspace, now: readClock });
  const respond = createResponder({ scopeOf, basePath, rateLimit, maxBodyBytes, onError });

  const tracker: Tracker & WithRespond = {
    ...createWorkspace(scopeOf("default")),
    // For the doors that build no Request; a wrapper made with a spread keeps it.
    [respondSymbol]: respond,
    handle: createHandler(respond),
    workspace: (name) => createWorkspace(scopeOf(parse({ name }, workspaceNameStruct).name)),
    close: () => storage.close(),
  };
  return tracker;
}

function readTime(now: unknown): number {
  const time: unknown = typeof now === "function" ? now() : null;
  if (!isDate(time)) throw new TypeError("now must return a Date");
  const milliseconds = time.getTime();
  if (Number.isNaN(milliseconds)) throw new RangeError("now must return a valid Date");
  return milliseconds;
}

function assertWhole(options: Record<string, number>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number of at least 1`);
  }
}

function createWorkspace(scope: Scope): Workspace {
  return {
    ...createMethods(scope),
    attributes: {
      define: (definition) => defineAttribute(scope, definition),
      list: () => listAttributes(scope),
      delete: (key) => deleteDefinition(scope, "attribute", key),
    },
    audiences: {
      define: (definition) => defineAudience(scope, definition),
      list: () => listAudiences(scope),
      delete: (key) => deleteDefinition(scope, "audience", key),
      members: (audience, page) => listMembers(scope, audience, page),
      count: (audience) => countMembers(scope, audience),
      explain: (audience, externalId) => explainMember(scope, audience, externalId),
    },
    checklists: {
      define: (definition) => defineChecklist(scope, definition),
      list: () => listChecklists(scope),
      delete: (key) => deleteDefinition(scope, "checklist", key),
      progress: (externalId) => checklistProgress(scope, externalId),
      complete: (externalId, checklistKey, itemKey) => completeByHand(scope, externalId, checklistKey, itemKey),
    },
    apiKeys: {
      create: (input) => createApiKey(scope, input),
      list: () => listApiKeys(scope),
      revoke: (id) => revokeApiKey(scope, id),
    },
    provision: (definitions) => provision(scope, definitions),
    within: (transaction) => createMethods({ ...scope, storage: scope.storage.within(transaction) }),
  };
}

function createMethods(scope: Scope): Pick<Workspace, "contacts" | "events"> {
  return {
    contacts: {
      upsert: (input) => upsertContact(scope, input),
      get: (externalId) => getContact(scope, externalId),
      update: (externalId, changes) => updateContact(scope, externalId, changes),
      delete: (identifier) => deleteContact(scope, identifier),
      list: (page) => listContacts(scope, page),
    },
    events: {
      track: (input, trackOptions) => trackEvent(scope, input, trackOptions),
      list: (externalId, page) => listEvents(scope, externalId, page),
    },
  };
}

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
