/** The tests of slots, leases and progress. A lease of 0 ms has ended when the next call begins. */
import assert from "node:assert/strict";
import { slotOf } from "../../../lib/decisions/slots.ts";
import type { SlotProgress } from "../../../lib/storage/consumers.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, atOnce, createContact, recordEvent, refused } from "../calls.ts";
import { contactDraft, eventDraft, subscriptionDraft, workspace, rowsUpTo } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { start, assertPending } from "../pending.ts";
import { happen, idsOf, longMs, progressOf, subscribeContacts, take, withoutPlace } from "../taking.ts";

async function acknowledge(storage: Storage, ...items: SlotProgress[]): Promise<boolean[]> {
  return storage.acknowledge(workspace, items);
}

export function leases(test: StorageTest): void {
  test("the slots with changes are leased, each by one call, and the others are not", async ({ storage }) => {
    const contacts = await subscribeContacts(storage, 7, 70, 8);
    const ids = [await happen(storage, 2), await happen(storage, 0), await happen(storage, 1)];
    const taken = await take(storage);
    assert.deepEqual(
      taken.slots.map(({ slot, changes }) => [slot, changes.map(({ row }) => row.id)]),
      [
        [8, [ids[0]]],
        [7, [ids[1]]],
        [6, [ids[2]]],
      ],
    );
    const slots = contacts.map(({ id }) => slotOf(id));
    assert.deepEqual(slots, [7, 6, 8]);
    assert.equal(taken.busy, false);
    assert.deepEqual(
      taken.slots[0]?.changes.map(({ waited, failures }) => [waited, failures]),
      [[false, 0]],
    );
    assert.deepEqual(withoutPlace(await take(storage)), { ...withoutPlace(taken), slots: [], busy: true });
  });

  test("changes of other subscriptions hide a change only from calls that resolve with more", async ({ storage }) => {
    await subscribeContacts(storage, 1);
    accepted(await storage.putDefinition(subscriptionDraft({ on: { events: ["last"] } })));
    accepted(await storage.putDefinition(subscriptionDraft({ key: "others", on: { events: true } })));
    const contact = { email: "c0@example.com" };
    for (let n = 0; n < 3; n++) {
      await storage.recordEvents(Array.from({ length: 500 }, () => eventDraft({ contact })));
    }
    const id = await happen(storage, 0, "last");
    let taken = await take(storage);
    while (taken.slots.length === 0 && taken.more) taken = await take(storage);
    assert.deepEqual(idsOf(taken), [id]);
  });

  test("calls at once lease no slot twice", async ({ storage }) => {
    await subscribeContacts(storage, 1, 2, 3);
    const ids: string[] = [];
    for (let n = 0; n < 9; n++) ids.push(await happen(storage, n % 3));
    const taken = [...(await atOnce(5, () => take(storage))), await take(storage)];
    assert.deepEqual(taken.flatMap(idsOf).sort(), ids.sort());
  });

  test("the changes of contacts in one slot are taken in the order of the log, at most limit", async ({ storage }) => {
    await subscribeContacts(storage, 3, 3);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await happen(storage, n % 2));
    const taken = await take(storage, { token: "a", limit: 3 });
    assert.deepEqual(idsOf(taken), ids.slice(0, 3));
    assert.equal(taken.slots[0]?.end, taken.slots[0]?.changes.at(-1)?.row.position);
    assert.deepEqual(await acknowledge(storage, progressOf(taken, "a")), [true]);
    assert.deepEqual(idsOf(await take(storage)), ids.slice(3));
  });

  test("after a lease ends its slot is free, and the old token stores nothing any more", async ({ storage }) => {
    await subscribeContacts(storage, 1);
    const id = await happen(storage, 0);
    const first = await take(storage, { token: "a", leaseMs: 0 });
    const second = await take(storage, { token: "b" });
    assert.deepEqual([idsOf(first), idsOf(second)], [[id], [id]]);
    assert.equal(second.busy, false);
    const answers = await acknowledge(storage, progressOf(first, "a"), progressOf(second, "b", { leaseMs: 0 }));
    assert.deepEqual(answers, [false, true]);
    assert.deepEqual(await acknowledge(storage, progressOf(second, "b")), [true]);
    assert.deepEqual(await acknowledge(storage, progressOf(second, "b")), [false]);
    assert.deepEqual(withoutPlace(await take(storage)), { ...withoutPlace(first), slots: [] });
  });

  test("progress renews a lease, and moves no position back", async ({ storage }) => {
    await subscribeContacts(storage, 1);
    await happen(storage, 0);
    const taken = await take(storage, { token: "a", leaseMs: 0 });
    const position = taken.slots[0]!.position;
    await acknowledge(storage, progressOf(taken, "a", { leaseMs: longMs }));
    assert.equal((await take(storage)).busy, true);
    await acknowledge(storage, progressOf(taken, "a", { position, leaseMs: longMs }));
    assert.deepEqual(await acknowledge(storage, progressOf(taken, "a", { position })), [true]);
    assert.deepEqual((await take(storage)).slots, []);
  });

  test("changes of another workspace, or not of the subscription, are not handed out", async ({ storage }) => {
    await subscribeContacts(storage, 1);
    accepted(await storage.putDefinition(subscriptionDraft({ key: "contacts", on: { contacts: true } })));
    await storage.putDefinition(subscriptionDraft({ workspace: "other" }));
    await storage.upsertContacts([contactDraft(), contactDraft({ workspace: "other" })]);
    const [event] = await storage.recordEvents([eventDraft({ workspace: "other" })]);
    assert.ok(event);
    assert.deepEqual((await take(storage)).slots, []);
    await storage.putDefinition(subscriptionDraft({ on: { contacts: true } }));
    assert.deepEqual((await take(storage)).slots, []);
    refused(
      await storage.takeChanges(workspace, "unknown", { token: "a", leaseMs: 0, ...rowsUpTo(1) }),
      "definition_not_found",
    );
  });

  test("every subscription has slots of its own, which are deleted with it", async ({ storage }) => {
    await subscribeContacts(storage, 1);
    await storage.putDefinition(subscriptionDraft({ key: "same", on: { events: true } }));
    const id = await happen(storage, 0);
    const taken = await take(storage, { token: "a" });
    const same = await storage.takeChanges(workspace, "same", { token: "b", leaseMs: 0, ...rowsUpTo(1) });
    assert.deepEqual(idsOf(accepted(same)), [id]);
    await storage.deleteDefinition(workspace, "subscription", "all");
    await storage.putDefinition(subscriptionDraft({ on: { events: true } }));
    assert.deepEqual(await acknowledge(storage, progressOf(taken, "a")), [false]);
    assert.deepEqual((await take(storage)).slots, []);
  });
}

const ada = { externalId: "ada@example.com" };

export function acknowledgedInTransactions(test: StorageTest): void {
  test("the progress and the rows of a transaction are committed together, or neither", async ({ storage, begin }) => {
    await subscribeContacts(storage, 1);
    const id = await happen(storage, 0);
    const taken = await take(storage, { token: "a", leaseMs: 0 });
    const undone = await begin();
    await createContact(undone.inside);
    assert.deepEqual(await acknowledge(undone.inside, progressOf(taken, "a")), [true]);
    await undone.rollback();
    assert.equal(await storage.findContact(workspace, ada), null);
    const again = await take(storage, { token: "b", leaseMs: 0 });
    assert.deepEqual(idsOf(again), [id]);
    await storage.transaction(async (inside) => {
      await createContact(inside);
      assert.deepEqual(await acknowledge(inside, progressOf(taken, "a")), [false]);
      assert.deepEqual(await acknowledge(inside, progressOf(again, "b")), [true]);
    });
    assert.ok(await storage.findContact(workspace, ada));
    assert.deepEqual((await take(storage)).slots, []);
  });

  test("a slot acknowledged in an open transaction is not leased, and progress waits", async ({ storage, begin }) => {
    await subscribeContacts(storage, 1, 2);
    await happen(storage, 0);
    const taken = await take(storage, { token: "a", leaseMs: 0 });
    const { inside, commit } = await begin();
    await acknowledge(inside, progressOf(taken, "a"));
    const id = await happen(storage, 1);
    assert.deepEqual(idsOf(await take(storage)), [id]);
    const renewal = start(acknowledge(storage, progressOf(taken, "a", { leaseMs: longMs })));
    const resumption = start(storage.resumeChanges(workspace, "all", "oldest"));
    await assertPending(renewal, resumption);
    await commit();
    assert.deepEqual(await renewal.result, [false]);
    assert.equal(await resumption.result, null);
  });
}

export function changeListeners(test: StorageTest): void {
  test("a listener is called after commits with changes of its workspace until it ends", async ({ storage, begin }) => {
    await subscribeContacts(storage, 1);
    await storage.putDefinition(subscriptionDraft({ workspace: "other", on: { contacts: true } }));
    let calls = 0;
    const nextCall = createWaiter();
    const unwatch = storage.watchChanges(workspace, () => {
      calls++;
      nextCall.resolve();
    });
    await storage.upsertContacts([contactDraft(), contactDraft({ workspace: "other" })]);
    await storage.recordEvents([eventDraft({ notify: false })]);
    const { inside, rollback } = await begin();
    await recordEvent(inside);
    await rollback();
    assert.equal(calls, 0);
    await recordEvent(storage);
    await nextCall.promise();
    await storage.transaction(async (within) => {
      await recordEvent(within);
      assert.equal(calls, 1);
    });
    await nextCall.promise();
    unwatch();
    unwatch();
    await recordEvent(storage);
    assert.equal(calls, 2);
  });
}

/** Each `promise` resolves after one more `resolve`. */
function createWaiter(): { promise(): Promise<void>; resolve(): void } {
  let resolve = (): void => {};
  let next = new Promise<void>((done) => (resolve = done));
  return {
    resolve: () => resolve(),
    async promise() {
      await next;
      next = new Promise<void>((done) => (resolve = done));
    },
  };
}
