/** The tests of consumers that resume at a time. */
import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, refused } from "../calls.ts";
import { rowsUpTo, workspace, dayMs } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { logAll } from "../log.ts";
import { failFirst, happen, idsOf, longMs, progressOf, subscribeContacts, take } from "../taking.ts";
import { laterClock } from "./probes.ts";

/** Records and logs an event of the contact. Resolves with its id, and with a time before it. */
async function logNext(storage: Storage, contact: number): Promise<{ id: string; before: number }> {
  const before = await laterClock(storage);
  const id = await happen(storage, contact);
  await logAll(storage);
  return { id, before };
}

async function resume(storage: Storage, from: number): Promise<void> {
  assert.equal(await storage.resumeChanges(workspace, "all", from), null);
}

export function resumptions(test: StorageTest): void {
  test("a consumer resumes at a time, forward, back or to come, with what is logged from then on", async ({
    storage,
  }) => {
    await subscribeContacts(storage, 5, 6);
    const [first, second] = [await logNext(storage, 0), await logNext(storage, 1)];
    const third = await logNext(storage, 0);
    await resume(storage, third.before);
    const taken = await take(storage, { token: "a" });
    assert.deepEqual(idsOf(taken), [third.id]);
    assert.deepEqual(await storage.acknowledge(workspace, [progressOf(taken, "a")]), [true]);
    await resume(storage, second.before);
    assert.deepEqual(idsOf(await take(storage, { leaseMs: 0 })).sort(), [second.id, third.id].sort());
    const loggedAt = Math.floor(taken.slots[0]!.changes[0]!.row.position / 1_000);
    await resume(storage, loggedAt);
    assert.deepEqual(idsOf(await take(storage, { leaseMs: 0 })), [third.id]);
    await resume(storage, first.before);
    assert.equal(idsOf(await take(storage)).length, 3);
    await resume(storage, (await storage.readClock()) + dayMs);
    assert.deepEqual((await take(storage)).slots, []);
    const { id } = await logNext(storage, 0);
    assert.deepEqual(idsOf(await take(storage)), [id]);
  });

  test("a consumer that resumes at a time ends all leases, and all contacts stop waiting", async ({ storage }) => {
    await subscribeContacts(storage, 5, 6);
    const parked = await logNext(storage, 0);
    await failFirst(storage, null);
    const paused = await logNext(storage, 1);
    await failFirst(storage, longMs);
    await logNext(storage, 0);
    const third = await logNext(storage, 1);
    const leased = await take(storage, { token: "a", probe: { failedBefore: null } });
    await resume(storage, third.before);
    assert.deepEqual(await storage.acknowledge(workspace, [progressOf(leased, "a")]), [false]);
    assert.deepEqual(accepted(await storage.listParked(workspace, "all", { ...rowsUpTo(9), after: null })).rows, []);
    const taken = await take(storage);
    assert.deepEqual([idsOf(taken), taken.busy], [[third.id], false]);
    await resume(storage, parked.before);
    const { slots } = await take(storage);
    assert.deepEqual(
      slots.map(({ changes }) => [changes.length, changes[0]?.row.id, changes[0]?.waited, changes[0]?.failures]),
      [parked, paused].map(({ id }) => [2, id, false, 0]),
    );
  });

  test("a consumer that resumes before the oldest change kept, or its begin, is refused", async ({ storage }) => {
    const younger = await storage.readClock();
    await subscribeContacts(storage, 5);
    const removed = await logNext(storage, 0);
    const handled = await take(storage, { token: "a" });
    await storage.acknowledge(workspace, [progressOf(handled, "a")]);
    await storage.removeOldChanges((await storage.readClock()) + 8 * dayMs);
    const kept = await logNext(storage, 0);
    for (const from of [younger - 1, removed.before])
      refused(await storage.resumeChanges(workspace, "all", from), "changes_expired");
    refused(await storage.resumeChanges(workspace, "unknown", kept.before), "definition_not_found");
    assert.deepEqual(idsOf(await take(storage, { leaseMs: 0 })), [kept.id]);
    await resume(storage, kept.before);
    assert.deepEqual(idsOf(await take(storage)), [kept.id]);
  });
}
