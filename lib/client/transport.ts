import { lastTryMs, timerMaxMs, triesMax } from "../model/limits.ts";
import { TrackerError } from "../model/errors.ts";
import { read, textOf, tooLarge, type Reply } from "./answers.ts";
import { orAborted } from "../model/signals.ts";
import { type Failure, createPatience, isUnavailable, pause, type Patience, type Retry } from "./retries.ts";

export interface TransportOptions {
  url: string | URL;
  key: string | null;
  fetch: typeof fetch;
  timeoutMs: number;
  maxWaitMs: number;
  onRetry(retry: Retry): void;
}

export interface Ask {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** JSON. */
  body?: string;
  headers?: Record<string, string>;
  /** The fields of a success. */
  fields?: readonly string[];
  /** `false` for a request that must be sent only once. */
  isRepeatable?: false;
  /** The time for all tries; by default `maxWaitMs` for this request alone. */
  patience?: Patience;
  /** The time that the server may wait before it answers. It adds to the time of each try. */
  waitMs?: number;
  signal: AbortSignal | undefined;
}

/** Sends a request, and sends it again while that may help. Resolves with the successful answer. */
export type Transport = (ask: Ask) => Promise<Reply>;

export function createTransport(options: TransportOptions): Transport {
  const { url, key, fetch: send, timeoutMs, maxWaitMs, onRetry } = options;
  const base = String(url).replace(/\/+$/, "");

  async function answerTo({ method, path, body, headers, fields }: Ask, signal: AbortSignal): Promise<Reply | Failure> {
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
      signal,
    });
    const text = await textOf(response);
    return text === null ? tooLarge() : read(response, text, fields);
  }

  async function once(ask: Ask, leftMs: number): Promise<Reply | Failure> {
    // The timer of `AbortSignal.timeout` lets the process end before the call rejects.
    const timeout = new AbortController();
    const abort = (): void => timeout.abort(new DOMException("The time of the try is over.", "TimeoutError"));
    // Even if the time of a list is over, each of its batches is tried once: the server may be back.
    const tryMs = Math.min(timeoutMs, Math.max(leftMs, lastTryMs)) + (ask.waitMs ?? 0);
    const timer = setTimeout(abort, Math.min(tryMs, timerMaxMs));
    const signal = ask.signal ? AbortSignal.any([ask.signal, timeout.signal]) : timeout.signal;
    try {
      // After an abort, Node's `fetch` may read on, for example a body with a wrong Content-Encoding.
      return await orAborted(signal, () => answerTo(ask, signal));
    } catch (error) {
      ask.signal?.throwIfAborted();
      const message = "The server did not answer; whether a write happened is not known.";
      return { error: new TrackerError("storage_unavailable", { message, cause: error }) };
    } finally {
      clearTimeout(timer);
    }
  }

  return async (ask) => {
    const { method, path, signal, patience = createPatience(maxWaitMs) } = ask;
    let mayHaveHappened = false;
    for (let attempt = 1; ; attempt++) {
      const reply = await once(ask, patience.leftMs());
      if (!("error" in reply)) return reply;
      const error = mayHaveHappened ? withLostTry(ask, reply.error) : reply.error;
      mayHaveHappened ||= reply.error.code === "storage_unavailable";
      if (reply.isFinal || !isUnavailable(error) || ask.isRepeatable === false || attempt === triesMax) throw error;
      await pause({ method, path, attempt, error }, { onRetry, signal, patience });
    }
  };
}

/** Adds a cause, because an earlier try may have succeeded. Then a retried DELETE, or PATCH of the externalId, finds nothing. */
function withLostTry({ method }: Ask, error: TrackerError): TrackerError {
  if (method === "GET" || error.code === "storage_unavailable") return error;
  const cause = new Error("an earlier try, whose answer was lost, may have taken effect");
  return new TrackerError(error.code, { ...error, message: error.message, cause });
}
