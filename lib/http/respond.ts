import { authenticate } from "../api-keys.ts";
import { TrackerError } from "../errors.ts";
import { allowanceAfter, retryAfterSeconds, windowAt, type Allowance, type RateLimit } from "../rate-limit.ts";
import type { Scope } from "../scope.ts";
import type { RateWindow } from "../storage.ts";
import { parseJson } from "./body.ts";
import { allow, challenge, isJson, rateLimitHeaders, retryAfter, type Headers } from "./headers.ts";
import { matchRoute } from "./routes.ts";
import { statusOf } from "./statuses.ts";

/** A request, as plain as every door can make it. */
export interface Call {
  method: string;
  /** As it stands in the request line, without the query. */
  path: string;
  /** `null` when absent; the name in lower case. */
  header(name: string): string | null;
  /** The whole body. Asked for at most once, and only by a route that takes one. Throws `body_too_large`, `malformed_json`. */
  body(maxBodyBytes: number): Promise<Uint8Array>;
  /** For `onError`. */
  request?: Request;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Empty for HEAD, whose headers speak of the body that GET would have. */
  body: string;
}

/** Told of an error that no rule of ours accounts for; what it throws or rejects with is dropped. */
export type OnError = (error: unknown, context: { request?: Request }) => void;

export interface ResponderOptions {
  scopeOf(workspace: string): Scope;
  /** Without a slash at its end. */
  basePath: string;
  rateLimit: RateLimit | false;
  maxBodyBytes: number;
  onError: OnError;
}

/** Without a limit a key's use is still noted, once for as long as the storage likes. */
const noLimit: RateLimit = { requests: Number.MAX_SAFE_INTEGER, perSeconds: 60 };

/** The rules of HTTP, in the order in which they refuse. Never rejects. */
export function createResponder(options: ResponderOptions): (call: Call) => Promise<Answer> {
  const { scopeOf, basePath, rateLimit, maxBodyBytes, onError } = options;
  const limit = rateLimit || noLimit;
  const { storage, now } = scopeOf("default");

  return async function respond(call) {
    const window = windowAt(now(), limit);
    const visit: Visit = { allowance: allowanceAfter(0, window, limit), headers: {} };
    let answer: Answer;
    try {
      answer = await admit(call, window, visit);
    } catch (error) {
      answer = refuse(error, call, window, visit);
    }
    const headers = { ...answer.headers, ...(rateLimit && rateLimitHeaders(visit.allowance)) };
    return { ...answer, headers, body: call.method === "HEAD" ? "" : answer.body };
  };

  async function admit(call: Call, window: RateWindow, visit: Visit): Promise<Answer> {
    const { id, workspace } = await authenticate(storage, call.header("authorization"));
    const usedBefore = await storage.consume(id, limit.requests, window, 1);
    visit.allowance = allowanceAfter(usedBefore + 1, window, limit);
    if (usedBefore >= limit.requests) throw new TrackerError("rate_limited");
    return answerRoute(call, scopeOf(workspace), visit);
  }

  async function answerRoute(call: Call, scope: Scope, visit: Visit): Promise<Answer> {
    const path = withoutBase(call.path);
    if (!isDecodable(path)) throw new TrackerError("invalid_path");
    const match = matchRoute(call.method, path);
    if (!match) throw new TrackerError("route_not_found");
    if ("allowed" in match) {
      visit.headers = allow(match.allowed);
      throw new TrackerError("method_not_allowed");
    }
    const { route, identifier } = match;
    const body = route.method === "POST" || route.method === "PATCH" ? await readJson(call) : undefined;
    const { status, headers = {}, body: result } = await route.run({ scope, identifier, body, header: call.header });
    return toAnswer(status, { success: true, ...result }, headers);
  }

  async function readJson(call: Call): Promise<unknown> {
    if (!isJson(call.header("content-type"))) throw new TrackerError("unsupported_media_type");
    // A true length spares the reading; a false one is found out by counting.
    if (Number(call.header("content-length")) > maxBodyBytes) throw new TrackerError("body_too_large");
    return parseJson(await call.body(maxBodyBytes));
  }

  function withoutBase(path: string): string {
    const isBelow = path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === "/");
    return isBelow ? path.slice(basePath.length) : path;
  }

  function refuse(thrown: unknown, call: Call, window: RateWindow, visit: Visit): Answer {
    const isOurs = thrown instanceof TrackerError && statusOf(thrown.code) !== undefined;
    if (!isOurs) report(thrown, call);
    const { code, message, issues, conflict } = isOurs ? thrown : new TrackerError("internal");
    const error = { code, message, ...(issues.length > 0 && { issues }), ...(conflict && { conflict }) };
    const status = statusOf(code)!;
    return toAnswer(status, { success: false, error }, { ...visit.headers, ...headersOf(code, visit, window) });
  }

  function report(error: unknown, { request }: Call): void {
    // Async, so that neither a throw nor a rejection of it goes anywhere.
    void (async () => onError(error, request ? { request } : {}))().catch(() => {});
  }
}

/** What the headers of an answer need, as far as the request got. */
interface Visit {
  allowance: Allowance;
  headers: Headers;
}

function headersOf(code: TrackerError["code"], { allowance }: Visit, { now }: RateWindow): Headers {
  switch (code) {
    case "missing_api_key":
    case "invalid_api_key":
      return challenge;
    case "rate_limited":
      return retryAfter(retryAfterSeconds(allowance, now));
    case "storage_unavailable":
      return retryAfter(1);
    default:
      return {};
  }
}

function toAnswer(status: number, json: object, headers: Headers): Answer {
  const body = JSON.stringify(json);
  const contentLength = String(Buffer.byteLength(body));
  return { status, headers: { "Content-Type": "application/json", "Content-Length": contentLength, ...headers }, body };
}

/** Raw bytes beyond ASCII are no URI (RFC 3986 section 2), and what door decoded them how is anybody's guess. */
function isDecodable(path: string): boolean {
  if (!/^[\x21-\x7e]*$/.test(path)) return false;
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
