import { isUint8Array } from "node:util/types";
import { authenticate } from "../api-keys.ts";
import { isTrackerError, TrackerError } from "../errors.ts";
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

/** The parts of a request that `handle` and `toListener` can both provide. */
export interface Call {
  method: string;
  /** The path of the request line: still percent-encoded, without the query. */
  path: string;
  /** Takes the name in lower case; `null` if the header is absent. */
  header(name: string): string | null;
  /** Called at most once, and only for a route that takes a body. Throws `body_too_large`, `malformed_json`. */
  body(maxBodyBytes: number): Promise<Body>;
  /** For `onError`. */
  request?: Request;
}

/** Stands for a request that cannot be read. Reading it throws the given error, which then decides the answer. */
export function unreadableCall(thrown: unknown): Call {
  const refuse = (): never => {
    throw thrown;
  };
  return { method: "GET", path: "/", header: refuse, body: refuse };
}

/** The whole body: its bytes, or the value that a body parser made of them. */
export type Body = Uint8Array | { parsed: unknown };

export interface Answer {
  status: number;
  headers: Headers;
  /** Empty for HEAD; the headers are those of the GET answer. */
  body: string;
  /** The error behind an error answer, for logs and metrics. */
  thrown?: unknown;
}

/**
 * Called with every unexpected error. Errors that it throws, or rejects with, are ignored. `request` is set if the request
 * came through `handle`.
 */
export type OnError = (error: unknown, context: { request?: Request }) => void;

/** The property of a tracker that holds its `respond`, for `toListener`. Every copy of the package has the same symbol. */
export const respondSymbol: unique symbol = Symbol.for("whodid.respond");

export interface WithRespond {
  [respondSymbol]: (call: Call) => Promise<Answer>;
}

export interface ResponderOptions {
  scopeOf(workspace: string): Scope;
  /** Without a trailing slash. */
  basePath: string;
  rateLimit: RateLimit | false;
  maxBodyBytes: number;
  onError: OnError;
}

/** Without a rate limit the use of a key is still recorded, and nothing is taken from a limit that other processes have. */
const noLimit: RateLimit = { requests: Number.MAX_SAFE_INTEGER, perSeconds: 60 };

/** Applies the rules of HTTP; their order in the code decides which refusal is answered. Never rejects. */
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
    // A Content-Length above the limit is refused without reading. One that lies is caught as the bytes are counted.
    if (Number(call.header("content-length")) > maxBodyBytes) throw new TrackerError("body_too_large");
    const body = await call.body(maxBodyBytes);
    return isUint8Array(body) ? parseJson(body) : body.parsed;
  }

  function refuse(thrown: unknown, call: Call, visit: Visit): Answer {
    try {
      if (isTrackerError(thrown) && metCodes.includes(thrown.code)) {
        return refusal(thrown, visit.headers.concat(headersOf(thrown.code, visit)));
      }
    } catch {
      // Something that only looks like a TrackerError cannot be answered as one: report it as unexpected.
    }
    report(thrown, call);
    return refusal(new TrackerError("internal"), visit.headers);
  }

  function report(error: unknown, { request }: Call): void {
    // The async wrapper turns a throw into a rejection, and the catch drops both.
    void (async () => onError(error, request ? { request } : {}))().catch(() => {});
  }
}

/** The data for an answer's headers; it grows while the request is processed. */
interface Visit {
  now: number;
  allowance: Allowance | null;
  /** Headers of one particular refusal, such as `Allow`; set where it is thrown. */
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

/** A `TrackerError` of another copy of the package may lack `issues`. */
type AnsweredError = Omit<TrackerError, "issues"> & Partial<Pick<TrackerError, "issues">>;

/** The answer for an error; every error answer has this shape. The code must have an HTTP status. */
export function refusal({ code, message, issues = [], conflict }: AnsweredError, headers: Headers = []): Answer {
  const error = { code, message, ...(issues.length > 0 && { issues }), ...(conflict && { conflict }) };
  return toAnswer(statusOf(code), { success: false, error }, headers);
}

function toAnswer(status: number, json: object, headers: Headers): Answer {
  const body = JSON.stringify(json);
  const contentLength = String(Buffer.byteLength(body));
  return { status, headers: ["Content-Type", "application/json", "Content-Length", contentLength, ...headers], body };
}
