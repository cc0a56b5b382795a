/** The tests of the end of a page, for each list. */
import assert from "node:assert/strict";
import type { Storage } from "../../lib/storage/port.ts";
import type { Condition, PageRows, Position } from "../../lib/storage/rows.ts";
import { accepted } from "./calls.ts";
import { happen, idsOf, subscribeContacts, take } from "./consumers.ts";
import { wholeList, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";
import { logAll } from "./log.ts";
import { failFirst } from "./waiting-contacts.ts";

/** A page of a list after the last row of the page before. */
type ReadPage = (storage: Storage, limit: number, last: Row | null) => Promise<PageRows<Row>>;

type Row = Partial<Position & { position: number; eventKey: string }>;

const did: Condition = { eventKey: "step", field: "count", from: 1, to: null };

/** Reads a page of a list with a slice. */
function sliced(
  list: (storage: Storage, slice: { limit: number; after: Position | null }) => Promise<PageRows<Row> | null>,
): ReadPage {
  return async (storage, limit, last) => {
    const page = await list(storage, { limit, after: last && { createdAt: last.createdAt!, id: last.id! } });
    return page!;
  };
}

const lists: Record<string, ReadPage> = {
  contacts: sliced((storage, slice) => storage.listContacts(workspace, { ...wholeList, ...slice })),
  "contacts found": sliced((storage, slice) => storage.listContacts(workspace, { ...wholeList, ...slice, query: "c" })),
  events: sliced((storage, slice) => storage.listEvents(workspace, "c0@example.com", null, slice)),
  "events of a key": sliced((storage, slice) => storage.listEvents(workspace, "c0@example.com", "step", slice)),
  "recent events": sliced((storage, slice) => storage.listRecentEvents(workspace, null, slice)),
  "recent events of a key": sliced((storage, slice) => storage.listRecentEvents(workspace, "step", slice)),
  usage: (storage, limit, last) => storage.listEventUsage(workspace, last?.eventKey ?? null, limit),
  "members with events": sliced((storage, slice) => storage.listMembers(workspace, did, slice)),
  "members without events": sliced((storage, slice) =>
    storage.listMembers(workspace, { not: { ...did, eventKey: "none" } }, slice),
  ),
  "members by a field": sliced((storage, slice) =>
    storage.listMembers(workspace, { contactField: "email", operator: "contains", text: "example" }, slice),
  ),
  parked: sliced(async (storage, slice) => accepted(await storage.listParked(workspace, "all", slice))),
  changes: async (storage, limit, last) =>
    accepted(await storage.listChanges(workspace, "all", last?.position ?? null, limit)),
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
async function pagesOf(readPage: ReadPage, storage: Storage, limit: number): Promise<Row[][]> {
  const read: Row[][] = [];
  for (let last: Row | null = null; ;) {
    const { rows, more }: PageRows<Row> = await readPage(storage, limit, last);
    read.push(rows);
    if (!more) return read;
    last = rows.at(-1)!;
  }
}

export function pages(test: StorageTest): void {
  test("each list says whether others follow a page", async ({ storage }) => {
    await populate(storage);
    for (const [name, readPage] of Object.entries(lists)) {
      const [all, ...others] = await pagesOf(readPage, storage, 100);
      assert.deepEqual([others, all!.length > 1], [[], true], name);
      for (const limit of [1, 2, all!.length - 1, all!.length]) {
        const parts = await pagesOf(readPage, storage, limit);
        assert.deepEqual(parts.flat(), all, name);
        assert.deepEqual(
          parts.slice(0, -1).filter(({ length }) => length !== limit),
          [],
          name,
        );
        assert.equal(parts.length, Math.ceil(all!.length / limit), `${name}, ${limit} at a time`);
      }
    }
  });

  test("a call that takes changes says whether it has left some", async ({ storage }) => {
    await subscribeContacts(storage, 5, 5);
    // Three changes of a contact that waits, and five others.
    for (let n = 0; n < 3; n++) await happen(storage, 0);
    await failFirst(storage, 0);
    for (let n = 0; n < 5; n++) await happen(storage, 1);
    for (const [limit, count, more] of [
      [5, 8, false],
      [4, 7, true],
      [2, 4, true],
    ] as const) {
      const taken = await take(storage, { leaseMs: 0, limit });
      assert.deepEqual([idsOf(taken).length, taken.more], [count, more]);
    }
  });
}
