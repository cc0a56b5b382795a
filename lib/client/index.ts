import { refuseOthers, withoutMore } from "../model/arguments.ts";
import { isTrackerError, TrackerError } from "../model/errors.ts";
import { lastTryMs, maxWaitMsDefault, timerMaxMs } from "../model/limits.ts";
import type { Consistent } from "../model/typed-rules.ts";
import type { Definitions } from "../model/types.ts";
import { createMethods, type Methods } from "./methods.ts";
import { createTransport } from "./transport.ts";
import type { Retry } from "./retries.ts";

export type { Retry } from "./retries.ts";

/** The options of `createClient`. */
export interface ClientOptions<Defined extends Definitions = Definitions> {
  /** The URL of the API with its base path, such as `https://whodid.internal/api/v1`. */
  url: string | URL;
  /**
   * An API key. It selects the workspace, and its access limits the calls. `null` sends no key: use it if the server identifies
   * the caller in another way.
   */
  key: string | null;
  /** The list that types the methods. It is not sent. */
  definitions?: Consistent<Defined> | undefined;
  /** The `fetch` of the runtime by default. */
  fetch?: typeof fetch | undefined;
  /** The time limit of each try in milliseconds; 10,000 by default. */
  timeoutMs?: number | undefined;
  /**
   * The time limit in milliseconds of a call with all its tries and pauses; 60,000 by default, and at least 500. For a list the
   * time begins again whenever the first items of a batch are answered; once it is over, each further batch has one try of 500 ms.
   */
  maxWaitMs?: number | undefined;
  /**
   * Called before a request, or items of a batch that failed with 503, are sent again. By default, the first wait for a rate limit
   * prints a line to standard error.
   */
  onRetry?: ((retry: Retry) => void) | undefined;
}

/**
 * The methods of a workspace, answered by a server. Methods that run in the caller's database or process are missing:
 * `transaction`, `within`, `provision`, `compare`, `removeUnlisted`, `events.prune`, `subscriptions.consume` and `work`.
 */
export interface Client<Defined extends Definitions = Definitions> extends Methods<Defined> {
  /** The same methods. They reject with the reason of the signal when the signal is aborted. */
  withSignal(signal: AbortSignal): Methods<Defined>;
  /** Refuses further calls, and ends the readers of changes. Closing it twice is harmless. */
  close(): Promise<void>;
}

/**
 * Creates a client of the HTTP API. Its methods have the arguments, results and errors of a tracker's methods.
 * - A request without an answer, or with a 429 or a 503, is sent again at most seven times; `apiKeys.create` is sent once. Each
 *   event has an idempotency key, so that a retry records it once. `created` is that of the last try.
 * - A call rejects with `rate_limited` or `storage_unavailable` when its time ends, or if the server asks for a longer wait.
 * - Calls made at once reach the server in any order; the items of a list keep it. Items after one that was answered 503 are sent again.
 * - An answer of more than 32 MiB, or without its fields, is a lost one. Values that JSON would change, and
 *   identifiers that no path can carry, are refused before they are sent.
 * - Throws a `TypeError` for an invalid or unknown option, and a `RangeError` for a time that is out of range.
 */
export function createClient<const Defined extends Definitions = Definitions>(
  options: ClientOptions<Defined>,
): Client<Defined> {
  const { url, key, definitions: _, fetch: send, onRetry = reportLimitOnce(), ...numbers } = options;
  const { timeoutMs = 10_000, maxWaitMs = maxWaitMsDefault, ...others } = numbers;
  refuseOthers("createClient", others);
  // `localhost:3000` is a URL too, of the scheme `localhost`.
  const base = URL.canParse(String(url)) ? new URL(url) : null;
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash)
    throw new TypeError(
      "url must be the http or https URL of the API with its base path, as in https://whodid.internal/api/v1, without credentials, query or fragment",
    );
  if (key !== null && (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)))
    throw new TypeError("key must be an API key");
  assertTime("timeoutMs", timeoutMs, 1);
  assertTime("maxWaitMs", maxWaitMs, lastTryMs);
  const closing = new AbortController();
  const transport = createTransport({
    url: base.href,
    key,
    timeoutMs,
    maxWaitMs,
    onRetry,
    fetch: send ?? ((...args) => fetch(...args)),
  });
  const methodsFor = (signal?: AbortSignal): Methods<Defined> =>
    withoutMore(
      createMethods<Defined>(
        async (ask) => {
          closing.signal.throwIfAborted();
          signal?.throwIfAborted();
          return transport({ signal, ...ask });
        },
        { onRetry, maxWaitMs, signal, closed: closing.signal },
      ),
    );
  return {
    ...methodsFor(),
    withSignal: (signal) => methodsFor(signal),
    async close() {
      closing.abort(new TrackerError("storage_unavailable", { message: "The client is closed." }));
    },
  };
}

function assertTime(name: string, milliseconds: number, min: number): void {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < min || milliseconds > timerMaxMs)
    throw new RangeError(`${name} must be a whole number from ${min} to ${timerMaxMs}`);
}

/** Prints the first wait for a rate limit. Prints no path, because a path can contain a contact's identifier. */
function reportLimitOnce(): (retry: Retry) => void {
  let isReported = false;
  return ({ error, delayMs }) => {
    if (isReported || !isTrackerError(error) || error.code !== "rate_limited") return;
    isReported = true;
    const seconds = Math.ceil(delayMs / 1_000);
    console.error(
      `whodid/client: the server limits the requests; a call waits ${seconds} s. Later waits print nothing.`,
    );
  };
}
