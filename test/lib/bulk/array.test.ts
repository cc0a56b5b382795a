import assert from "node:assert/strict";
import { refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

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
