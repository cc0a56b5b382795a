/** What `memoryStorage().begin()` hands out, beyond what the contract asks of every storage's transactions. */
import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { refusalOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const step = { externalId: "ada@example.com", eventKey: "step" };

/** Runs the function while time stands still, but for what it lets pass. */
async function withoutTime(run: (pass: (ms: number) => void) => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    await run((ms) => mock.timers.tick(ms));
  } finally {
    mock.timers.reset();
  }
}

suite("memory transactions", (test) => {
  test("within takes only what begin handed out", () => {
    const { tracker } = stoppedTracker();
    assert.throws(() => tracker.within({}), TypeError);
    assert.throws(() => tracker.within({ commit: () => {}, rollback: () => {} }), TypeError);
  });

  test("a second commit is refused", async () => {
    const transaction = memoryStorage().begin();
    await transaction.commit();
    assert.equal((await refusalOf(transaction.commit())).code, "transaction_required");
  });

  test("a commit after the rollback, or after the close, is refused", async () => {
    const storage = memoryStorage();
    const [transaction, open] = [storage.begin(), storage.begin()];
    await transaction.rollback();
    assert.equal((await refusalOf(transaction.commit())).code, "transaction_required");
    await storage.close();
    assert.equal((await refusalOf(open.commit())).code, "storage_unavailable");
    await open.rollback();
  });

  test("a rollback after the end is harmless, and undoes nothing", async () => {
    const { tracker, storage } = stoppedTracker();
    const transaction = storage.begin();
    await tracker.within(transaction).contacts.upsert({ email: "ada@example.com" });
    await transaction.commit();
    await transaction.rollback();
    await transaction.rollback();
    assert.notEqual(await tracker.contacts.get("ada@example.com"), null);
  });

  test("a commit waits for the calls before it", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const transaction = storage.begin();
    const tracking = tracker.within(transaction).events.track(step);
    await transaction.commit();
    assert.equal((await tracker.events.list("ada@example.com")).items[0]?.id, (await tracking).event.id);
  });

  test("a rollback waits for the calls before it, and drops what they wrote", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const transaction = storage.begin();
    const tracking = tracker.within(transaction).events.track(step);
    await transaction.rollback();
    assert.equal((await tracking).replayed, false);
    assert.deepEqual((await tracker.events.list("ada@example.com")).items, []);
  });

  test("a call waits 5 s in all, however many transactions hold its contact one after another", async () => {
    await withoutTime(async (pass) => {
      const { tracker, storage } = stoppedTracker();
      await tracker.contacts.upsert({ email: "ada@example.com" });
      const [first, second] = [storage.begin(), storage.begin()];
      await tracker.within(first).events.track(step);
      const claimed = tracker.within(second).events.track(step);
      // So that it waits before the other does.
      await nextTurn();
      const outcome = refusalOf(tracker.events.track(step));
      await nextTurn();
      pass(3_000);
      await first.commit();
      await claimed;
      await nextTurn();
      pass(3_000);
      await nextTurn();
      await second.commit();
      assert.equal((await outcome).code, "storage_unavailable");
    });
  });

  test("a call gets what is released in its 5 s, though the process is busy until they have passed", async () => {
    await withoutTime(async (pass) => {
      const { tracker, storage } = stoppedTracker();
      await tracker.contacts.upsert({ email: "ada@example.com" });
      const transaction = storage.begin();
      await tracker.within(transaction).events.track(step);
      const tracked = tracker.events.track(step);
      await nextTurn();
      await transaction.commit();
      pass(5_000);
      assert.equal((await tracked).event.eventKey, step.eventKey);
    });
  });
});
