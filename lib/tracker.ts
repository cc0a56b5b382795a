import { setMaxListeners } from "node:events";
import { isDate } from "node:util/types";
import { addContact, addContactSymbol, type WithAddContact } from "./contacts/upserts.ts";
import { createHealth, type HealthMethods } from "./health.ts";
import { createHandler } from "./http/fetch-handler.ts";
import { assertBasePath } from "./http/paths.ts";
import { createResponder, respondSymbol, type OnError, type WithRespond } from "./http/respond.ts";
import { measuredSymbol, type WithMeasured } from "./measured.ts";
import { refuseOthers, withoutMore } from "./model/arguments.ts";
import { maxBodyBytesDefault, rateLimitDefault } from "./model/limits.ts";
import type { RateLimit } from "./decisions/rate-limit.ts";
import type { Scope } from "./scope.ts";
import type { Storage } from "./storage/port.ts";
import { parse } from "./input/shapes.ts";
import { workspaceNameStruct } from "./input/structs.ts";
import type { Consistent } from "./model/typed-rules.ts";
import type { Definitions } from "./model/types.ts";
import { TrackerError } from "./model/errors.ts";
import type { WorkOptions } from "./model/work-types.ts";
import { webhookStatsOf } from "./webhooks/deliveries.ts";
import { readAllowedHosts } from "./webhooks/urls.ts";
import { work, type Work } from "./webhooks/work.ts";
import { createWorkspace } from "./methods/create.ts";
import type { Workspace } from "./methods/index.ts";
import { deleteWorkspace, listWorkspaces, type ListedWorkspace, type WorkspaceDeletion } from "./workspaces.ts";

/** The options of `createTracker`. Only `storage` is required. */
export interface TrackerOptions<Connection = unknown, Defined extends Definitions = Definitions> {
  /** Keeps the data: `memoryStorage()`, or `mysqlStorage(…)`. `close()` closes it. */
  storage: Storage<Connection>;
  /**
   * The events, attributes, audiences and checklists of the application. Written as a literal (or `as const`), they type the
   * methods: what they do not list does not compile. They are stored by `provision()`, and checked only there.
   */
  definitions?: Consistent<Defined> | undefined;
  /**
   * The path where the API is mounted, percent-encoded as in a URL, without a trailing slash; `/api/v1` by default. A request
   * path that does not start with it is used as it is: the framework has removed the base path already.
   */
  basePath?: string | undefined;
  /** The rate limit of each API key; 100 requests per 60 seconds by default. `false` turns off the limit and its headers. */
  rateLimit?: RateLimit | false | undefined;
  /** The largest request body in bytes; 65,536 by default. A body that a framework parsed has the limit of its parser. */
  maxBodyBytes?: number | undefined;
  /**
   * Whether to record events whose key has no event type in the workspace; "accept" by default. "refuse" refuses them with
   * `invalid_input` and the issue `event_not_defined`. It also refuses rules and items that name such a key.
   */
  undefinedEvents?: "accept" | "refuse" | undefined;
  /**
   * Hosts that webhooks may have although their addresses are not public, as `host:port`; with `http` too. For tests and intranets.
   * Give them where webhooks are defined, and where `work()` delivers.
   */
  webhookAllow?: readonly string[] | undefined;
  /** The clock; the system's by default. */
  now?: (() => Date) | undefined;
  /** Called once for every error that is answered with 500. By default it prints the error to standard error. */
  onError?: OnError | undefined;
}

/**
 * Creates a tracker that keeps its data in the given storage. Reads the clock once, and does no I/O.
 * - Throws a `RangeError` if an option is out of range.
 * - Throws a `TypeError` if `storage` is not a storage, if `now` does not return a `Date`, or for an unknown option.
 * @example const tracker = createTracker({ storage: mysqlStorage("mysql://user:password@localhost/app") });
 */
export function createTracker<Connection, const Defined extends Definitions = Definitions>(
  options: TrackerOptions<Connection, Defined>,
): Tracker<Connection, Defined>;
// This signature leaves out the types of the definitions. The methods validate their input at run time.
export function createTracker<Connection>(options: TrackerOptions<Connection>): Tracker<Connection> {
  const {
    storage,
    definitions,
    basePath = "/api/v1",
    rateLimit = rateLimitDefault,
    maxBodyBytes = maxBodyBytesDefault,
    undefinedEvents = "accept",
    webhookAllow = [],
    now = () => new Date(),
    onError = (error) => console.error(error),
    ...others
  } = options;

  refuseOthers("createTracker", others);
  if (typeof storage?.recordEvents !== "function") throw new TypeError("storage must be a storage");
  if (rateLimit !== false) assertWhole({ requests: rateLimit?.requests, perSeconds: rateLimit?.perSeconds });
  assertWhole({ maxBodyBytes });
  if (undefinedEvents !== "accept" && undefinedEvents !== "refuse")
    throw new RangeError('undefinedEvents must be "accept" or "refuse"');
  assertBasePath(basePath);
  const webhookHosts = Array.isArray(webhookAllow) ? readAllowedHosts(webhookAllow) : null;
  if (webhookHosts === null) throw new RangeError("webhookAllow must list hosts with ports, such as localhost:8080");

  const readClock = (): number => readTime(now);
  readClock();
  const closing = new AbortController();
  // Every reader that waits for changes listens to this signal.
  setMaxListeners(0, closing.signal);
  const deletedAttributeIds = new Set<string>();
  const running = new Set<{ stop(): Promise<void> }>();
  // The async wrapper turns a throw into a rejection. The `catch` drops every rejection.
  const report = (error: unknown): void => void (async () => onError(error, {}))().catch(() => {});
  const scopeOf = (workspace: string, whenFull: "wait" | "refuse"): Scope<Connection> => ({
    storage,
    workspace,
    now: readClock,
    refusesUndefinedEvents: undefinedEvents === "refuse",
    deletedAttributeIds,
    webhookHosts,
    whenFull,
    closed: closing.signal,
    report,
    running,
  });
  const respond = createResponder({
    // Refuses a request if there is no room: the client retries. A waiting request would keep its connection and body.
    scopeOf: (workspace) => scopeOf(workspace, "refuse"),
    basePath,
    rateLimit,
    maxBodyBytes,
    onError,
  });

  const tracker: Tracker<Connection> & WithRespond & WithAddContact & WithMeasured = {
    ...createWorkspace(scopeOf("default", "wait"), definitions),
    // For `toListener`, which builds no Request. A copy of the tracker made with a spread keeps this property.
    [respondSymbol]: respond,
    [measuredSymbol]: () => ({ storage, webhooks: webhookStatsOf(storage) }),
    [addContactSymbol]: (workspace, contact) => addContact(scopeOf(workspace, "refuse"), contact),
    handle: createHandler(respond),
    ...withoutMore<Pick<Tracker<Connection>, "health" | "workspace" | "workspaces" | "work">>({
      health: createHealth({ storage, closed: closing.signal }),
      workspace: (name) => createWorkspace(scopeOf(parse({ name }, workspaceNameStruct).name, "wait"), definitions),
      workspaces: {
        list: () => listWorkspaces({ storage }),
        delete: (name) => deleteWorkspace({ storage, now: readClock, closed: closing.signal }, name),
      },
      // The overloads return different types.
      work: (chosen?: unknown) => work(scopeOf("default", "wait"), chosen) as never,
    }),
    async close() {
      closing.abort(new TrackerError("storage_unavailable"));
      await Promise.all(Array.from(running, (one) => one.stop()));
      await storage.close();
    },
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

/** The methods of the workspace `default`, the HTTP API, and access to other workspaces. */
export interface Tracker<Connection = unknown, Defined extends Definitions = Definitions>
  extends HealthMethods, Workspace<Connection, Defined> {
  /** Answers one HTTP request. The request's API key selects the workspace. Never rejects. */
  handle(request: Request): Promise<Response>;
  /** The same methods for another workspace; nothing crosses. The tracker's own is `default`. A name matches `[a-z0-9_-]{1,64}`; throws `invalid_input` otherwise. */
  workspace(name: string): Workspace<Connection, Defined>;
  /** Lists and deletes workspaces. */
  workspaces: Workspaces;
  /**
   * Does the work once, until nothing waits, with one sweep of each workspace. With `sweepSeconds` it skips a workspace that was
   * swept in that time. Resolves with the number of changes that it logged. Sends no messages of webhooks. `storage_unavailable`.
   */
  work(options: { until: "caught-up"; sweepSeconds?: number | undefined }): Promise<{ logged: number }>;
  /**
   * Moves committed changes into the logs of all workspaces, removes those that are too old, and sends the messages of webhooks, until
   * `stop()` or `close()`.
   * - Several processes may do so; one sweeps at a time. Consumers and readers of `subscriptions.changes` log and sweep too, but
   *   send nothing: call it in a process without any, and for webhooks.
   * - Every `sweepSeconds` a sweep finds the contacts that entered or left watched audiences as time passed. Sweeps take at most a
   *   tenth of the time. They are needed on memory too.
   * - An unexpected error goes to `onError`, and the work goes on.
   */
  work(options?: WorkOptions): Work;
  /** Stops all consumers, ends the readers that wait for changes, and closes the storage. Closing it twice is harmless. */
  close(): Promise<void>;
}

/** The workspaces of a storage. A named type, because the compiler measures how `Tracker` varies by its members' types. */
export interface Workspaces {
  /** The workspaces that have contacts, definitions, API keys or a time before which events are pruned; in order of their names. */
  list(): Promise<ListedWorkspace[]>;
  /**
   * Deletes the workspace with all its data, and resolves with the numbers of rows that this call removed. Call it again to
   * continue after an interruption. Afterwards the name can be used again.
   * - First it revokes the API keys. From then on writes are refused with `workspace_deleted`, by other processes after
   *   `cacheSeconds` at the latest. On MySQL a deletion takes some seconds longer, so that no write is left behind.
   * - `invalid_input`, also for `default`. `storage_unavailable` if another transaction locks contacts for longer than 5 s.
   */
  delete(name: string): Promise<WorkspaceDeletion>;
}
