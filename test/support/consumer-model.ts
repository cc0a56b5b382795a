/** Random failures and deletions while several consumers handle the changes of a subscription. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createTracker, type Change, type Storage, type Tracker } from "../../lib/index.ts";

export interface ConsumerModel {
  contacts: number;
  updates: number;
  /** A number from 0 to 1 for each decision. */
  random(): number;
  transaction: boolean;
}

/**
 * Updates contacts, of which every fifth is deleted at last, while three consumers run whose handlers fail now and then. Retries
 * and drops what is parked. Asserts that each contact's changes were handled in order, and none was missed or handled twice:
 * without faults of the process or the storage even "at least once" is once.
 */
export async function assertHandledInOrder(
  open: () => Storage,
  { contacts, updates, random, transaction }: ConsumerModel,
): Promise<void> {
  const trackers = Array.from({ length: 3 }, () => createTracker({ storage: open(), onError: () => {}, now }));
  const [tracker] = trackers as [Tracker];
  await tracker.subscriptions.define({ key: "all", on: { contacts: true } });
  const handled = new Map<string, string[]>();
  const dropped = new Set<string>();
  const busy = new Set<string>();

  async function handle(change: Change): Promise<void> {
    const { id } = change.contact;
    assert.ok(!busy.has(id), "two changes of one contact are handled at a time");
    busy.add(id);
    await pause(random() * 3);
    busy.delete(id);
    if (random() < 0.2) throw new Error("by chance");
    handled.set(id, [...(handled.get(id) ?? []), change.id]);
  }

  const options = { concurrency: 3, tries: 2, firstPauseSeconds: 0.01, leaseSeconds: 30, transaction };
  const consumers = trackers.map(({ subscriptions }) => subscriptions.consume("all", options, handle));
  const written = new Map<string, number>();
  for (let n = 0; n < updates; n++) {
    const number = Math.floor(random() * contacts);
    const { contact } = await tracker.contacts.upsert({ email: `c${number}@example.com`, name: String(n) });
    written.set(contact.id, (written.get(contact.id) ?? 0) + 1);
    if (n % 10 === 0) await releaseAll();
  }
  const deleted = new Set<string>();
  for (let number = 0; number < contacts; number += 5) {
    const deletion = await tracker.contacts.delete(`c${number}@example.com`, { ifExists: true });
    if (deletion) deleted.add(deletion.contactId);
  }

  async function releaseAll(): Promise<void> {
    for (const { changeId } of (await tracker.subscriptions.parked("all")).items) {
      const drops = random() < 0.3;
      await tracker.subscriptions[drops ? "drop" : "retry"]("all", changeId).then(
        () => drops && dropped.add(changeId),
        // Deleted meanwhile.
        () => {},
      );
    }
  }

  const countOf = (id: string): number => handled.get(id)?.length ?? 0;
  const isDone = (): boolean =>
    [...written].every(([id, count]) => deleted.has(id) || countOf(id) + dropsOf(id) >= count);
  const reader = tracker.subscriptions.changes("all");
  const log = new Map<string, string[]>();
  const total = [...written].reduce((sum, [id, count]) => sum + (deleted.has(id) ? 1 : count), 0);
  for (let n = 0; n < total; n++) {
    const { value } = await reader.next();
    log.set(value.contact.id, [...(log.get(value.contact.id) ?? []), value.id]);
  }
  const dropsOf = (id: string): number => (log.get(id) ?? []).filter((change) => dropped.has(change)).length;
  const deletionsDone = (): boolean =>
    [...deleted].every((id) =>
      (log.get(id) ?? []).every((change) => handled.get(id)?.includes(change) || dropped.has(change)),
    );
  while (!isDone() || !deletionsDone()) {
    await releaseAll();
    await pause(20);
  }
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  for (const [id, changes] of log) {
    const expected = changes.filter((change) => !dropped.has(change));
    // The changes of a deleted contact that were handled before are not in the log any more.
    const own = deleted.has(id) ? handled.get(id)?.slice(-expected.length || Infinity) : handled.get(id);
    assert.deepEqual(own ?? [], expected);
    assert.equal(new Set(handled.get(id)).size, countOf(id));
  }
}

function now(): Date {
  return new Date("2026-01-31T09:00:00.000Z");
}
