/** Random writes in transactions that commit in any order, and readers of their changes. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { newId } from "../../lib/model/ids.ts";
import type { Storage } from "../../lib/storage/port.ts";
import {
  contactDraft,
  eventDraft,
  subscriptionDraft,
  workspace,
  rowsUpTo,
} from "../../adapters/storage-contract/drafts.ts";
import type { OpenedStorage } from "../../adapters/storage-contract/index.ts";

/** One write: to a contact, inside the transaction of this number, or outside of all if it is `null`. */
export interface RandomWrite {
  contact: number;
  transaction: number | null;
  /** Ends the transaction of this number afterwards. */
  end: { transaction: number; commits: boolean } | null;
}

const small = fc.nat(2);

/** Ten to forty random writes. */
export const randomWrites: fc.Arbitrary<RandomWrite[]> = fc.array(
  fc.record({
    contact: fc.nat(4),
    transaction: fc.option(small),
    end: fc.option(fc.record({ transaction: small, commits: fc.boolean() })),
  }),
  { minLength: 10, maxLength: 40 },
);

type Open = Awaited<ReturnType<OpenedStorage["begin"]>>;

/** A write. Its times are numbers of the model, of which every call takes the next. */
interface Made {
  id: string;
  contact: number;
  begunAt: number;
  committedAt: number;
}

/**
 * Makes the writes, one after another. A transaction keeps the contacts that it writes to itself, so that no write waits. Asserts
 * that all readers see one list, in the order that the port promises. Returns the ids in it, and those in the order of the commits.
 */
export async function assertOneOrder(
  { storage, begin }: OpenedStorage,
  writes: readonly RandomWrite[],
): Promise<{ logged: string[]; committed: string[] }> {
  for (const key of ["all", "same"]) await storage.putDefinition(subscriptionDraft({ key }));
  const open = new Map<number, { transaction: Open; made: Made[] }>();
  const holders = new Map<number, number>();
  const committed: Made[] = [];
  let time = 0;
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
    if (commits) committed.push(...ending.made.map((made) => ({ ...made, committedAt: time })));
    time++;
  }

  for (const write of writes) {
    const draft = eventDraft({ id: newId(Date.now()), contact: { email: emailOf(write.contact) } });
    const number = holders.get(write.contact) ?? write.transaction;
    const made = { id: draft.id, contact: write.contact, begunAt: time, committedAt: time++ };
    if (number === null) {
      await storage.recordEvents([draft]);
      committed.push(made);
    } else {
      const used = open.get(number) ?? { transaction: await begin(), made: [] };
      open.set(number, used);
      holders.set(write.contact, number);
      await storage.within(used.transaction.transaction).recordEvents([draft]);
      used.made.push(made);
    }
    if (write.end) await end(write.end.transaction, write.end.commits);
    await readers[committed.length % 2]!.read();
  }
  for (const number of [...open.keys()].reverse()) await end(number, true);
  readers.push(createReader(storage, "all", 100));
  while ((await storage.logChanges()).more);
  for (const reader of readers) {
    while ((await reader.read()) > 0);
    assert.deepEqual(reader.ids, readers[0]!.ids);
  }
  const logged = readers[0]!.ids;
  assertPromised(logged, committed);
  return { logged, committed: committed.map(({ id }) => id) };
}

/** Asserts that each committed write is in the list once, after those that it may rest on. */
function assertPromised(logged: readonly string[], committed: readonly Made[]): void {
  assert.deepEqual([...logged].sort(), committed.map(({ id }) => id).sort());
  const places = new Map(logged.map((id, place) => [id, place]));
  for (const [index, earlier] of committed.entries()) {
    for (const later of committed.slice(index + 1)) {
      // The id is in the list.
      const isBefore = places.get(earlier.id)! < places.get(later.id)!;
      const isBound = earlier.contact === later.contact || earlier.committedAt < later.begunAt;
      assert.ok(isBefore || !isBound, `${earlier.id} is logged before ${later.id}`);
    }
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
      const page = await storage.listChanges(workspace, key, after, rowsUpTo(limit));
      assert.ok("rows" in page);
      ids.push(...page.rows.map(({ id }) => id));
      after = page.position;
      return page.rows.length;
    },
  };
}
