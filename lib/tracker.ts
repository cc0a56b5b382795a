import { isDate } from "node:util/types";
import { createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
import { defineAttribute, listAttributes } from "./attributes.ts";
import { countMembers, defineAudience, explainMember, listAudiences, listMembers } from "./audiences.ts";
import { checklistProgress, completeItem, defineChecklist, listChecklists } from "./checklists.ts";
import { deleteContact, getContact, listContacts, updateContact, upsertContact } from "./contacts.ts";
import { deleteDefinition } from "./definitions.ts";
import { listEvents, trackEvent } from "./events.ts";
import { createHandler } from "./http/handle.ts";
import { isValidPath } from "./http/paths.ts";
import { createResponder, respondSymbol, type OnError, type WithRespond } from "./http/respond.ts";
import { maxBodyBytesDefault, rateLimitDefault } from "./limits.ts";
import { provision } from "./provision.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Scope } from "./scope.ts";
import type { Storage } from "./storage.ts";
import type { Tracker, Workspace } from "./types.ts";
import { leaf, parse, shape } from "./validation.ts";

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
    workspace: (name) => createWorkspace(scopeOf(parse({ name }, workspaceName).name)),
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
      complete: (externalId, checklistKey, itemKey) => completeItem(scope, externalId, checklistKey, itemKey),
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

const workspaceName = shape<{ name: string }>("WorkspaceName", {
  name: leaf("1 to 64 of a-z, 0-9, _ and -", (value) => {
    if (typeof value !== "string") return "wrong_type";
    return /^[a-z0-9_-]{1,64}$/.test(value) ? null : "invalid_format";
  }),
});
