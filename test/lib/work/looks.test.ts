import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import type { Storage } from "../../../lib/index.ts";
import { keepLooking, lookFor, lookNow } from "../../../lib/work/looks.ts";
import type { FoundWork } from "../../../lib/storage/changes.ts";
import { suite } from "../../support/suite.ts";

const reader = { workspace: "default", key: "all", after: 5 };

/** A storage that finds such work, with the calls that it got, and a function that waits until there are so many. */
function finding(parts: Partial<FoundWork> | Error) {
  const calls: string[] = [];
  const storage: Storage = {
    ...memoryStorage(),
    async findWork(readers) {
      calls.push("look");
      if (parts instanceof Error) throw parts;
      const next = readers.map(({ after }) => ({ found: false, position: after }));
      return { next, isUnlogged: false, isUnready: false, isUsed: true, ...parts };
    },
    async logChanges() {
      calls.push("log");
      return { logged: 0, more: false };
    },
  };
  const called = async (count: number): Promise<void> => {
    while (calls.length < count) await sleep(5);
  };
  return { storage, calls, called };
}

const quiet = { report: assert.fail };

suite({ name: "the looks of a process", atOnce: 5 }, (test) => {
  test("a look after a commit logs before it looks", async () => {
    const { storage, calls, called } = finding({});
    const stop = keepLooking(storage, quiet);
    await called(1);
    lookNow(storage);
    await called(3);
    await stop();
    assert.deepEqual(calls.slice(0, 3), ["look", "log", "look"]);
  });

  test("without subscriptions the next look is seconds later, unless somebody comes who waits", async () => {
    const { storage, calls, called } = finding({ isUsed: false });
    const stop = keepLooking(storage, quiet);
    await called(1);
    await sleep(1_500);
    assert.deepEqual(calls, ["look"]);
    const leave = lookFor(storage, { reader, found: assert.fail });
    await called(2);
    leave();
    await stop();
  });

  test("what is to be logged is logged, and the watches that are to begin are told", async () => {
    const { storage, called } = finding({ isUnlogged: true, isUnready: true });
    let told = 0;
    const stop = keepLooking(storage, { ...quiet, foundUnready: () => told++ });
    await called(2);
    await stop();
    assert.ok(told > 0);
  });

  test("a look that fails is told to one, and to all who wait, and is followed by others until the last has left", async () => {
    const { storage, calls, called } = finding(new Error("gone"));
    const errors: unknown[] = [];
    const looker = { report: (error: unknown) => errors.push(error) };
    const stops = [keepLooking(storage, looker), keepLooking(storage, { ...looker })];
    let found = 0;
    const leave = lookFor(storage, { reader, found: () => found++ });
    await called(2);
    leave();
    for (const stop of stops) await stop();
    const { length } = calls;
    await sleep(1_200);
    assert.deepEqual([errors.length, found, calls.length], [length, length, length]);
  });
});
