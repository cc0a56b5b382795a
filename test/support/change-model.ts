/** Random writes in transactions that commit in any order, and readers of their changes. */
import assert from "node:assert/strict";
import { newId } from "../../lib/model/ids.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { contactDraft, eventDraft, subscriptionDraft, workspace } from "../../adapters/storage-contract/drafts.ts";
import type { OpenedStorage } from "../../adapters/storage-contract/index.ts";

/** One write: to a contact, inside the transaction of this number, or outside of all if it is `null`. */
export interface RandomWrite {
  contact: number;
  transaction: number | null;
  /** Ends the transaction of this number afterwards. */
  end: { transaction: number; commits: boolean } | null;
}

type Open = Awaited<ReturnType<OpenedStorage["begin"]>>;

/**
 * Makes the writes, one after another. A transaction keeps the contacts that it writes to itself, so that no write waits. Asserts
 * that all readers see one list, in which the changes of the committed writes stand in the order of the commits.
 */
export async function assertOneOrder({ storage, begin }: OpenedStorage, writes: readonly RandomWrite[]): Promise<void> {
  for (const key of ["all", "same"]) await storage.putDefinition(subscriptionDraft({ key }));
  const open = new Map<number, { transaction: Open; ids: string[] }>();
  const holders = new Map<number, number>();
  const committed: string[] = [];
  const readers = [createReader(storage, "all", 1), createReader(storage, "same", 3)];
  for (const contact of new Set(writes.map((write) => write.contact))) {
    await storage.upsertContacts([contactDraft({ email: emailOf(contact), notify: false })]);
  }

  async function end(number: number, commits: boolean): Promise<void> {
    const ending = open.get(number);
    if (!ending) return;
    open.delete(number);
    for (const [contact, holder] of holders) if (holder === number) holders.delete(contact);
    await (commits ? ending.transaction.commit() : ending.transaction.rollback());
    if (commits) committed.push(...ending.ids);
  }

  for (const write of writes) {
    const draft = eventDraft({ id: newId(Date.now()), contact: { email: emailOf(write.contact) } });
    const number = holders.get(write.contact) ?? write.transaction;
    if (number === null) {
      await storage.recordEvents([draft]);
      committed.push(draft.id);
    } else {
      const used = open.get(number) ?? { transaction: await begin(), ids: [] };
      open.set(number, used);
      holders.set(write.contact, number);
      await storage.within(used.transaction.transaction).recordEvents([draft]);
      used.ids.push(draft.id);
    }
    if (write.end) await end(write.end.transaction, write.end.commits);
    await readers[committed.length % 2]!.read();
  }
  for (const number of [...open.keys()].reverse()) await end(number, true);
  readers.push(createReader(storage, "all", 100));
  for (const reader of readers) {
    while ((await storage.logChanges()).more);
    while ((await reader.read()) > 0);
    assert.deepEqual(reader.ids, committed);
  }
}

function emailOf(contact: number): string {
  return `c${contact}@example.com`;
}

/** A reader that goes on after what it has read. */
function createReader(storage: Storage, key: string, limit: number): { ids: string[]; read(): Promise<number> } {
  const ids: string[] = [];
  let after: number | null = null;
  return {
    ids,
    async read() {
      await storage.logChanges();
      const page = await storage.listChanges(workspace, key, after, limit);
      assert.ok("changes" in page);
      ids.push(...page.changes.map(({ id }) => id));
      after = page.position;
      return page.changes.length;
    },
  };
}
