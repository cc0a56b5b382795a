import assert from "node:assert/strict";
import { accepted, createContact, recordAll, recordEvent } from "../calls.ts";
import { at, eventDraft, newIds, wholeList, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function recentEvents(test: StorageTest): void {
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

  test("the events of a deleted contact are no longer among the recent ones", async ({ storage }) => {
    await createContact(storage);
    await recordEvent(storage);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    for (const key of [null, "step"])
      assert.deepEqual((await storage.listRecentEvents(workspace, key, wholeList)).rows, []);
  });
}
