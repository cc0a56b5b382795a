import { gatewayStatuses, statusOf } from "../http/statuses.ts";
import { firstPauseMs, pauseMaxMs, timerMaxMs, triesMax } from "../limits.ts";
import { isTrackerError, TrackerError, type Conflict, type ErrorCode, type Issue } from "../errors.ts";

export interface TransportOptions {
  url: string | URL;
  key: string | null;
  fetch: typeof fetch;
  timeoutMs: number;
  onRetry(retry: Retry): void;
}

/** A request that is about to be sent again. */
export interface Retry {
  method: string;
  /** Without the `url` of the client. */
  path: string;
  /** The number of tries that failed: 1 before the second. */
  attempt: number;
  error: unknown;
  delayMs: number;
}

export interface Ask {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** JSON. */
  body?: string;
  headers?: Record<string, string>;
  /** `false` for what must not happen twice. */
  isRepeatable?: false;
  signal: AbortSignal | undefined;
}

export interface Reply {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Sends a request, again while that may help, and resolves with the answer of a success. */
export type Transport = (ask: Ask) => Promise<Reply>;

/** The codes whose statuses a proxy answers in place of the server. */
const proxyCodes: readonly ErrorCode[] = ["body_too_large", "rate_limited"];

/** A failed try: the error, whether the request may have taken effect, and how long the server asks to wait. */
interface Failure {
  error: unknown;
  isFinal: boolean;
  mayHaveHappened: boolean;
  retryAfterMs: number;
}

export function createTransport({ url, key, fetch: send, timeoutMs, onRetry }: TransportOptions): Transport {
  const base = String(url).replace(/\/+$/, "");

  async function once({ method, path, body, headers, signal }: Ask): Promise<Reply | Failure> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(base + path, {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        body: body ?? null,
        // A redirected POST becomes a GET.
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return read(response, await response.text());
    } catch (error) {
      signal?.throwIfAborted();
      return { error: unanswered(error), isFinal: false, mayHaveHappened: true, retryAfterMs: 0 };
    }
  }

  return async (ask) => {
    let mayHaveHappened = false;
    for (let attempt = 1; ; attempt++) {
      const reply = await once(ask);
      if (!("error" in reply)) return reply;
      const error = mayHaveHappened ? toldOfLostTry(ask, reply.error) : reply.error;
      mayHaveHappened ||= reply.mayHaveHappened;
      if (reply.isFinal || ask.isRepeatable === false || attempt === triesMax) throw error;
      const longest = Math.min(firstPauseMs * 2 ** (attempt - 1), pauseMaxMs);
      // Spread, so that clients that failed together do not come back together.
      const delayMs = reply.retryAfterMs + longest * (0.5 + Math.random() / 2);
      onRetry({ method: ask.method, path: ask.path, attempt, error, delayMs });
      await sleep(delayMs, ask.signal);
    }
  };
}

function read({ ok, status, headers }: Response, text: string): Reply | Failure {
  const body = parse(text);
  if (ok && body?.["success"] === true) return { status, body, headers };
  const told = body?.["success"] === false ? errorOf(body["error"]) : null;
  const error = told ?? foreign(status, ok);
  const mayHaveHappened = error.code === "storage_unavailable";
  const isFinal = !mayHaveHappened && error.code !== "rate_limited";
  return { error, isFinal, mayHaveHappened, retryAfterMs: waitMsOf(headers.get("retry-after") ?? "") };
}

/** The milliseconds of a Retry-After: seconds, or a date. At most what a timer takes: a longer one would end at once. */
function waitMsOf(retryAfter: string): number {
  const milliseconds = /^\d+$/.test(retryAfter) ? 1_000 * Number(retryAfter) : Date.parse(retryAfter) - Date.now();
  return Math.min(Math.max(milliseconds || 0, 0), timerMaxMs - pauseMaxMs);
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function errorOf(value: unknown): TrackerError | null {
  const { code, ...details } = Object(value) as {
    code?: ErrorCode;
    message?: string;
    issues?: Issue[];
    conflict?: Conflict;
  };
  return typeof code === "string" ? new TrackerError(code, details) : null;
}

/** The error of an answer that is none of whodid's, such as a proxy's page. A success that was cut off is a lost answer. */
function foreign(status: number, isSuccess: boolean): TrackerError {
  const message = `Something else than whodid answered, with status ${status}; is it the URL of the API?`;
  const isLost = isSuccess || gatewayStatuses.includes(status);
  const code = proxyCodes.find((proxyCode) => statusOf(proxyCode) === status) ?? "internal";
  return new TrackerError(isLost ? "storage_unavailable" : code, { message });
}

function unanswered(cause: unknown): TrackerError {
  return new TrackerError("storage_unavailable", {
    message: "The server did not answer; whether a write happened is not known.",
    cause,
  });
}

/** A DELETE, or a PATCH of the externalId, finds nothing where an earlier try took effect and its answer was lost. */
function toldOfLostTry({ method }: Ask, error: unknown): unknown {
  if (method === "GET" || !isTrackerError(error) || error.code === "storage_unavailable") return error;
  const { code, message, issues, conflict } = error;
  const cause = new Error("an earlier try, whose answer was lost, may have taken effect");
  return new TrackerError(code, { message, issues, conflict: conflict ?? undefined, cause });
}

/** Rejects with the signal's reason as soon as it is aborted, even if the call goes on. */
export async function orAborted<Result>(signal: AbortSignal | undefined, call: () => Promise<Result>): Promise<Result> {
  if (!signal) return call();
  signal.throwIfAborted();
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort);
  });
  return Promise.race([call(), aborted]).finally(() => signal.removeEventListener("abort", abort));
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // `onRetry` may have aborted it.
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
