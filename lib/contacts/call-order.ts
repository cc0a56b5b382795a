import { foldEmail } from "../model/emails.ts";
import type { Scope } from "../scope.ts";

/** A write that has begun. The object keeps an `await` from waiting for the result. */
export interface Begun<Result> {
  result: Promise<Result>;
}

/** The last call that is being prepared, by storage and then by name. */
const preparing = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Calls with a common name begin their writes in call order, though one may have to read definitions first. `prepare` is called
 * at once, and returns the function that begins the write.
 */
export async function beginInCallOrder<Result>(
  { storage, workspace }: Scope,
  named: readonly unknown[],
  prepare: () => Promise<() => Promise<Result>>,
): Promise<Begun<Result>> {
  const last = preparing.get(storage) ?? new Map<string, Promise<unknown>>();
  preparing.set(storage, last);
  const texts = named.filter((name) => typeof name === "string");
  const names = texts.map((name) => `${workspace} ${foldEmail(name)}`);
  const prepared = Promise.allSettled([prepare(), ...names.map((name) => last.get(name))]);
  const begun = prepared.then(([own]) => {
    if (own.status === "rejected") throw own.reason as Error;
    return { result: own.value() };
  });
  const ended = begun.then(
    () => {},
    () => {},
  );
  for (const name of names) last.set(name, ended);
  void ended.then(() => {
    for (const name of names) if (last.get(name) === ended) last.delete(name);
  });
  return begun;
}
