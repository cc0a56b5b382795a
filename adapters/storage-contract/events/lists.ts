import assert from "node:assert/strict";
import { createContact, eventsOf, recordEvent } from "../calls.ts";
import { eventDraft, newIds, wholeList, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function eventLists(test: StorageTest): void {
  test("the events of a contact that does not exist are listed as null", async ({ storage }) => {
    assert.equal(await storage.listEvents(workspace, "ada@example.com", null, wholeList), null);
    assert.equal(await storage.listEvents(workspace, "ada@example.com", "step", wholeList), null);
  });

  test("a contact without events has an empty list of events", async ({ storage }) => {
    await createContact(storage);
    for (const key of [null, "step"])
      assert.deepEqual((await storage.listEvents(workspace, "ada@example.com", key, wholeList))?.rows, []);
  });

  test("a contact's events are listed without another's", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com" });
    await createContact(storage, { email: "bob@example.com" });
    const event = await recordEvent(storage, { contact: { email: "ada@example.com" } });
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    assert.deepEqual((await storage.listEvents(workspace, "ada@example.com", null, wholeList))?.rows, [event]);
    assert.deepEqual((await storage.listEvents(workspace, "ada@example.com", "step", wholeList))?.rows, [event]);
  });

  test("a contact's 1,001 events are listed in one list", async ({ storage }) => {
    await createContact(storage);
    const ids = newIds(1_001);
    await storage.recordEvents(ids.map((id) => eventDraft({ id })));
    const listedIds = (await eventsOf(storage, "ada@example.com"))?.map(({ id }) => id);
    assert.deepEqual(listedIds, ids.toReversed());
  });
}
