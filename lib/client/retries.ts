import type { TrackerError, UnavailableError } from "../model/errors.ts";
import { firstPauseMs, lastTryMs, pauseMaxMs } from "../model/limits.ts";
import { orAborted } from "../model/signals.ts";

/** A failed try. With `isFinal` no other try follows. */
export interface Failure {
  error: TrackerError;
  isFinal?: true;
}

/**
 * Whether another try may succeed: after a 429, a 503 or a missing answer. A request that got no answer, or a 503, may have taken
 * effect.
 */
export function isUnavailable(error: TrackerError): error is UnavailableError {
  return "retryAfterSeconds" in error;
}

/** A request, or items of a batch, about to be sent again. */
export interface Retry {
  method: string;
  /** Without the `url` of the client. */
  path: string;
  /** The number of tries that failed: 1 before the second. */
  attempt: number;
  error: unknown;
  delayMs: number;
}

/** The time for the tries and pauses of a request, or of the batches of a list. */
export interface Patience {
  /** Returns the milliseconds that are left. The time begins with the first call. */
  leftMs(): number;
  /** Lets the time begin again, with the next call of `leftMs`. */
  renew(): void;
}

export function createPatience(maxWaitMs: number): Patience {
  let endsAt: number | null = null;
  return {
    leftMs: () => (endsAt ??= performance.now() + maxWaitMs) - performance.now(),
    renew: () => void (endsAt = null),
  };
}

/**
 * Calls `onRetry`, and waits: longer before each try, and at least as long as the server asks. Rejects at once with the error of
 * the retry if too little time would be left for another try.
 */
export async function pause(
  retry: Omit<Retry, "delayMs"> & { error: UnavailableError },
  { onRetry, signal, patience }: PauseOptions,
): Promise<void> {
  const longest = Math.min(firstPauseMs * 2 ** (retry.attempt - 1), pauseMaxMs);
  // Spread, so that clients that failed together do not come back together.
  const delayMs = 1_000 * (retry.error.retryAfterSeconds ?? 0) + longest * (0.5 + Math.random() / 2);
  if (delayMs + lastTryMs > patience.leftMs()) throw retry.error;
  onRetry({ ...retry, delayMs });
  await sleep(delayMs, signal);
}

interface PauseOptions {
  onRetry(retry: Retry): void;
  signal: AbortSignal | undefined;
  patience: Patience;
}

/** The whole seconds of a Retry-After header, which is a number or a date. `undefined` unless it lies in the future. */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const retryAfter = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1_000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), Number.MAX_SAFE_INTEGER) : undefined;
}

/** Rejects with the signal's reason when it is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = (): Promise<void> => new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  // `onRetry` may have aborted the signal. Then no timer starts.
  await orAborted(signal, isOver).finally(() => clearTimeout(timer));
}
