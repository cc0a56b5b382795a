import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Storage } from "../../lib/storage/port.ts";
import type { Begun } from "./fresh-storage.ts";

/** A call that was made and is waited for later. */
export interface Pending<Result> {
  result: Promise<Result>;
  isSettled(): boolean;
}

/** Keeps a call for later. If the call fails before it is awaited, Node reports no unhandled rejection. */
export function start<Result>(result: Promise<Result>): Pending<Result> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  result.then(settle, settle);
  return { result, isSettled: () => settled };
}

/** Asserts that the calls wait. A call that needs no lock nearly always ends within 200 ms; a call that waits never does. */
export async function assertPending(...calls: Pending<unknown>[]): Promise<void> {
  await pause(200);
  assert.deepEqual(
    calls.map((call) => call.isSettled()),
    calls.map(() => false),
  );
}

/**
 * Makes the calls while a transaction in which `first` was done is open, and ends it when all of them wait. Resolves with what they
 * then resolve with.
 */
export async function waitBehind<Results extends unknown[]>(
  begin: () => Promise<Begun>,
  first: (inside: Storage) => Promise<unknown>,
  end: "commit" | "rollback",
  ...calls: { [Index in keyof Results]: () => Promise<Results[Index]> }
): Promise<Results> {
  const begun = await begin();
  await first(begun.inside);
  const waiting = calls.map((call) => start<unknown>(call()));
  await assertPending(...waiting);
  await begun[end]();
  return Promise.all(waiting.map(({ result }) => result)) as Promise<Results>;
}
