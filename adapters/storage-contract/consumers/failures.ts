/** The tests of changes that failed, of the contacts that wait for them, and of changes that expired. */
import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { Slice } from "../../../lib/storage/rows.ts";
import { accepted, refused } from "../calls.ts";
import { logAll } from "../log.ts";
import { at, subscriptionDraft, workspace, rowsUpTo, dayMs } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import {
  failFirst,
  failureOf,
  handleDue,
  happen,
  idsOf,
  longMs,
  progressOf,
  subscribeContacts,
  take,
} from "../taking.ts";

const all: Slice = { ...rowsUpTo(100), after: null };

async function parkedIds(storage: Storage, slice = all): Promise<string[]> {
  return accepted(await storage.listParked(workspace, "all", slice)).rows.map(({ id }) => id);
}

export function failedContacts(test: StorageTest): void {
  test("a contact whose change failed waits, while the others of its slot go on", async ({ storage }) => {
    await subscribeContacts(storage, 5, 5);
    const [failed, other] = [await happen(storage, 0), await happen(storage, 1)];
    assert.equal(await failFirst(storage, longMs), failed);
    await happen(storage, 0);
    const next = await happen(storage, 1);
    assert.deepEqual(idsOf(await take(storage, { leaseMs: 0 })), [next]);
    assert.notEqual(other, next);
    assert.deepEqual(await parkedIds(storage), []);
  });

  test("after its pause a contact goes on with the change that failed, then later in order", async ({ storage }) => {
    await subscribeContacts(storage, 5, 5);
    const ids = [await happen(storage, 0), await happen(storage, 0)];
    await failFirst(storage, 0);
    await failFirst(storage, 0);
    const other = await happen(storage, 1);
    const { changes } = (await take(storage, { leaseMs: 0 })).slots[0]!;
    assert.deepEqual(
      changes.map(({ row, waited, failures }) => [row.id, waited, failures]),
      [
        [ids[0], true, 2],
        [ids[1], true, 0],
        [other, false, 0],
      ],
    );
    assert.equal(await handleDue(storage), ids[0]);
    assert.equal(await handleDue(storage), ids[1]);
    const later = await happen(storage, 0);
    const { changes: last } = (await take(storage)).slots[0]!;
    assert.deepEqual(
      last.map(({ row, waited }) => [row.id, waited]),
      [
        [other, false],
        [later, false],
      ],
    );
  });

  test("a change that a contact waits for is not taken if the subscription no longer takes it", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    await happen(storage, 0, "a");
    const next = await happen(storage, 0, "b");
    await failFirst(storage, 0);
    await storage.putDefinition(subscriptionDraft({ on: { events: ["b"] } }));
    assert.deepEqual(idsOf(await take(storage)), [next]);
  });

  test("a call takes at most limit changes of contacts that wait, and at most limit others", async ({ storage }) => {
    await subscribeContacts(storage, 5, 5);
    const ids = [await happen(storage, 0), await happen(storage, 0)];
    await failFirst(storage, 0);
    const others = [await happen(storage, 1), await happen(storage, 1)];
    assert.deepEqual(idsOf(await take(storage, { limit: 1, leaseMs: 0 })), [ids[0], others[0]]);
    assert.deepEqual(idsOf(await take(storage)), [...ids, ...others]);
  });

  test("a failure whose lease is lost, or whose contact was deleted, is not stored", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    await storage.putDefinition(subscriptionDraft());
    await happen(storage, 0);
    const taken = await take(storage, { token: "a", leaseMs: 0 });
    const contact = failureOf(taken, null);
    const again = await take(storage, { token: "b" });
    const store = (token: string) => storage.acknowledge(workspace, [progressOf(again, token, { contact })]);
    assert.deepEqual(await store("a"), [false]);
    assert.deepEqual(await parkedIds(storage), []);
    accepted(await storage.deleteContact(workspace, "c0@example.com", at));
    assert.deepEqual(await store("b"), [true]);
    assert.deepEqual(await parkedIds(storage), []);
    assert.equal((await take(storage)).slots[0]?.changes[0]?.row.kind, "contact_deleted");
  });
}

export function parkedContacts(test: StorageTest): void {
  test("parked contacts are listed with the change, the error and the number of failures", async ({ storage }) => {
    const contacts = await subscribeContacts(storage, 5, 6);
    const first = await happen(storage, 0);
    await failFirst(storage, 0);
    const clock = await storage.readClock();
    await failFirst(storage, null, { error: "Error: 😀" });
    const second = await happen(storage, 1);
    await failFirst(storage, null);
    const { rows } = accepted(await storage.listParked(workspace, "all", all));
    assert.deepEqual(
      rows.map(({ id, contactId, failures, error }) => [id, contactId, failures, error]),
      [
        [first, contacts[0]?.id, 2, "Error: 😀"],
        [second, contacts[1]?.id, 1, "Error: no"],
      ],
    );
    assert.ok(rows[0]!.createdAt >= clock);
    assert.equal(rows[0]?.change?.id, first);
    assert.deepEqual(await parkedIds(storage, { ...rowsUpTo(1), after: null }), [first]);
    assert.deepEqual(await parkedIds(storage, { ...rowsUpTo(2), after: rows[0]! }), [second]);
    refused(await storage.listParked(workspace, "unknown", all), "definition_not_found");
  });

  test("a retry goes on with the change that failed, and a drop with the next of the contact", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    const ids = [await happen(storage, 0), await happen(storage, 0), await happen(storage, 0)];
    await failFirst(storage, null);
    assert.deepEqual((await take(storage)).slots, []);
    assert.equal(await storage.releaseParked(workspace, "all", ids[0]!, "retry"), null);
    assert.deepEqual(await parkedIds(storage), []);
    const { slots } = await take(storage, { leaseMs: 0 });
    assert.deepEqual(
      slots[0]?.changes.map(({ row, failures }) => [row.id, failures]),
      ids.map((id) => [id, 0]),
    );
    await failFirst(storage, null);
    assert.equal(await storage.releaseParked(workspace, "all", ids[0]!, "drop"), null);
    assert.deepEqual(idsOf(await take(storage)), ids.slice(1));
  });

  test("a change that is retried or dropped twice, is unknown, or only pauses, is refused", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    const id = await happen(storage, 0);
    await happen(storage, 0);
    await failFirst(storage, longMs);
    const release = (how: "retry" | "drop", key = "all", changeId = id) =>
      storage.releaseParked(workspace, key, changeId, how);
    refused(await release("retry"), "change_not_parked");
    refused(await release("drop", "unknown"), "definition_not_found");
    refused(await release("drop", "all", newId(at)), "change_not_parked");
    await storage.resumeChanges(workspace, "all", "now");
    await happen(storage, 0);
    const parked = await failFirst(storage, null);
    assert.equal(await release("drop", "all", parked), null);
    refused(await release("drop", "all", parked), "change_not_parked");
    refused(await release("retry", "all", parked), "change_not_parked");
  });

  test("the deletion of a parked contact leaves only the change of the deletion", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    await storage.putDefinition(subscriptionDraft());
    await happen(storage, 0);
    await failFirst(storage, null);
    await happen(storage, 0);
    accepted(await storage.deleteContact(workspace, "c0@example.com", at));
    assert.deepEqual(await parkedIds(storage), []);
    const taken = await take(storage, { leaseMs: 0 });
    assert.deepEqual(
      taken.slots.flatMap(({ changes }) => changes.map(({ row, waited }) => [row.kind, waited])),
      [["contact_deleted", false]],
    );
    const id = await failFirst(storage, null);
    assert.deepEqual(await parkedIds(storage), [id]);
  });

  test("a transaction that deletes a contact and is rolled back leaves it parked", async ({ storage, begin }) => {
    await subscribeContacts(storage, 5);
    const id = await happen(storage, 0);
    await failFirst(storage, null);
    const { inside, rollback } = await begin();
    accepted(await inside.deleteContact(workspace, "c0@example.com", at));
    await rollback();
    assert.deepEqual(await parkedIds(storage), [id]);
  });
}

export function expiredChanges(test: StorageTest): void {
  test("removed changes that were not handled are refused until the consumer resumes", async ({ storage }) => {
    await subscribeContacts(storage, 5, 6);
    await happen(storage, 0);
    await logAll(storage);
    await storage.removeOldChanges((await storage.readClock()) + 8 * dayMs);
    const request = { token: "a", leaseMs: 0, ...rowsUpTo(1) };
    refused(await storage.takeChanges(workspace, "all", request), "changes_expired");
    const kept = await happen(storage, 1);
    refused(await storage.takeChanges(workspace, "all", request), "changes_expired");
    assert.equal(await storage.resumeChanges(workspace, "all", "oldest"), null);
    assert.deepEqual(idsOf(await take(storage)), [kept]);
    refused(await storage.resumeChanges(workspace, "unknown", "oldest"), "definition_not_found");
  });

  test("changes that were handled are removed without a refusal, also those of other slots", async ({ storage }) => {
    await subscribeContacts(storage, 5, 6);
    await happen(storage, 0);
    const taken = await take(storage, { token: "a" });
    await storage.acknowledge(workspace, [progressOf(taken, "a")]);
    await storage.removeOldChanges((await storage.readClock()) + 8 * dayMs);
    assert.deepEqual((await take(storage)).slots, []);
  });

  test("a consumer that resumes with the oldest change repeats none that it handled", async ({ storage }) => {
    await subscribeContacts(storage, 5, 6);
    await happen(storage, 0);
    const taken = await take(storage, { token: "a", leaseMs: 0 });
    await storage.acknowledge(workspace, [progressOf(taken, "a", { leaseMs: longMs })]);
    const next = await happen(storage, 1);
    await storage.resumeChanges(workspace, "all", "oldest");
    assert.deepEqual(await storage.acknowledge(workspace, [progressOf(taken, "a")]), [false]);
    assert.deepEqual(idsOf(await take(storage)), [next]);
  });

  test("a consumer that resumes now skips all changes and contacts that wait", async ({ storage }) => {
    await subscribeContacts(storage, 5, 6);
    await happen(storage, 0);
    await failFirst(storage, null);
    await happen(storage, 1);
    await logAll(storage);
    assert.equal(await storage.resumeChanges(workspace, "all", "now"), null);
    assert.deepEqual(await parkedIds(storage), []);
    const next = await happen(storage, 0);
    assert.deepEqual(idsOf(await take(storage)), [next]);
  });

  test("a contact whose failed change was removed stays parked, and can be dropped alone", async ({ storage }) => {
    await subscribeContacts(storage, 5, 6);
    const parked = await happen(storage, 0);
    await failFirst(storage, null);
    const paused = await happen(storage, 1);
    await failFirst(storage, 0);
    await storage.removeOldChanges((await storage.readClock()) + 8 * dayMs);
    const kept = await happen(storage, 0);
    assert.deepEqual((await take(storage)).slots, []);
    const { rows } = accepted(await storage.listParked(workspace, "all", all));
    assert.deepEqual(
      rows.map(({ id, change, error }) => [id, change, error]),
      [parked, paused].map((id) => [id, null, "Error: no"]),
    );
    refused(await storage.releaseParked(workspace, "all", parked, "retry"), "changes_expired");
    assert.equal(await storage.releaseParked(workspace, "all", parked, "drop"), null);
    assert.deepEqual(idsOf(await take(storage)), [kept]);
  });

  test("a change that fails after it was removed for its age is not skipped", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    const id = await happen(storage, 0);
    const taken = await take(storage, { token: "a" });
    await storage.removeOldChanges((await storage.readClock()) + 8 * dayMs);
    const contact = failureOf(taken, null);
    await storage.acknowledge(workspace, [progressOf(taken, "a", { contact })]);
    assert.deepEqual(await parkedIds(storage), [id]);
  });
}
