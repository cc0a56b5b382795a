import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** A call that was made and is waited for later. */
export interface Pending<Result> {
  result: Promise<Result>;
  isSettled(): boolean;
}

/** Keeps a call for later; one that fails before it is waited for is no unhandled rejection. */
export function start<Result>(result: Promise<Result>): Pending<Result> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  result.then(settle, settle);
  return { result, isSettled: () => settled };
}

/** Long enough that a call that waits for nothing has nearly always been answered; a storage that waits passes anyway. */
export async function assertWaiting(...calls: Pending<unknown>[]): Promise<void> {
  await pause(200);
  assert.deepEqual(
    calls.map((call) => call.isSettled()),
    calls.map(() => false),
  );
}
