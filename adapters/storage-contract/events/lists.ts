import assert from "node:assert/strict";
import { createContact } from "../calls.ts";
import { wholeList, workspace } from "../drafts.ts";
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
}
