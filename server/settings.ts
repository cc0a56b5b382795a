import { hostsOf } from "../adapters/mysql/connection/index.ts";
import { isApiKey } from "../lib/api-keys.ts";
import { describeIssue, type TrackerError } from "../lib/model/errors.ts";
import { rateLimitDefault } from "../lib/model/limits.ts";
import { parseTime } from "../lib/model/times.ts";
import type { RateLimit } from "../lib/decisions/rate-limit.ts";
import { hostOf, portOf, readAllowedHosts, type AllowedHosts } from "../lib/webhooks/urls.ts";
import { areOrigins, type TokenVisitorsOptions } from "./visitors/index.ts";
import { areSecrets } from "./visitors/tokens.ts";

/** The command was called with wrong arguments. */
export class UsageError extends Error {}

/** The error for an unknown command, or for an unknown action of a command. */
export function noCommand(...words: string[]): UsageError {
  if (words.at(-1) !== "") return new UsageError(`There is no command ${JSON.stringify(words.join(" "))}.`);
  return new UsageError(`A command is missing${words.length > 1 ? ` after ${words[0]}` : ""}.`);
}

/** A reason to stop that is no bug. Its message is printed as one line, without a stack. */
export class CommandError extends Error {}

/** The reason of a refusal in one line: the issues, or the message if there are none. */
export function reasonOf({ issues, message }: TrackerError): string {
  return issues.map(describeIssue).join(" ") || message;
}

/** The settings of every command that uses the database. Each docstring begins with the name of its variable. */
export interface DatabaseSettings {
  /**
   * - `DATABASE_URL`: `mysql://user:password@host:port/database?…`, with parameters of mysql2, or several hosts; memory by default.
   *   `serve` migrates the database.
   * - `STORAGE`: `memory` lets `serve` start with `NODE_ENV=production` and without `DATABASE_URL`.
   */
  databaseUrl: string | null;
  /** `TABLE_PREFIX`: the start of the table names; `whodid_` by default. */
  tablePrefix: string;
  /**
   * `WEBHOOK_ALLOW`: hosts with ports, such as `hooks.intranet:8080,localhost:3001`, that webhooks may have although their addresses
   * are not public, by `http` too. For tests and intranets. None by default.
   */
  webhookAllow: AllowedHosts;
}

/** The settings of `serve`. */
export interface Settings extends DatabaseSettings {
  /** `HOST`: where to listen; `127.0.0.1` by default. */
  host: string;
  /** `PORT`: 3000 by default; 0 lets the system choose. */
  port: number;
  /**
   * `API_KEY`: a key that must exist at start, with the access `write`. Adds, never revokes. Warns if the database did not have it: a
   * revoked key works again. None by default. On memory the key `operator`, with the access `admin`, is made too, and printed once.
   */
  apiKey: string | null;
  /** `RATE_LIMIT`: requests per minute and key, or `off`; 100 by default. */
  rateLimit: RateLimit | false;
  /**
   * `METRICS`: where to answer `/metrics`: a port of 127.0.0.1, or `HOST:PORT`, such as `0.0.0.0:9100` or `[::1]:9100`; none by default.
   * It asks for no key, so let your own network alone reach it.
   */
  metricsAt: { host: string; port: number } | null;
  /** `UNDEFINED_EVENTS`: `refuse` refuses events without an event type; `accept` by default. `provision` reads it too. */
  undefinedEvents: "accept" | "refuse";
  /**
   * `WORK`: `off` leaves it to other processes to log changes, to remove old ones, to sweep audiences and to send the messages of
   * webhooks; `on` by default.
   */
  works: boolean;
  /** `PROVISION`: a JSON file or a module of definitions to make at start; none by default. */
  provision: string | null;
  /** `DASHBOARD`: `off` leaves out the dashboard; `on` by default. */
  hasDashboard: boolean;
  /**
   * - `VISITOR_SECRETS`: `WORKSPACE:SECRET`, with commas between them, at most two for a workspace. Opens the routes for visitors with
   *   tokens at `/visitors`. None by default.
   * - `VISITOR_ORIGINS`: with commas between them, the other origins whose pages may ask; none by default.
   * - `VISITOR_EVENTS`: the events that visitors may record; none by default.
   * - `VISITOR_CHECKLISTS`: the checklists that they see; all by default.
   * - `VISITOR_CREATE`: `on` lets a recent token with an email create its contact; `off` by default.
   */
  tokenVisitors: TokenVisitorsOptions | null;
}

/** Reads the environment. An empty variable counts as unset. Throws a `CommandError` with a variable's name, never its value. */
export function readDatabaseSettings(environment: NodeJS.ProcessEnv): DatabaseSettings {
  return {
    databaseUrl: readDatabaseUrl(read(environment, "DATABASE_URL")),
    tablePrefix: readTablePrefix(read(environment, "TABLE_PREFIX") ?? "whodid_"),
    webhookAllow: readWebhookAllow(read(environment, "WEBHOOK_ALLOW")),
  };
}

/** Reads the settings of `serve`, in the same way as `readDatabaseSettings`. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const get = (name: string): string | null => read(environment, name);
  const apiKey = get("API_KEY");
  if (apiKey !== null && !isApiKey(apiKey)) {
    throw new CommandError("API_KEY must be sk_ and 43 base64url characters; `whodid keys generate` prints one.");
  }
  const database = readDatabaseSettings(environment);
  if (database.databaseUrl === null && environment["NODE_ENV"] === "production" && get("STORAGE") !== "memory")
    throw new CommandError("Set DATABASE_URL. With STORAGE=memory everything is lost when the process ends.");
  return {
    ...database,
    host: get("HOST") ?? "127.0.0.1",
    port: readNumber("PORT", get("PORT") ?? "3000", 0, 65_535),
    apiKey,
    rateLimit: readRateLimit(get("RATE_LIMIT") ?? String(rateLimitDefault.requests)),
    metricsAt: readMetricsAt(get("METRICS")),
    undefinedEvents: readUndefinedEvents(environment),
    works: readOneOf("WORK", ["on", "off"], environment) === "on",
    provision: get("PROVISION"),
    hasDashboard: readOneOf("DASHBOARD", ["on", "off"], environment) === "on",
    tokenVisitors: readTokenVisitors(environment),
  };
}

function readTokenVisitors(environment: NodeJS.ProcessEnv): TokenVisitorsOptions | null {
  const list = (name: string): string[] | undefined => read(environment, name)?.split(/ *, */);
  const named = list("VISITOR_SECRETS");
  const origins = list("VISITOR_ORIGINS");
  if (origins && !areOrigins(origins))
    throw new CommandError("VISITOR_ORIGINS must be origins as browsers write them, such as https://app.example.");
  const options = {
    basePath: "/visitors",
    origins,
    events: list("VISITOR_EVENTS"),
    checklists: list("VISITOR_CHECKLISTS"),
    create: readOneOf("VISITOR_CREATE", ["off", "on"], environment) === "on",
  };
  if (!named) return null;
  // `__proto__` can be the name of a workspace.
  const secrets = Object.create(null) as Record<string, string[]>;
  for (const one of named) {
    const [workspace = "", ...secret] = one.split(":");
    (secrets[workspace] ??= []).push(secret.join(":"));
  }
  if (areSecrets(secrets)) return { ...options, secrets: { ...secrets } };
  throw new CommandError(
    "VISITOR_SECRETS must be WORKSPACE:SECRET, at most two for a workspace, with commas between them; `whodid visitor-secrets generate` prints a secret.",
  );
}

/** Shorter names are ignored: they are too likely variables of other programs. */
const mistypedMinLetters = 7;

/** Reads a variable; `null` if it is unset. Then throws a `CommandError` if a set variable has the name with a typing error. */
function read(environment: NodeJS.ProcessEnv, name: string): string | null {
  if (environment[name]) return environment[name];
  const mistyped = Object.keys(environment).find(
    (other) => other.length >= mistypedMinLetters && environment[other] && isMistyped(other, name),
  );
  if (mistyped !== undefined) throw new CommandError(`${mistyped}: did you mean ${name}?`);
  return null;
}

/** Whether one letter is wrong, missing, too many, or swapped with the next. */
function isMistyped(given: string, name: string): boolean {
  let same = 0;
  while (same < given.length && given[same] === name[same]) same++;
  const [from, to] = [given.slice(same), name.slice(same)];
  const swapped = `${from[1]}${from[0]}${from.slice(2)}`;
  return [from.slice(1), swapped].includes(to) || [from, from.slice(1)].includes(to.slice(1));
}

/** Reads a day (its start in UTC) or a date-time with a zone, as milliseconds since the Unix epoch. Throws a `UsageError`. */
export function readDay(option: string, text: string): number {
  const time = parseTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text);
  if (typeof time === "number") return time;
  throw new UsageError(`${option} takes a day, such as 2026-01-31, or a date-time with a zone.`);
}

function readDatabaseUrl(value: string | null): string | null {
  // Checks only the first host. The storage checks the others.
  const withOneHost = value === null ? "" : (hostsOf(value)[0]?.url ?? value);
  const url = URL.canParse(withOneHost) ? new URL(withOneHost) : null;
  if (value === null || (url?.protocol === "mysql:" && url.hostname !== "" && url.pathname.length > 1)) return value;
  throw new CommandError(
    "DATABASE_URL must be mysql://user:password@host:port/database, with special characters as %40 and the like.",
  );
}

function readTablePrefix(value: string): string {
  if (/^[A-Za-z0-9_]{1,40}$/.test(value)) return value;
  throw new CommandError("TABLE_PREFIX must be 1 to 40 letters, digits and underscores.");
}

function readMetricsAt(value: string | null): Settings["metricsAt"] {
  if (value === null) return null;
  const hostAndPort = /^\d+$/.test(value) ? `127.0.0.1:${value}` : value;
  if (!readAllowedHosts([hostAndPort]))
    throw new CommandError("METRICS must be a port, or a host with a port, such as 0.0.0.0:9100 or [::1]:9100.");
  const url = new URL(`http://${hostAndPort}`);
  return { host: hostOf(url), port: portOf(url) };
}

function readWebhookAllow(value: string | null): AllowedHosts {
  const hosts = readAllowedHosts(value === null ? [] : value.split(","));
  if (hosts) return hosts;
  throw new CommandError("WEBHOOK_ALLOW must be hosts with ports, such as localhost:8080,[::1]:9090.");
}

function readRateLimit(value: string): RateLimit | false {
  if (value === "off") return false;
  return {
    requests: readNumber("RATE_LIMIT", value, 1, 1_000_000_000, ", or `off`"),
    perSeconds: rateLimitDefault.perSeconds,
  };
}

export function readUndefinedEvents(environment: NodeJS.ProcessEnv): Settings["undefinedEvents"] {
  return readOneOf("UNDEFINED_EVENTS", ["accept", "refuse"], environment);
}

/** The first word is the default. */
function readOneOf<Word extends string>(
  name: string,
  words: readonly [Word, Word],
  environment: NodeJS.ProcessEnv,
): Word {
  const value = read(environment, name) ?? words[0];
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new CommandError(`${name} must be \`${words[0]}\` or \`${words[1]}\`.`);
}

function readNumber(name: string, value: string, least: number, most: number, otherwise = ""): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  throw new CommandError(`${name} must be a whole number from ${least} to ${most}${otherwise}.`);
}
