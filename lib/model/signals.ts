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
