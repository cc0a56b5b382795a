/** The tests of the end of a page, for each list. */
import assert from "node:assert/strict";
import type { Storage } from "../../lib/storage/port.ts";
import type { Condition, ContactSlice, PageRows, PageSize, Position } from "../../lib/storage/rows.ts";
import { accepted, createContact, recordAll } from "./calls.ts";
import { eventDraft, rowsUpTo, wholeList, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";
import { failFirst, happen, subscribeContacts, take } from "./taking.ts";
import { logAll } from "./log.ts";
import { orderedLists } from "./positions.ts";

/** A page of a list after the last row of the page before. */
type ReadPage = (storage: Storage, size: PageSize, last: Row | null) => Promise<PageRows<Row>>;

type Row = Partial<Position & { position: number; eventKey: string }>;

const did: Condition = { eventKey: "step", field: "count", from: 1, to: null };

/** Reads a page of a list with a slice. */
function sliced(list: (storage: Storage, slice: ContactSlice) => Promise<PageRows<Row> | null>): ReadPage {
  return async (storage, size, last) => {
    const after = last && { createdAt: last.createdAt!, id: last.id! };
    return (await list(storage, { ...wholeList, ...size, after }))!;
  };
}

const lists: Record<string, ReadPage> = {
  ...Object.fromEntries(Object.entries(orderedLists).map(([name, { list }]) => [name, sliced(list)])),
  usage: (storage, size, last) => storage.listEventUsage(workspace, last?.eventKey ?? null, size),
  "members with events": sliced((storage, slice) => storage.listMembers(workspace, did, slice)),
  "members without events": sliced((storage, slice) =>
    storage.listMembers(workspace, { not: { ...did, eventKey: "none" } }, slice),
  ),
  "members by a field": sliced((storage, slice) =>
    storage.listMembers(workspace, { contactField: "email", operator: "contains", text: "example" }, slice),
  ),
  parked: sliced(async (storage, slice) => accepted(await storage.listParked(workspace, "all", slice))),
  changes: async (storage, size, last) =>
    accepted(await storage.listChanges(workspace, "all", last?.position ?? null, size)),
};

/** Creates three contacts with four events each. The first change of each contact is parked. */
async function populate(storage: Storage): Promise<void> {
  const contacts = await subscribeContacts(storage, 5, 5, 5);
  for (const index of contacts.keys()) {
    await happen(storage, index);
    await failFirst(storage, null);
    for (const eventKey of ["step", "other", "step"]) await happen(storage, index, eventKey);
  }
  await logAll(storage);
}

/** Reads the list page by page, until no others follow. */
async function pagesOf(readPage: ReadPage, storage: Storage, size: PageSize): Promise<Row[][]> {
  const read: Row[][] = [];
  for (let last: Row | null = null; ;) {
    const { rows, more }: PageRows<Row> = await readPage(storage, size, last);
    read.push(rows);
    if (!more) return read;
    last = rows.at(-1)!;
  }
}

const lengthsOf = (read: readonly Row[][]): number[] => read.map(({ length }) => length);

export function pages(test: StorageTest): void {
  test("a page of each list ends at the limit, and says whether others follow", async ({ storage }) => {
    await populate(storage);
    for (const [name, readPage] of Object.entries(lists)) {
      const [all = [], ...others] = await pagesOf(readPage, storage, rowsUpTo(100));
      assert.deepEqual([others, all.length > 1], [[], true], name);
      const few = await pagesOf(readPage, storage, rowsUpTo(all.length - 1));
      assert.deepEqual([few.flat(), lengthsOf(few)], [all, [all.length - 1, 1]], name);
      assert.deepEqual(await pagesOf(readPage, storage, rowsUpTo(all.length)), [all], name);
    }
  });

  test("a page of each list has one row if that is larger than the page may be", async ({ storage }) => {
    await populate(storage);
    for (const [name, readPage] of Object.entries(lists)) {
      const [all = []] = await pagesOf(readPage, storage, rowsUpTo(100));
      const ones = await pagesOf(readPage, storage, { limit: 100, maxBytes: 1 });
      assert.deepEqual([ones.flat(), lengthsOf(ones)], [all, all.map(() => 1)], name);
    }
  });

  test("a page ends before the row with which it would be too large", async ({ storage }) => {
    await createContact(storage);
    const properties = JSON.stringify({ text: "x".repeat(4_000) });
    await recordAll(
      storage,
      Array.from({ length: 250 }, () => eventDraft({ properties })),
    );
    const readPage = sliced((inside, slice) => inside.listEvents(workspace, "ada@example.com", null, slice));
    for (const [kilobytes, lengths] of [
      [10, Array(125).fill(2)],
      [600, [145, 105]],
      [2_000, [250]],
    ] as const) {
      const read = await pagesOf(readPage, storage, { limit: 1_000, maxBytes: 1_000 * kilobytes });
      assert.equal(new Set(read.flat().map(({ id }) => id)).size, 250);
      // The sizes of two storages can differ a little.
      const expected = lengths as readonly number[];
      const isNear = read.length === expected.length && Math.abs(read[0]!.length - expected[0]!) < 10;
      assert.ok(isNear, `${lengthsOf(read).join()} for ${kilobytes} kB`);
    }
  });

  test("the newest changes are fewer if they would be too large", async ({ storage }) => {
    await populate(storage);
    const { rows } = accepted(await storage.listChanges(workspace, "all", null, rowsUpTo(100)));
    const newest = accepted(await storage.listChanges(workspace, "all", "newest", { limit: 100, maxBytes: 1 }));
    assert.deepEqual([newest.rows, newest.more], [rows.slice(-1), true]);
  });

  test("a call takes fewer changes if they are many or large, and says whether it left some", async ({ storage }) => {
    await subscribeContacts(storage, 5, 5);
    // Three changes of a contact that waits, and five others.
    for (let n = 0; n < 3; n++) await happen(storage, 0);
    await failFirst(storage, 0);
    for (let n = 0; n < 5; n++) await happen(storage, 1);
    for (const [limit, maxBytes, waiting, others, more] of [
      [5, Infinity, 3, 5, false],
      [4, Infinity, 3, 4, true],
      [2, Infinity, 2, 2, true],
      [1, Infinity, 1, 1, true],
      [5, 1, 1, 1, true],
    ] as const) {
      const taken = await take(storage, { leaseMs: 0, limit, maxBytes });
      const changes = taken.slots.flatMap((slot) => slot.changes);
      const waited = changes.filter((change) => change.waited).length;
      assert.deepEqual([waited, changes.length - waited, taken.more], [waiting, others, more]);
    }
  });
}
