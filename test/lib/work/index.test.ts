import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker, type Storage } from "../../../lib/index.ts";
import { issuesOf, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

/** A storage with this many passes of three changes each. */
function waiting(passes: number) {
  const calls = { passes: 0, removals: 0 };
  const storage = memoryStorage();
  const logChanges = async () => {
    if (++calls.passes > passes) return { logged: 0, more: false };
    return { logged: 3, more: true };
  };
  const removeOldChanges = async () => ++calls.removals < 2;
  const findWork: Storage["findWork"] = async (readers) => ({ ...(await storage.findWork(readers)), isUnlogged: true });
  return { calls, storage: { ...storage, findWork, logChanges, removeOldChanges } };
}

suite("work", (test) => {
  test("until caught up it logs all that waits, removes what is old, and resolves with the number", async () => {
    const { calls, storage } = waiting(4);
    const tracker = createTracker({ storage });
    assert.deepEqual(await tracker.work({ until: "caught-up" }), { logged: 12 });
    assert.deepEqual(calls, { passes: 5, removals: 2 });
  });

  test("passes go on while old changes are removed", async () => {
    const { storage } = waiting(0);
    const order: string[] = [];
    let isEnough = (): void => {};
    const enough = new Promise<void>((resolve) => (isEnough = resolve));
    const tracker = createTracker({
      storage: {
        ...storage,
        async logChanges() {
          order.push("pass");
          if (order.length >= 6) isEnough();
          return { logged: 0, more: false };
        },
        async removeOldChanges() {
          order.push("removal");
          return true;
        },
      },
    });
    const work = tracker.work();
    await enough;
    await work.stop();
    assert.deepEqual(order.slice(0, 6), ["pass", "removal", "pass", "removal", "pass", "removal"]);
  });

  test("an unknown option is refused", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    assert.deepEqual(await issuesOf(tracker.work(untyped({ until: "tomorrow" }))), ["until invalid_format"]);
  });

  test("it goes on until the close if until is undefined", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    const work: unknown = tracker.work(untyped({ until: undefined }));
    assert.ok(!(work instanceof Promise));
    await tracker.close();
  });

  test("it goes on after an unexpected error, which it reports, until it is stopped", async () => {
    const { calls, storage } = waiting(0);
    const errors: unknown[] = [];
    let recovered = (): void => {};
    const isRecovered = new Promise<void>((resolve) => (recovered = resolve));
    const failing = async () => {
      if (++calls.passes === 1) throw new Error("broken");
      recovered();
      return { logged: 0, more: false };
    };
    const tracker = createTracker({
      storage: { ...storage, logChanges: failing },
      onError: (error) => void errors.push((error as Error).message),
    });
    const work = tracker.work();
    await isRecovered;
    await work.stop();
    const { passes } = calls;
    await work.stop();
    assert.deepEqual(errors, ["broken"]);
    assert.equal(calls.passes, passes);
  });

  test("the close ends it", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    const work = tracker.work();
    await tracker.close();
    await work.stop();
  });
});
