import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

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
