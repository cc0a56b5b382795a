/** The tests of the order of changes. */
import assert from "node:assert/strict";
import { accepted, createContact, recordEvent } from "../calls.ts";
import { at, workspace, idAt, rowsUpTo, dayMs } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { logAll, readAll, subscribe, told } from "../log.ts";

export function changeOrder(test: StorageTest): void {
  test("a transaction's changes are logged after its commit, in order of commits", async ({ storage, begin }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    await subscribe(storage);
    const late = await begin();
    await recordEvent(late.inside, { eventKey: "late", createdAt: at - dayMs, recordedAt: at - dayMs });
    await recordEvent(storage, { contact: { email: "bob@example.com" }, eventKey: "early" });
    const { changes: first, position } = await readAll(storage);
    assert.equal(first.length, 1);
    await late.commit();
    assert.deepEqual(await told(storage, { after: position }), ["event_recorded late"]);
    assert.deepEqual(await told(storage), ["event_recorded early", "event_recorded late"]);
  });

  test("a transaction that is rolled back causes no change", async ({ storage, begin }) => {
    await subscribe(storage);
    const { inside, rollback } = await begin();
    await createContact(inside);
    await recordEvent(inside);
    await rollback();
    assert.deepEqual(await told(storage), []);
  });

  test("a transaction that creates and deletes a contact causes a deletion's change", async ({ storage, begin }) => {
    await subscribe(storage);
    const { inside, commit } = await begin();
    await createContact(inside);
    accepted(await inside.deleteContact(workspace, "ada@example.com", at));
    await commit();
    assert.deepEqual(await told(storage), ["contact_deleted"]);
  });

  test("writes one after another are logged in their order, in pages of any size", async ({ storage }) => {
    await subscribe(storage);
    await subscribe(storage, { key: "even", on: { events: ["0"] } });
    const emails = ["ada@example.com", "bob@example.com"];
    for (const email of emails) await createContact(storage, { email });
    for (let n = 0; n < 9; n++) {
      // Neither the times nor the ids ascend.
      const draft = { id: idAt(at - n), eventKey: String(n % 3), recordedAt: at - n };
      await recordEvent(storage, { ...draft, contact: { email: emails[n % 2]! } });
    }
    const whole = await readAll(storage);
    assert.deepEqual(
      whole.changes.map(({ at: time }) => time),
      [at, at, ...Array.from({ length: 9 }, (_, n) => at - n)],
    );
    for (const limit of [1, 2, 11, 12]) assert.deepEqual(await readAll(storage, { limit }), whole);
    const positions = whole.changes.map(({ position }) => position);
    assert.deepEqual(
      positions,
      [...new Set(positions)].sort((a, b) => a - b),
    );
    assert.equal((await readAll(storage, { key: "even", limit: 2 })).changes.length, 3);
    assert.deepEqual(await readAll(storage, { after: positions[4]! }), {
      changes: whole.changes.slice(5),
      position: whole.position,
    });
  });

  test("the newest changes are the last that the subscription takes, to the end of the log", async ({ storage }) => {
    await createContact(storage);
    await subscribe(storage, { key: "every", on: { events: true } });
    await recordEvent(storage, { eventKey: "a" });
    await logAll(storage);
    await subscribe(storage, { on: { events: ["a", "b", "c"] } });
    for (const eventKey of ["a", "other", "b", "c", "other"]) await recordEvent(storage, { eventKey });
    const { changes, position } = await readAll(storage);
    assert.deepEqual(await told(storage), ["event_recorded a", "event_recorded b", "event_recorded c"]);
    for (const limit of [1, 2, 3, 4]) {
      const newest = accepted(await storage.listChanges(workspace, "all", "newest", rowsUpTo(limit)));
      assert.deepEqual(newest, { rows: changes.slice(-limit), more: limit < changes.length, position });
    }
  });
}
