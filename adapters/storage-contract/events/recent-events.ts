import assert from "node:assert/strict";
import type { Position } from "../../../lib/storage/rows.ts";
import { accepted, createContact, recordAll, recordEvent } from "../calls.ts";
import { at, eventDraft, newIds, wholeList, workspace, rowsUpTo } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function recentEvents(test: StorageTest): void {
  test("the recent events may be none", async ({ storage }) => {
    assert.deepEqual((await storage.listRecentEvents(workspace, null, wholeList)).rows, []);
    assert.deepEqual((await storage.listRecentEvents(workspace, "step", wholeList)).rows, []);
  });

  test("recent events are those of all contacts, last first, with the contact's externalId", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
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
    const recent = [
      { ...last, externalId: "u_1" },
      { ...second, externalId: "bob@example.com" },
      { ...first, externalId: "u_1" },
      { ...earliest, externalId: "bob@example.com" },
    ];
    for (const key of [null, "step"])
      assert.deepEqual((await storage.listRecentEvents(workspace, key, wholeList)).rows, recent);
  });

  for (const eventKey of [null, "step"]) {
    test(`recent events${eventKey ? " of one key" : ""} come page by page`, async ({ storage }) => {
      for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
      const ids = newIds(6);
      const drafts = ids.map((id, n) =>
        eventDraft({ id, contact: { email: n % 2 === 0 ? "ada@example.com" : "bob@example.com" }, createdAt: at }),
      );
      await recordAll(storage, drafts);
      if (eventKey) await recordEvent(storage, { eventKey: "Step", createdAt: at });
      const page = async (limit: number, after: Position | null): Promise<string[]> =>
        (await storage.listRecentEvents(workspace, eventKey, { ...rowsUpTo(limit), after })).rows.map(({ id }) => id);
      assert.deepEqual(await page(2, null), [ids[5], ids[4]]);
      assert.deepEqual(await page(2, { createdAt: at, id: ids[4]! }), [ids[3], ids[2]]);
      assert.deepEqual(await page(10, { createdAt: at, id: ids[2]! }), [ids[1], ids[0]]);
      assert.deepEqual(await page(10, { createdAt: at - 1, id: ids[5]! }), []);
    });
  }

  test("the events of a deleted contact are no longer among the recent ones", async ({ storage }) => {
    await createContact(storage);
    await recordEvent(storage);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    for (const key of [null, "step"])
      assert.deepEqual((await storage.listRecentEvents(workspace, key, wholeList)).rows, []);
  });
}
