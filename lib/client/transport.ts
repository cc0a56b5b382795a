import { isTrackerError, TrackerError } from "../errors.ts";
import { triesMax } from "../limits.ts";
import { read, unanswered, type Failure, type Reply } from "./answers.ts";
import { pause, type Retry } from "./waiting.ts";

export interface TransportOptions {
  url: string | URL;
  key: string | null;
  fetch: typeof fetch;
  timeoutMs: number;
  onRetry(retry: Retry): void;
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

/** Sends a request, again while that may help, and resolves with the answer of a success. */
export type Transport = (ask: Ask) => Promise<Reply>;

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
      const { method, path, signal } = ask;
      await pause({ method, path, attempt, error }, { onRetry, signal, atLeastMs: reply.retryAfterMs });
    }
  };
}

/** A DELETE, or a PATCH of the externalId, finds nothing where an earlier try took effect and its answer was lost. */
function toldOfLostTry({ method }: Ask, error: unknown): unknown {
  if (method === "GET" || !isTrackerError(error) || error.code === "storage_unavailable") return error;
  const { code, message, issues, conflict } = error;
  const cause = new Error("an earlier try, whose answer was lost, may have taken effect");
  return new TrackerError(code, { message, issues, conflict: conflict ?? undefined, cause });
}
