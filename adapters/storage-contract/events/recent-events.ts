import assert from "node:assert/strict";
import { accepted, createContact, recordAll, recordEvent } from "../calls.ts";
import { at, eventDraft, newIds, wholeList, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function recentEvents(test: StorageTest): void {
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

  test("the events of a deleted contact are no longer among the recent ones", async ({ storage }) => {
    await createContact(storage);
    await recordEvent(storage);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    for (const key of [null, "step"])
      assert.deepEqual((await storage.listRecentEvents(workspace, key, wholeList)).rows, []);
  });
}
