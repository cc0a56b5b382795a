import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, TrackerError } from "../../lib/index.ts";
import { refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const ada = "ada@example.com";

suite("the tries of a transaction", (test) => {
  /** Runs a transaction that fails with the error so many times. Resolves with the number of its calls. */
  async function callsUntilEnd(error: unknown, failures: number, options?: object): Promise<number> {
    const { tracker } = stoppedTracker();
    let calls = 0;
    const run = tracker.transaction(async (tx) => {
      await tx.contacts.upsert({ email: ada });
      if (++calls <= failures) throw error;
    }, options);
    await run.catch((thrown: unknown) => assert.equal(thrown, error));
    assert.equal(await tracker.contacts.count(), calls > failures ? 1 : 0);
    return calls;
  }
  const lost = new TrackerError("transaction_lost");

  test("a lost transaction is run again, until it was run so many times", async () => {
    assert.equal(await callsUntilEnd(lost, 2, { tries: 3 }), 3);
    assert.equal(await callsUntilEnd(lost, 9, { tries: 3 }), 3);
    assert.equal(await callsUntilEnd(lost, 9), 1);
  });

  test("a transaction that failed otherwise is not run again", async () => {
    const partial = new TrackerError("transaction_lost", { partial: true });
    const errors = [new Error("no stock"), new TrackerError("storage_unavailable"), partial, undefined];
    for (const error of errors) assert.equal(await callsUntilEnd(error, 9, { tries: 3 }), 1);
  });

  for (const end of ["commit", "rollback"] as const) {
    test(`a transaction is not run again if its function calls ${end} itself`, async () => {
      const { tracker } = stoppedTracker();
      let calls = 0;
      const ended = tracker.transaction(
        async (_, connection) => {
          calls++;
          await connection[end]();
        },
        { tries: 3 },
      );
      const refusal = await refusalOf(ended);
      assert.ok(refusal.code === "transaction_lost" && refusal.partial);
      assert.equal(calls, 1);
    });
  }

  test("tries is a whole number from 1 to 100", async () => {
    const { tracker } = stoppedTracker();
    for (const tries of [0, 1.5, 101, "3", null, NaN]) {
      const refusal = await refusalOf(tracker.transaction(async () => {}, untyped({ tries })));
      assert.deepEqual([refusal.code, refusal.issues[0]?.path], ["invalid_input", "tries"]);
    }
  });
});

suite("an event with its contact", (test) => {
  const first = { contact: { email: ada, name: "Ada" }, eventKey: "step" };

  test("is written inside a transaction, or not at all", async () => {
    const { tracker } = stoppedTracker();
    const stopped = tracker.transaction(async (tx) => {
      await tx.events.track(first);
      throw new Error("no stock");
    });
    await assert.rejects(stopped, { message: "no stock" });
    assert.equal(await tracker.contacts.get(ada), null);
    await tracker.transaction((tx) => tx.events.track(first));
    assert.equal((await tracker.events.list(ada)).items.length, 1);
  });

  test("leaves the contact after a fault between, and a retry finishes", async () => {
    const storage = memoryStorage();
    let isDown = true;
    const recordEvents: typeof storage.recordEvents = async (drafts) => {
      if (isDown) throw new TrackerError("storage_unavailable");
      return storage.recordEvents(drafts);
    };
    const tracker = createTracker({ storage: { ...storage, recordEvents } });
    assert.equal((await refusalOf(tracker.events.track(first, { idempotencyKey: "k" }))).code, "storage_unavailable");
    assert.equal((await tracker.contacts.get(ada))?.name, "Ada");
    isDown = false;
    assert.equal((await tracker.events.track(first, { idempotencyKey: "k" })).replayed, false);
    assert.equal((await tracker.events.list(ada)).items.length, 1);
  });
});
