/** The tests of the lists in order of time, then id: their order, and the positions after which they go on. */
import assert from "node:assert/strict";
import type { Storage } from "../../lib/storage/port.ts";
import type { ContactSlice, PageRows, Position } from "../../lib/storage/rows.ts";
import { accepted, recordAll } from "./calls.ts";
import { at, contactDraft, eventDraft, newIds, wholeList, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

type List = (storage: Storage, slice: ContactSlice) => Promise<PageRows<Position> | null>;

interface Ordered {
  list: List;
  isNewestFirst: boolean;
}

const contacts = (parts: Partial<ContactSlice>, part: { byWord?: true } = {}): Ordered => ({
  list: (storage, { after, ...slice }) =>
    storage.listContacts(workspace, { ...slice, after: after && { ...after, ...part }, ...parts }),
  isNewestFirst: parts.order === "newest",
});
const events = (list: List): Ordered => ({ list, isNewestFirst: true });

/** The lists in order of time. */
export const orderedLists: Record<string, Ordered> = {
  contacts: contacts({}),
  "the newest contacts": contacts({ order: "newest" }),
  "contacts that a query finds": contacts({ query: "c" }),
  "the newest contacts that a query finds": contacts({ query: "c", order: "newest" }),
  "contacts that a query finds by word": contacts({ query: "example" }, { byWord: true }),
  "events of a contact": events((storage, slice) => storage.listEvents(workspace, "c0@example.com", null, slice)),
  "events of a contact and a key": events((storage, slice) =>
    storage.listEvents(workspace, "c0@example.com", "step", slice),
  ),
  "recent events": events((storage, slice) => storage.listRecentEvents(workspace, null, slice)),
  "recent events of a key": events((storage, slice) => storage.listRecentEvents(workspace, "step", slice)),
};

const times = [at + 1, at - 1, -1, at, at, at];

/** Makes contacts, and events of two of them, at these times. Their ids ascend in an order that is neither that of times nor of calls. */
async function populate(storage: Storage): Promise<void> {
  const [contactIds, eventIds] = [newIds(6), newIds(18)];
  const made = times.map((time, n) => ({ id: contactIds[(n * 5) % 6]!, at: time, email: `c${n}@example.com` }));
  for (const part of [made.slice(0, 2), made.slice(2)])
    for (const answer of await storage.upsertContacts(part.map(contactDraft))) accepted(answer);
  await storage.upsertContacts([contactDraft({ email: "another@example.com", at: at - 2 })]);
  const drafts = Array.from({ length: 18 }, (_, n) =>
    eventDraft({
      id: eventIds[(n * 5) % 18]!,
      contact: { email: n % 3 === 2 ? "c1@example.com" : "c0@example.com" },
      eventKey: n % 4 === 3 ? "Step" : "step",
      createdAt: times[n % 6]!,
    }),
  );
  for (const part of [drafts.slice(0, 5), drafts.slice(5)]) await recordAll(storage, part);
}

/** Whether the row comes after the position. */
function isBehind(row: Position, position: Position, { isNewestFirst }: Ordered): boolean {
  const [first, second] = isNewestFirst ? [row, position] : [position, row];
  return first.createdAt < second.createdAt || (first.createdAt === second.createdAt && first.id < second.id);
}

export function positions(test: StorageTest): void {
  for (const [name, ordered] of Object.entries(orderedLists)) {
    test(`${name} are in order of time, then id, after any position, also where no row ever was`, async ({
      storage,
    }) => {
      await populate(storage);
      const read = async (limit: number, after: Position | null): Promise<Position[]> =>
        (await ordered.list(storage, { ...wholeList, limit, after }))!.rows;
      const all = await read(100, null);
      for (const [index, row] of all.slice(1).entries()) assert.ok(isBehind(row, all[index]!, ordered));
      const found = all.map(({ id, createdAt }) => ({ id, createdAt }));
      const absent = found.flatMap(({ id }) => [
        ...[at - 1, at, at + 2].map((createdAt) => ({ id, createdAt })),
        { id: id.slice(0, -1) + (id.endsWith("0") ? "1" : "0"), createdAt: at },
      ]);
      for (const after of [...found, ...absent]) {
        const behind = all.filter((row) => isBehind(row, after, ordered));
        for (const limit of [2, 100]) assert.deepEqual(await read(limit, after), behind.slice(0, limit));
      }
    });
  }

  test("the lists in order of time have all rows, and only those of their contact, key or query", async ({
    storage,
  }) => {
    await populate(storage);
    const counts = Object.values(orderedLists).map(async ({ list }) => (await list(storage, wholeList))?.rows.length);
    assert.deepEqual(await Promise.all(counts), [7, 7, 6, 6, 7, 12, 9, 18, 14]);
  });
}
