import { isUint8Array } from "node:util/types";
import { assertAccess, authenticate } from "../api-keys.ts";
import { isTrackerError, TrackerError } from "../model/errors.ts";
import {
  allowanceAfter,
  isExceeded,
  limitOf,
  windowAt,
  type Allowance,
  type RateLimit,
} from "../decisions/rate-limit.ts";
import { batchBodyTimes } from "../model/limits.ts";
import type { Access } from "../model/declarations.ts";
import type { GivenSignal } from "../model/signals.ts";
import type { Scope } from "../scope.ts";
import type { ApiKeyOwner } from "../storage/rows.ts";
import { answerInTurns, errorBody, errorAnswer, type Answer } from "./answer.ts";
import { parseJson } from "./body.ts";
import { isJson, isPlain, rateLimitHeaders, type Headers, headersOf } from "./headers.ts";
import { withoutBase } from "./paths.ts";
import { readQuery } from "./query.ts";
import { matchRoute } from "./routes/index.ts";
import { findRoute } from "./routes/match.ts";
import type { ItemRefusal } from "./routes/route.ts";
import { metCodes, statusOf } from "./statuses.ts";

/** The parts of a request that `handle` and `toListener` can both provide. */
export interface Call {
  method: string;
  /** The path of the request line: still percent-encoded, without the query. */
  path: string;
  /** The query of the request line, without the question mark; empty if there is none. */
  query: string;
  /** Takes the name in lower case; `null` if the header is absent. */
  header(name: string): string | null;
  /** Called at most once, and only for a route that takes a body. Throws `body_too_large`, `malformed_json`. */
  body(maxBodyBytes: number): Promise<Body>;
  /** The `Request` of `handle`, for `onError`. */
  request?: Request;
  /** The `IncomingMessage` of `toListener`, as the framework handed it over. */
  incoming?: unknown;
  /** Called when the API key was accepted, before anything else is done with it. */
  onAuthenticated?(): void;
  /** Returns signals that end a call which waits: its client has left, or the server stops. Called only for such a call. */
  signals?: () => readonly GivenSignal[];
}

/** The access that the host grants to a call without an API key. Such a call counts against no limit. */
export interface Admitted {
  workspace: string;
  access: Access;
}

/** Stands for a request that cannot be read. Reading it throws the given error, which then decides the answer. */
export function unreadableCall(thrown: unknown): Call {
  const fail = (): never => {
    throw thrown;
  };
  return { method: "GET", path: "/", query: "", header: fail, body: fail };
}

/** The whole body: its bytes, or the value that a body parser made of them. */
export type Body = Uint8Array | { parsed: unknown };

/**
 * Called with every unexpected error. Errors that it throws, or rejects with, are ignored. `request` is set if the request
 * came through `handle`.
 */
export type OnError = (error: unknown, context: { request?: Request }) => void;

/**
 * The property that holds the `respond` of a tracker or a dashboard, for `toListener`. Every copy of the package has the same
 * symbol.
 */
export const respondSymbol: unique symbol = Symbol.for("whodid.respond");

/** Answers a call. Never rejects. The path of an admitted call is relative to the base path. */
export type Respond = (call: Call, admitted?: Admitted) => Promise<Answer>;

export interface WithRespond {
  [respondSymbol]: Respond;
}

export interface ResponderOptions {
  scopeOf(workspace: string): Scope;
  /** Without a trailing slash. */
  basePath: string;
  rateLimit: RateLimit | false;
  maxBodyBytes: number;
  onError: OnError;
}

/** For a key without a rate limit: its use is stored, but no request is taken from the window. Other processes may have a limit. */
const noLimit: RateLimit = { requests: Number.MAX_SAFE_INTEGER, perSeconds: 60 };

/** Applies the rules of HTTP. Never rejects. */
export function createResponder(options: ResponderOptions): Respond {
  const { scopeOf, basePath, rateLimit, maxBodyBytes, onError } = options;
  const { storage, now } = scopeOf("default");

  return function respond(call, admitted) {
    const visit: Visit = { now: 0, allowance: null, headers: [] };
    const complete = (answer: Answer): Answer => {
      // The answer was made for this call, so it can be changed.
      if (visit.allowance) answer.headers.push(...rateLimitHeaders(visit.allowance));
      if (call.method === "HEAD") answer.body = "";
      return answer;
    };
    return answerCall(call, visit, admitted).then(complete, (error: unknown) =>
      complete({ ...refuse(error, call, visit, onError), thrown: error }),
    );
  };

  /** The order of these steps is the order of the refusals: a request with several faults is refused by the first step. */
  async function answerCall(call: Call, visit: Visit, admitted?: Admitted): Promise<Answer> {
    // 401
    const apiKey = admitted ? null : await identify(call, visit);
    // 429
    if (apiKey) await takeRequest(apiKey, call, visit);
    // 400 of the path, 404 of the route, 405
    const path = admitted ? call.path : withoutBase(call.path, basePath);
    const { route, parameters } = findRoute(matchRoute, { method: call.method, path }, visit.headers);
    // 403
    // A call that is not admitted has a key.
    const { workspace, access } = (admitted ?? apiKey)!;
    assertAccess({ access }, route.access);
    // 415, 413, 400 of the JSON
    const bodyMaxBytes = route.isBatch ? maxBodyBytes * batchBodyTimes : maxBodyBytes;
    const body = route.input ? await readJson(call, bodyMaxBytes) : undefined;
    // 400 of the input, the query or a header, 404 of the contact or definition, 409, 422
    const query = route.query === "ignored" ? {} : readQuery(call.query, route.query);
    const {
      status,
      headers = [],
      body: result,
    } = await route.run({
      scope: scopeOf(workspace),
      apiKey,
      parameters,
      query,
      body,
      header: call.header,
      caller: {
        signals: call.signals,
        // This check does not count against the rate limit.
        assertValid: async () => apiKey && authenticate(storage, call.header("authorization"), now()),
      },
      refuse: (error) => refusalOfItem(error, call, onError),
    });
    return answerInTurns(status, { success: true, ...result }, headers);
  }

  function identify(call: Call, visit: Visit): Promise<ApiKeyOwner> {
    visit.now = now();
    if (rateLimit) visit.allowance = allowanceAfter(0, windowAt(visit.now, rateLimit), rateLimit);
    return authenticate(storage, call.header("authorization"), visit.now);
  }

  /** Takes one request out of the limit of the call's API key. */
  function takeRequest(owner: ApiKeyOwner, call: Call, visit: Visit): Promise<void> {
    call.onAuthenticated?.();
    const limit = limitOf(owner, rateLimit);
    const { requests } = limit || noLimit;
    const window = windowAt(visit.now, limit || noLimit);
    return storage.consume(owner.id, requests, window, limit ? 1 : 0).then((use) => {
      if (limit) visit.allowance = allowanceAfter(use.takenBefore + 1, use, limit);
      if (isExceeded(use, requests)) throw new TrackerError("rate_limited");
    });
  }
}

/** Throws `unsupported_media_type`, `body_too_large` or `malformed_json`. */
export function readJson(call: Call, maxBodyBytes: number): Promise<unknown> {
  const isReadable = isJson(call.header("content-type")) && isPlain(call.header("content-encoding"));
  if (!isReadable) throw new TrackerError("unsupported_media_type");
  // A Content-Length above the limit is refused without reading. If it is too low, `body` refuses the bytes above the limit.
  if (Number(call.header("content-length")) > maxBodyBytes) throw new TrackerError("body_too_large");
  return call.body(maxBodyBytes).then((body) => (isUint8Array(body) ? parseJson(body) : body.parsed));
}

function refuse(thrown: unknown, call: Call, visit: Visit, onError: OnError): Answer {
  return answerOrReport(thrown, call, onError, (error) =>
    errorAnswer(error, visit.headers.concat(headersOf(error.code, visit.allowance, visit.now))),
  );
}

function refusalOfItem(thrown: unknown, call: Call, onError: OnError): ItemRefusal {
  return answerOrReport(thrown, call, onError, (error) => ({ status: statusOf(error.code), body: errorBody(error) }));
}

/** Answers an expected error. Reports any other error, and answers `internal`. */
function answerOrReport<Answered>(
  thrown: unknown,
  call: Call,
  onError: OnError,
  answer: (error: TrackerError) => Answered,
): Answered {
  try {
    if (isTrackerError(thrown) && metCodes.includes(thrown.code)) {
      const answered = answer(thrown);
      if (thrown.code === "definition_unknown") report(thrown, call, onError);
      return answered;
    }
  } catch {
    // Something that only looks like a TrackerError cannot be answered as one: report it as unexpected.
  }
  report(thrown, call, onError);
  return answer(new TrackerError("internal"));
}

function report(error: unknown, { request }: Call, onError: OnError): void {
  // The async wrapper turns a throw into a rejection. The `catch` drops every rejection.
  void (async () => onError(error, request ? { request } : {}))().catch(() => {});
}

/** The data for an answer's headers; it grows while the request is processed. */
interface Visit {
  now: number;
  allowance: Allowance | null;
  /** Headers of one particular refusal, such as `Allow`; set where it is thrown. */
  headers: Headers;
}
