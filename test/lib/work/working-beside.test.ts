import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { listChanges } from "../../../lib/changes/read.ts";
import { deferred } from "../../support/consuming.ts";
import { suite } from "../../support/suite.ts";

const rule = { kind: "last_done_within", eventKey: "order", period: { days: 1 } } as const;

/** A tracker with a subscription to an audience. Its first passes wait, once `hold` is called. */
async function watching() {
  const memory = memoryStorage();
  const calls = { passes: 0, firstPasses: 0, sweeps: 0 };
  const begun = deferred();
  const released = deferred();
  let isHeld = false;
  const storage: typeof memory = {
    ...memory,
    findWork: async (readers) => ({ ...(await memory.findWork(readers)), isUnlogged: true }),
    logChanges() {
      calls.passes++;
      return memory.logChanges();
    },
    async beginWatches(now) {
      calls.firstPasses++;
      begun.resolve();
      if (isHeld) await released.promise;
      return memory.beginWatches(now);
    },
    sweep(...given) {
      calls.sweeps++;
      return memory.sweep(...given);
    },
  };
  const tracker = createTracker({ storage });
  await tracker.audiences.define({ key: "buyers", name: "Buyers", rule });
  await tracker.subscriptions.define({ key: "crm", on: { audiences: ["buyers"] } });
  const isReady = async () => (await tracker.subscriptions.list())[0]!.readyAt !== null;
  return { tracker, storage, calls, begun, isReady, hold: () => (isHeld = true), release: () => released.resolve() };
}

suite("the work of consumers and readers", (test) => {
  test("consumers and work do it once, until the last is stopped, which waits for the step", async () => {
    const { tracker, calls, begun, hold, release } = await watching();
    hold();
    const members = [
      tracker.subscriptions.consume("crm", () => {}),
      tracker.work(),
      tracker.subscriptions.consume("crm", () => {}),
    ];
    await begun.promise;
    await members[0]!.stop();
    await members[1]!.stop();
    let isStopped = false;
    const stopped = members[2]!.stop().then(() => (isStopped = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual([isStopped, calls.firstPasses], [false, 1]);
    release();
    await stopped;
    const { passes, firstPasses } = calls;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual([calls.passes, calls.firstPasses], [passes, firstPasses]);
  });

  test("a reader of changes does it, and the close ends it after its step", async () => {
    const { tracker, begun, hold, release } = await watching();
    hold();
    const next = tracker.subscriptions.changes("crm").next();
    await begun.promise;
    let isClosed = false;
    const closed = tracker.close().then(() => (isClosed = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(isClosed, false);
    release();
    await closed;
    await assert.rejects(next);
  });

  test("until caught up a consumer runs first passes, and sweeps a workspace only if that is due", async () => {
    const { tracker, calls, isReady } = await watching();
    const consume = () => tracker.subscriptions.consume("crm", { until: "caught-up" }, () => {});
    await consume();
    assert.deepEqual([await isReady(), calls.sweeps], [true, 1]);
    await consume();
    await tracker.work({ until: "caught-up", sweepSeconds: 300 });
    assert.equal(calls.sweeps, 1);
    await tracker.work({ until: "caught-up" });
    assert.equal(calls.sweeps, 2);
  });

  for (const wait of [0, 1]) {
    test(`an HTTP read with wait ${wait} logs what waits, and does not sweep`, async () => {
      const { storage, calls } = await watching();
      const { passes } = calls;
      await listChanges({ storage, workspace: "default", now: Date.now }, "crm", { wait });
      assert.ok(calls.passes > passes);
      assert.deepEqual([calls.firstPasses, calls.sweeps], [0, 0]);
    });
  }
});
