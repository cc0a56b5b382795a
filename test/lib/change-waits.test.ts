import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { waitForChange } from "../../lib/change-waits.ts";
import type { Storage } from "../../lib/index.ts";
import { suite } from "../support/suite.ts";

const longMs = 60_000;

/** A storage whose log ends at these positions, one after the other, and the number of times that it was read. */
function ending(...ends: (number | Error)[]): { storage: Storage; reads: () => number } {
  let reads = 0;
  const readLogEnd = async (): Promise<number> => {
    const end = ends[Math.min(reads++, ends.length - 1)]!;
    if (end instanceof Error) throw end;
    return end;
  };
  return { storage: { ...memoryStorage(), readLogEnd }, reads: () => reads };
}

suite({ name: "a wait for a change", atOnce: 5 }, (test) => {
  test("ends when the log has grown beyond its position, in one poll with all others", async () => {
    const { storage, reads } = ending(5, 6);
    await Promise.all(Array.from({ length: 20 }, () => waitForChange(storage, 5, longMs, undefined)));
    assert.equal(reads(), 2);
    await waitForChange(storage, 5, longMs, undefined);
    assert.equal(reads(), 3);
  });

  test("ends after its time, while one with more time goes on", async () => {
    const { storage, reads } = ending(5, 5, 5, 6);
    const long = waitForChange(storage, 5, longMs, undefined);
    await waitForChange(storage, 5, 1, undefined);
    assert.ok(reads() < 4);
    await long;
    assert.equal(reads(), 4);
  });

  test("ends when the signal is aborted, also before it began", async () => {
    const { storage } = ending(5);
    const controller = new AbortController();
    const waiting = waitForChange(storage, 5, longMs, controller.signal);
    controller.abort();
    await waiting;
    await waitForChange(storage, 5, longMs, controller.signal);
  });

  test("ends when the storage fails, so that its reader meets the failure", async () => {
    const { storage } = ending(new Error("gone"));
    await waitForChange(storage, 5, longMs, undefined);
  });

  test("leaves nothing that polls", async () => {
    const { storage, reads } = ending(5);
    await waitForChange(storage, 5, 1, undefined);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    assert.equal(reads(), 0);
  });
});
