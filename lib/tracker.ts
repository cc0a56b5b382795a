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

/** The options of `createTracker`. Only `storage` is required. */
export interface TrackerOptions {
  storage: Storage;
  /**
   * The path where the API is mounted, percent-encoded as in a URL, without a trailing slash; `/api/v1` by default. A request
   * path that does not start with it is used as it is: the framework has removed the base path already.
   */
  basePath?: string | undefined;
  /** The rate limit of each API key; 100 requests per 60 seconds by default. `false` turns off the limit and its headers. */
  rateLimit?: RateLimit | false | undefined;
  /** The largest request body in bytes; 65,536 by default. A body that a framework parsed has the limit of its parser. */
  maxBodyBytes?: number | undefined;
  /** The clock; the system's by default. */
  now?: (() => Date) | undefined;
  /** Called once for every error that is answered with 500. By default it prints the error to standard error. */
  onError?: OnError | undefined;
}

/**
 * Creates a tracker that keeps its data in the given storage. Reads the clock once, and does no I/O.
 * Throws a `RangeError` if an option is out of range. Throws a `TypeError` if `storage` is not a storage, if `now` does not
 * return a `Date`, or for an unknown option.
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
    // For `toListener`, which builds no Request. A copy of the tracker made with a spread keeps this property.
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

/**
 * The methods of one workspace. They validate their input as the HTTP API does, and reject with a `TrackerError` if they
 * refuse a call. Each docstring lists the error codes of its method.
 */
export interface Workspace {
  contacts: {
    /** Creates a contact with this email, or updates the contact that has it. `invalid_input`, `external_id_taken`. */
    upsert(input: NewContact): Promise<{ contact: Contact; created: boolean }>;
    /** Resolves with `null` if no contact has this externalId. */
    get(externalId: string): Promise<Contact | null>;
    /** Changes the given fields. `invalid_input`, `contact_not_found`, `email_taken`, `external_id_taken`. */
    update(externalId: string, changes: ContactChanges): Promise<Contact>;
    /**
     * Deletes the contact with this externalId or email, and all data about it. `contact_not_found`; `ambiguous_identifier`
     * if one contact has the identifier as its externalId and another as its email.
     */
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
    /**
     * Defines the attribute; defining it again can change its name. Idempotent. `invalid_input`; `attribute_conflict` if the
     * key is defined with another type.
     */
    define(definition: AttributeDefinition): Promise<AttributeDefinition>;
    /** Oldest first. */
    list(): Promise<AttributeDefinition[]>;
    /** Deletes the attribute and its values. `definition_not_found`. */
    delete(key: string): Promise<void>;
  };
  /** `members`, `count` and `explain` take the key of an audience, or a rule. An unknown key is `definition_not_found`. */
  audiences: {
    /** Defines the audience, or replaces its name and rule. Idempotent. `invalid_input`. */
    define(definition: AudienceDefinition): Promise<AudienceDefinition>;
    /** Oldest first. */
    list(): Promise<AudienceDefinition[]>;
    /** `definition_not_found`. */
    delete(key: string): Promise<void>;
    /** The contacts that match the rule now, in order of contact id. */
    members(audience: string | Rule, page?: PageRequest): Promise<Page<Contact>>;
    /** The number of contacts that match the rule now. */
    count(audience: string | Rule): Promise<number>;
    /** Explains why the rule matches the contact now, or does not. `contact_not_found`. */
    explain(audience: string | Rule, externalId: string): Promise<Explanation>;
  };
  checklists: {
    /** Defines the checklist, or replaces its name and items. Idempotent. `invalid_input`. */
    define(definition: ChecklistDefinition): Promise<ChecklistDefinition>;
    /** Oldest first. */
    list(): Promise<ChecklistDefinition[]>;
    /** Deletes the checklist and its completions by hand. `definition_not_found`. */
    delete(key: string): Promise<void>;
    /** The contact's progress through every checklist, oldest checklist first. `contact_not_found`. */
    progress(externalId: string): Promise<ChecklistProgress[]>;
    /**
     * Completes an item by hand; completing it again changes nothing. `contact_not_found`; `definition_not_found` if the
     * checklist or the item does not exist; `invalid_input` with the issue `automatic_item` if events complete the item.
     */
    complete(externalId: string, checklistKey: string, itemKey: string): Promise<ChecklistProgress>;
  };
  apiKeys: {
    /** Creates an API key. `key` is the key itself: only its hash is stored, so no later call can show it. `invalid_input`. */
    create(input: { name: string }): Promise<{ key: string; apiKey: ApiKey }>;
    /** Oldest first, without revoked keys. */
    list(): Promise<ApiKey[]>;
    /** Revokes the API key with this id, for good. `api_key_not_found`. */
    revoke(id: string): Promise<void>;
  };
  /** Defines all that is given, after checking all of it. Idempotent. `invalid_input`, `attribute_conflict`. */
  provision(definitions: Definitions): Promise<void>;
  /**
   * The same methods inside a transaction that you begin and end: their writes are kept if it commits, and undone if not.
   * Each call takes effect completely or not at all, and is never retried. Await a call before a call that depends on it, and
   * all calls before you end the transaction. `transaction_required` after the transaction has ended; `transaction_lost` if
   * the storage rolled it back: run the whole transaction again.
   */
  within(transaction: Transaction): Pick<Workspace, "contacts" | "events">;
}

/** The methods of the workspace `default`, the HTTP API, and access to other workspaces. */
export interface Tracker extends Workspace {
  /** Answers one HTTP request. The request's API key selects the workspace. Never rejects. */
  handle(request: Request): Promise<Response>;
  /** The same methods for another workspace. A name matches `[a-z0-9_-]{1,64}`; throws `invalid_input` otherwise. */
  workspace(name: string): Workspace;
  /** Closes the storage. Closing it twice is harmless. */
  close(): Promise<void>;
}
