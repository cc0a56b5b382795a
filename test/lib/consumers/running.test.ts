import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { MemoryStorage } from "../../../adapters/memory/index.ts";
import { slotOf } from "../../../lib/decisions/slots.ts";
import { deferred, subscribed, trackerOn } from "../../support/consuming.ts";
import { suite } from "../../support/suite.ts";

const ada = { email: "ada@example.com" };
const caughtUp = { until: "caught-up" } as const;

/** A storage whose transactions begin late: as if all connections were in use. */
function beforeTransactions(storage: MemoryStorage): {
  waiting: Promise<void>;
  proceed(): void;
  waitingStorage: MemoryStorage;
} {
  const waiting = deferred();
  const free = deferred();
  const transaction: MemoryStorage["transaction"] = async (run) => {
    waiting.resolve();
    await free.promise;
    return storage.transaction(run);
  };
  return { waiting: waiting.promise, proceed: () => free.resolve(), waitingStorage: { ...storage, transaction } };
}

suite({ name: "running handlers", atOnce: 8 }, (test) => {
  test("at most concurrency handlers run, for as many contacts", async () => {
    const { tracker } = await subscribed();
    for (let n = 0; n < 40; n++) await tracker.contacts.upsert({ email: `c${n}@example.com` });
    let running = 0;
    let most = 0;
    const options = { ...caughtUp, concurrency: 3 };
    await tracker.subscriptions.consume("all", options, async () => {
      most = Math.max(most, ++running);
      await pause(1);
      running--;
    });
    assert.equal(most, 3);
  });

  test("a slow handler holds no other contact up if there is a further one", async () => {
    const { tracker } = await subscribed();
    await tracker.contacts.upsert(ada);
    const slow = deferred();
    const others = deferred();
    let seen = 0;
    const worker = tracker.subscriptions.consume("all", { concurrency: 2 }, async ({ contact }) => {
      if ("email" in contact && contact.email === ada.email) return slow.promise;
      if (++seen === 20) others.resolve();
      return undefined;
    });
    // Ten of them may wait: contacts in the slot of the slow one.
    for (let n = 0; n < 40; n++) await tracker.contacts.upsert({ email: `c${n}@example.com` });
    await others.promise;
    slow.resolve();
    await worker.stop();
  });

  test("a consumer that is stopped begins no further change, and the next one goes on", async () => {
    const { tracker } = await subscribed();
    for (let n = 0; n < 30; n++) await tracker.contacts.upsert({ ...ada, name: String(n) });
    const stopping = deferred();
    const seen: string[] = [];
    const worker = tracker.subscriptions.consume("all", async (change) => {
      if (seen.push(change.id) === 10) void worker.stop().then(stopping.resolve);
    });
    await stopping.promise;
    assert.equal(seen.length, 10);
    await tracker.subscriptions.consume("all", caughtUp, (change) => void seen.push(change.id));
    assert.equal(new Set(seen).size, 30);
    assert.equal(seen.length, 30);
  });

  test("a handler that waits for a transaction does not begin after the stop", async () => {
    const { tracker, storage, errors } = await subscribed();
    await tracker.contacts.upsert(ada);
    const { waiting, proceed, waitingStorage } = beforeTransactions(storage);
    const other = trackerOn(waitingStorage, (message) => errors.push(message));
    let calls = 0;
    const worker = other.subscriptions.consume("all", { transaction: true }, () => void calls++);
    await waiting;
    const stopped = worker.stop();
    proceed();
    await stopped;
    assert.equal(calls, 0);
    assert.deepEqual(errors, []);
    assert.deepEqual(await tracker.subscriptions.consume("all", caughtUp, () => {}), { handled: 1, failed: 0 });
  });

  test("a handler that waits for a transaction does not begin once its slot is lost", async () => {
    const { tracker, storage, errors } = await subscribed();
    await tracker.contacts.upsert(ada);
    const { waiting, proceed, waitingStorage } = beforeTransactions(storage);
    const lost = deferred();
    const acknowledge: MemoryStorage["acknowledge"] = async (...args) => {
      const answers = await storage.acknowledge(...args);
      // The renewal sees the answer first.
      if (answers.includes(false)) setImmediate(() => lost.resolve());
      return answers;
    };
    const other = trackerOn({ ...waitingStorage, acknowledge }, (message) => errors.push(message));
    let calls = 0;
    const options = { transaction: true, leaseSeconds: 0.03 } as const;
    const worker = other.subscriptions.consume("all", options, () => void calls++);
    await waiting;
    await tracker.subscriptions.resume("all", { from: "now" });
    await lost.promise;
    proceed();
    await worker.stop();
    assert.equal(calls, 0);
    assert.deepEqual(errors, []);
  });

  test("a change whose handler was aborted by the stop is handled by the next consumer", async () => {
    const { tracker } = await subscribed();
    await tracker.contacts.upsert(ada);
    const begun = deferred();
    const reasons: unknown[] = [];
    const worker = tracker.subscriptions.consume("all", async (_, { signal }) => {
      signal.addEventListener("abort", () => reasons.push((signal.reason as Error).message));
      begun.resolve();
      await new Promise(() => {});
    });
    await begun.promise;
    await worker.stop();
    assert.deepEqual(reasons, ["The consumer was stopped."]);
    const seen: unknown[] = [];
    await tracker.subscriptions.consume("all", caughtUp, (change) => void seen.push(change.kind));
    assert.deepEqual(seen, ["contact_created"]);
    assert.deepEqual((await tracker.subscriptions.parked("all")).items, []);
  });

  test("changes that a consumer cannot begin in time are given back to others", async () => {
    const { tracker, storage } = await subscribed();
    const left = new Set<string>();
    for (let n = 0; n < 8; n++) left.add((await tracker.contacts.upsert({ email: `c${n}@example.com` })).contact.id);
    const end = deferred();
    const isStuck = deferred<string>();
    let calls = 0;
    // Quick at first, so that it takes several changes at once; then stuck with the third.
    const worker = tracker.subscriptions.consume("all", async ({ contact: { id } }) => {
      left.delete(id);
      if (++calls < 3) return;
      isStuck.resolve(id);
      await end.promise;
    });
    const stuck = slotOf(await isStuck.promise);
    const others = [...left].filter((id) => slotOf(id) !== stuck);
    const allOthers = deferred();
    const helper = trackerOn(storage).subscriptions.consume("all", ({ contact: { id } }) => {
      left.delete(id);
      if (others.every((other) => !left.has(other))) allOthers.resolve();
    });
    await allOthers.promise;
    assert.equal(calls, 3);
    end.resolve();
    await Promise.all([worker.stop(), helper.stop()]);
  });
});
