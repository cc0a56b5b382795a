import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** What the promise resolves with, if it does so in time: no test waits for ever. */
export async function within<Value>(milliseconds: number, what: string, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${milliseconds} ms: ${what}`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Asks again and again; gives up after a minute. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `not within a minute: ${String(isSo)}`);
    await sleep(5);
  }
}
