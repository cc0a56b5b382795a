import assert from "node:assert/strict";
import { TrackerError } from "../../lib/index.ts";
import { refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const ada = "ada@example.com";
const step = { externalId: ada, eventKey: "step" };

suite("the methods inside a transaction", (test) => {
  test("upsertMany and trackMany answer each item in order, and write what is accepted", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    const told: unknown[] = [];
    const counts = await tracker.transaction(async (tx) => {
      const contacts = [{ email: ada, customAttributes: { seats: 3 } }, { email: "ada" }, { email: "bob@example.com" }];
      const upserted = await tx.contacts.upsertMany(contacts, (result, index) => {
        told.push([index, result.ok ? result.contact.customAttributes : result.error.code]);
      });
      const events = [
        step,
        { ...step, externalId: "nobody" },
        { ...step, idempotencyKey: "k" },
        { ...step, idempotencyKey: "k" },
      ];
      const tracked = await tx.events.trackMany(events, (result, index) => {
        told.push([index, result.ok ? result.replayed : result.error.code]);
      });
      return [upserted, tracked];
    });
    assert.deepEqual(counts, [
      { ok: 2, failed: 1 },
      { ok: 3, failed: 1 },
    ]);
    assert.deepEqual(told, [
      [0, { seats: 3 }],
      [1, "invalid_input"],
      [2, {}],
      [0, false],
      [1, "contact_not_found"],
      [2, false],
      [3, true],
    ]);
    assert.equal((await tracker.events.list(ada)).items.length, 2);
  });

  test("upsertMany and trackMany take arrays alone, and the options of the methods outside", async () => {
    const { tracker } = stoppedTracker();
    await tracker.subscriptions.define({ key: "all", on: { events: true, contacts: true } });
    await tracker.transaction(async (tx) => {
      await assert.rejects(tx.contacts.upsertMany(untyped(new Set([{ email: ada }]))), TypeError);
      await assert.rejects(tx.events.trackMany(untyped(step)), TypeError);
      assert.equal((await refusalOf(tx.events.trackMany([], undefined, untyped({ notify: 1 })))).code, "invalid_input");
      await tx.contacts.upsertMany([{ email: ada }], undefined, { notify: false });
      await tx.events.trackMany([step], undefined, { notify: false });
      await tx.events.trackMany([{ ...step, eventKey: "told" }]);
    });
    const changes = await tracker.subscriptions.recent("all");
    assert.deepEqual(
      changes.map((change) => change.kind === "event_recorded" && change.event.eventKey),
      ["told"],
    );
  });

  test("an error of each rejects the call after the write", async () => {
    const { tracker } = stoppedTracker();
    await tracker.transaction(async (tx) => {
      const upserting = tx.contacts.upsertMany([{ email: ada }, { email: "bob@example.com" }], () => {
        throw new Error("stop");
      });
      await assert.rejects(upserting, { message: "stop" });
    });
    assert.equal(await tracker.contacts.count(), 2);
  });

  test("an item that is completed inside counts inside at once, and outside after the commit", async () => {
    const { tracker } = stoppedTracker();
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "hand", name: "By hand" }] });
    await tracker.contacts.upsert({ email: ada });
    const [outside] = await tracker.checklists.progress(ada);
    await tracker.transaction(async (tx) => {
      const completed = await tx.checklists.complete(ada, "start", "hand");
      assert.equal(completed.items[0]?.completed, true);
      assert.deepEqual(await tx.checklists.progress(ada), [completed]);
      assert.deepEqual(await tracker.checklists.progress(ada), [outside]);
      const nobody = tx.checklists.complete("nobody", "start", "hand");
      assert.equal((await refusalOf(nobody)).code, "contact_not_found");
    });
    assert.equal((await tracker.checklists.progress(ada))[0]?.items[0]?.completed, true);
  });
});

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
      const { code, partial } = await refusalOf(ended);
      assert.deepEqual([code, partial, calls], ["transaction_lost", true, 1]);
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
