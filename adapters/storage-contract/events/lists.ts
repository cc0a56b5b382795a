import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import type { PageSize, RecordedEvent } from "../../../lib/storage/rows.ts";
import { accepted, createContact, eventsOf, recordAll, recordEvent } from "../calls.ts";
import { at, eventDraft, keyed, newIds, wholeList, workspace, rowsUpTo } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

/** Reads all pages, even those after a page without events. */
async function pagesOf(storage: Storage, size: PageSize, from: string | null = null): Promise<RecordedEvent[][]> {
  const pages: RecordedEvent[][] = [];
  let after = from;
  do {
    const { events, next } = await storage.listRecorded(workspace, after, size);
    pages.push(events);
    after = next;
  } while (after !== null);
  return pages;
}

async function keysAfter(storage: Storage, size: PageSize, from: string | null = null): Promise<string[]> {
  return (await pagesOf(storage, size, from)).flat().map(({ eventKey }) => eventKey);
}

export function eventLists(test: StorageTest): void {
  test("an unknown contact has no list of events, and one without events an empty one", async ({ storage }) => {
    for (const rows of [null, []]) {
      for (const key of [null, "step"]) {
        const listed = await storage.listEvents(workspace, "ada@example.com", key, wholeList);
        assert.deepEqual(listed && listed.rows, rows);
      }
      assert.deepEqual(await storage.listRecorded(workspace, null, rowsUpTo(10)), { events: [], next: null });
      if (!rows) await createContact(storage);
    }
  });

  test("recent events are those of all contacts, last first, with the contact's names", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1", name: "Ada" } });
    await createContact(storage, { email: "bob@example.com" });
    await createContact(storage, { email: "ada@example.com", workspace: "other" });
    await recordEvent(storage, { workspace: "other", createdAt: at + 9 });
    const ids = newIds(4) as [string, string, string, string];
    const [ada, bob] = [{ contact: { email: "ada@example.com" } }, { contact: { email: "bob@example.com" } }];
    const drafts = [
      eventDraft({ ...ada, id: ids[0], createdAt: at }),
      eventDraft({ ...bob, id: ids[1], createdAt: at }),
      eventDraft({ ...ada, id: ids[2], createdAt: at + 1 }),
      eventDraft({ ...bob, id: ids[3], createdAt: at - 1 }),
    ];
    const [first, second, last, earliest] = await recordAll(storage, drafts);
    const ofAda = { externalId: "u_1", email: "ada@example.com", name: "Ada" };
    const ofBob = { externalId: "bob@example.com", email: "bob@example.com", name: null };
    const recent = [
      { ...last, ...ofAda },
      { ...second, ...ofBob },
      { ...first, ...ofAda },
      { ...earliest, ...ofBob },
    ];
    for (const key of [null, "step"])
      assert.deepEqual((await storage.listRecentEvents(workspace, key, wholeList)).rows, recent);
  });
}

/** The events of a workspace in the order in which they were recorded. */
export function recordings(test: StorageTest): void {
  test("an event is listed as its contact lists it, with the externalId of the contact", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
    await createContact(storage, { email: "bob@example.com" });
    await recordEvent(storage, { properties: '{"total":1}', createdAt: -1, ...keyed("one") });
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    const [one] = (await eventsOf(storage, "u_1"))!;
    const [two] = (await eventsOf(storage, "bob@example.com"))!;
    const { events } = await storage.listRecorded(workspace, null, rowsUpTo(10));
    assert.deepEqual(events, [
      { ...one, externalId: "u_1" },
      { ...two, externalId: "bob@example.com" },
    ]);
  });

  test("the events of a workspace are listed in order of id, whenever they happened", async ({ storage }) => {
    for (const [email, inWorkspace] of [
      ["ada@example.com", workspace],
      ["bob@example.com", workspace],
      ["ada@example.com", "other"],
    ] as const) {
      await createContact(storage, { email, workspace: inWorkspace, id: newIds(1)[0]! });
    }
    const ids = newIds(6);
    const recorded = [
      [5, "ada@example.com", workspace, at - 9],
      [0, "bob@example.com", workspace, at],
      [4, "ada@example.com", "other", at],
      [1, "ada@example.com", "other", at],
      [2, "ada@example.com", "other", at],
      [3, "ada@example.com", workspace, at + 9],
    ] as const;
    await storage.recordEvents(
      recorded.map(([index, email, inWorkspace, createdAt]) =>
        eventDraft({ id: ids[index]!, contact: { email }, workspace: inWorkspace, eventKey: `${index}`, createdAt }),
      ),
    );
    for (const size of [...[1, 2, 5, 6, 7].map(rowsUpTo), { limit: 100, maxBytes: 1 }]) {
      assert.deepEqual(await keysAfter(storage, size), ["0", "3", "5"], `${size.limit} at a time`);
      // A page of one byte has one event.
      const most = Math.min(size.limit, size.maxBytes);
      assert.ok((await pagesOf(storage, size)).every((page) => page.length <= most));
    }
    assert.deepEqual(await keysAfter(storage, rowsUpTo(2), ids[0]), ["3", "5"]);
    assert.deepEqual(await keysAfter(storage, rowsUpTo(2), ids[4]), ["5"]);
    assert.deepEqual(await keysAfter(storage, rowsUpTo(2), ids[5]), []);
  });

  test("the list goes on after an event that is gone", async ({ storage }) => {
    for (const name of ["ada", "bob"])
      await createContact(storage, { email: `${name}@example.com`, id: newIds(1)[0]! });
    const [one, two] = newIds(2) as [string, string];
    await recordEvent(storage, { id: one });
    await recordEvent(storage, { id: two, contact: { email: "bob@example.com" }, eventKey: "later" });
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    assert.deepEqual(await keysAfter(storage, rowsUpTo(1), one), ["later"]);
  });
}
