import { firstPauseMs, pauseMaxMs, timerMaxMs } from "../limits.ts";

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

/** Tells of a retry, and waits until it is due: longer with each, and at least as long as the server says. */
export async function pause(
  retry: Omit<Retry, "delayMs">,
  { onRetry, signal, atLeastMs = 0 }: PauseOptions,
): Promise<void> {
  const longest = Math.min(firstPauseMs * 2 ** (retry.attempt - 1), pauseMaxMs);
  // Spread, so that clients that failed together do not come back together.
  const delayMs = atLeastMs + longest * (0.5 + Math.random() / 2);
  onRetry({ ...retry, delayMs });
  await sleep(delayMs, signal);
}

interface PauseOptions {
  onRetry(retry: Retry): void;
  signal: AbortSignal | undefined;
  atLeastMs?: number;
}

/** The milliseconds of a Retry-After: seconds, or a date. At most what a timer takes: a longer one would end at once. */
export function retryAfterMsOf(headers: Headers): number {
  const retryAfter = headers.get("retry-after") ?? "";
  const milliseconds = /^\d+$/.test(retryAfter) ? 1_000 * Number(retryAfter) : Date.parse(retryAfter) - Date.now();
  return Math.min(Math.max(milliseconds || 0, 0), timerMaxMs - pauseMaxMs);
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
