/** A signal, or none: a `Request` of another runtime may lack it. */
export type GivenSignal = AbortSignal | null | undefined;

/**
 * Calls with a signal that follows the given ones. `AbortSignal.any` leaks per call while its signals live, and they may live as
 * long as the process.
 */
export async function withOwnSignal<Result>(
  given: readonly GivenSignal[],
  call: (own: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signals = given.filter((signal) => signal != null);
  const own = new AbortController();
  const follow = (): void => {
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted) own.abort(aborted.reason);
  };
  for (const signal of signals) signal.addEventListener("abort", follow);
  follow();
  return call(own.signal).finally(() => {
    for (const signal of signals) signal.removeEventListener("abort", follow);
  });
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
