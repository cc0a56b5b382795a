import { isUint8Array } from "node:util/types";
import { authenticate } from "../api-keys.ts";
import { TrackerError } from "../errors.ts";
import {
  allowanceAfter,
  retryAfterSeconds,
  windowAt,
  type Allowance,
  type RateLimit,
} from "../decisions/rate-limit.ts";
import type { Scope } from "../scope.ts";
import { parseJson } from "./body.ts";
import { allow, challenge, isJson, rateLimitHeaders, retryAfter, type Headers } from "./headers.ts";
import { isValidPath, withoutBase } from "./paths.ts";
import { matchRoute, takesBody } from "./routes.ts";
import { metCodes, statusOf } from "./statuses.ts";

/** A request, as plain as every door can make it. */
export interface Call {
  method: string;
  /** As it stands in the request line, without the query. */
  path: string;
  /** `null` when absent; the name in lower case. */
  header(name: string): string | null;
  /** Asked for at most once, and only by a route that takes a body. Throws `body_too_large`, `malformed_json`. */
  body(maxBodyBytes: number): Promise<Body>;
  /** For `onError`. */
  request?: Request;
}

/** The call of a request that cannot be read: refused as what was thrown says. */
export function unreadableCall(thrown: unknown): Call {
  const refuse = (): never => {
    throw thrown;
  };
  return { method: "GET", path: "/", header: refuse, body: refuse };
}

/** The whole body: its bytes, or what somebody before us parsed them to. */
export type Body = Uint8Array | { parsed: unknown };

export interface Answer {
  status: number;
  headers: Headers;
  /** Empty for HEAD, whose headers speak of the body that GET would have. */
  body: string;
  /** What was thrown, where it is a refusal; for who counts and logs the answers. */
  thrown?: unknown;
}

/**
 * Told of an error that no rule of ours accounts for; what it throws or rejects with is dropped. `request` is there when it came
 * through `handle`.
 */
export type OnError = (error: unknown, context: { request?: Request }) => void;

/** Where a tracker keeps its `respond`, for doors other than `handle`; the same symbol in every copy of the package. */
export const respondSymbol: unique symbol = Symbol.for("whodid.respond");

export interface WithRespond {
  [respondSymbol]: (call: Call) => Promise<Answer>;
}

export interface ResponderOptions {
  scopeOf(workspace: string): Scope;
  /** Without a slash at its end. */
  basePath: string;
  rateLimit: RateLimit | false;
  maxBodyBytes: number;
  onError: OnError;
}

/** Without a limit a key's use is still noted, and nothing taken out of the limit that other processes have. */
const noLimit: RateLimit = { requests: Number.MAX_SAFE_INTEGER, perSeconds: 60 };

/** The rules of HTTP, in the order in which they refuse. Never rejects. */
export function createResponder(options: ResponderOptions): (call: Call) => Promise<Answer> {
  const { scopeOf, basePath, rateLimit, maxBodyBytes, onError } = options;
  const limit = rateLimit || noLimit;
  const taken = rateLimit ? 1 : 0;
  const { storage, now } = scopeOf("default");

  return async function respond(call) {
    const visit: Visit = { now: 0, allowance: null, headers: [] };
    let answer: Answer;
    let thrown: unknown;
    try {
      answer = await admit(call, visit);
    } catch (error) {
      thrown = error;
      answer = refuse(error, call, visit);
    }
    const { status, body } = answer;
    const headers =
      rateLimit && visit.allowance ? answer.headers.concat(rateLimitHeaders(visit.allowance)) : answer.headers;
    return { status, headers, body: call.method === "HEAD" ? "" : body, thrown };
  };

  async function admit(call: Call, visit: Visit): Promise<Answer> {
    visit.now = now();
    const window = windowAt(visit.now, limit);
    visit.allowance = allowanceAfter(0, window, limit);
    const { id, workspace } = await authenticate(storage, call.header("authorization"));
    const use = await storage.consume(id, limit.requests, window, taken);
    visit.allowance = allowanceAfter(use.takenBefore + 1, use, limit);
    if (use.takenBefore >= limit.requests) throw new TrackerError("rate_limited");
    return answerRoute(call, scopeOf(workspace), visit);
  }

  async function answerRoute(call: Call, scope: Scope, visit: Visit): Promise<Answer> {
    const path = withoutBase(call.path, basePath);
    if (!isValidPath(path)) throw new TrackerError("invalid_path");
    const match = matchRoute(call.method, path);
    if (!match) throw new TrackerError("route_not_found");
    if ("allowed" in match) {
      visit.headers = allow(match.allowed);
      throw new TrackerError("method_not_allowed");
    }
    const { route, identifier } = match;
    const body = takesBody(route) ? await readJson(call) : undefined;
    const { status, headers = [], body: result } = await route.run({ scope, identifier, body, header: call.header });
    return toAnswer(status, { success: true, ...result }, headers);
  }

  async function readJson(call: Call): Promise<unknown> {
    if (!isJson(call.header("content-type"))) throw new TrackerError("unsupported_media_type");
    // A true length spares the reading; a false one is found out by counting.
    if (Number(call.header("content-length")) > maxBodyBytes) throw new TrackerError("body_too_large");
    const body = await call.body(maxBodyBytes);
    return isUint8Array(body) ? parseJson(body) : body.parsed;
  }

  function refuse(thrown: unknown, call: Call, visit: Visit): Answer {
    try {
      if (thrown instanceof TrackerError && metCodes.includes(thrown.code)) {
        return refusal(thrown, visit.headers.concat(headersOf(thrown.code, visit)));
      }
    } catch {
      // Made to look like one of ours.
    }
    report(thrown, call);
    return refusal(new TrackerError("internal"), visit.headers);
  }

  function report(error: unknown, { request }: Call): void {
    // Async, so that neither a throw nor a rejection of it goes anywhere.
    void (async () => onError(error, request ? { request } : {}))().catch(() => {});
  }
}

/** What the headers of an answer need, as far as the request got. */
interface Visit {
  now: number;
  allowance: Allowance | null;
  /** What only the place of a refusal knows. */
  headers: Headers;
}

function headersOf(code: TrackerError["code"], { allowance, now }: Visit): Headers {
  switch (code) {
    case "missing_api_key":
    case "invalid_api_key":
      return challenge;
    case "rate_limited":
      return allowance ? retryAfter(retryAfterSeconds(allowance, now)) : [];
    case "storage_unavailable":
      return retryAfter(1);
    default:
      return [];
  }
}

/** An error that is ours by its mark alone may lack issues. */
type Refused = Omit<TrackerError, "issues"> & Partial<Pick<TrackerError, "issues">>;

/** The one shape of every error. The error's code must be one that a request can meet. */
export function refusal({ code, message, issues = [], conflict }: Refused, headers: Headers = []): Answer {
  const error = { code, message, ...(issues.length > 0 && { issues }), ...(conflict && { conflict }) };
  return toAnswer(statusOf(code), { success: false, error }, headers);
}

function toAnswer(status: number, json: object, headers: Headers): Answer {
  const body = JSON.stringify(json);
  const contentLength = String(Buffer.byteLength(body));
  return { status, headers: ["Content-Type", "application/json", "Content-Length", contentLength, ...headers], body };
}
