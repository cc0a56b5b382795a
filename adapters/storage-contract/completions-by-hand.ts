import assert from "node:assert/strict";
import { newId } from "../../lib/ids.ts";
import type { ChecklistRow } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { accepted, atOnce, createContact, recordEvent } from "./calls.ts";
import { at, checklistDraft, eventDraft, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";
import { assertWaiting, start } from "./pending.ts";

async function define(storage: Storage): Promise<ChecklistRow> {
  const items = [
    { key: "first", name: "First", when: { kind: "has_done", eventKey: "step" } },
    { key: "hand", name: "By hand" },
  ] as const;
  return accepted(await storage.putDefinition(checklistDraft({ items }))) as ChecklistRow;
}

/** How many items are completed once an event has completed the first. */
async function completedWithFirst(storage: Storage): Promise<number> {
  const [row] = await storage.recordEvents([eventDraft()]);
  const [item] = JSON.parse(row!.completedItems!) as { progress: { completed: number } }[];
  return item!.progress.completed;
}

export function completionsByHand(test: StorageTest): void {
  test("a completion is noted once, found, and counts towards the progress", async ({ storage }) => {
    const { id } = await createContact(storage);
    const checklist = await define(storage);
    const draft = {
      workspace,
      externalId: "ada@example.com",
      checklistId: checklist.id,
      itemKey: "hand",
      completedAt: at,
    };
    const noted = await atOnce(5, () => storage.insertCompletion(draft));
    assert.deepEqual(noted, [true, true, true, true, true]);
    assert.deepEqual(await storage.findCompletions(workspace, id), [
      { checklistId: checklist.id, itemKey: "hand", completedAt: at },
    ]);
    assert.deepEqual(await storage.findCompletions("other", id), []);
    assert.equal(await completedWithFirst(storage), 2);
  });

  test("a completion keeps the time of its first call", async ({ storage }) => {
    const { id } = await createContact(storage);
    const draft = { workspace, externalId: "ada@example.com", checklistId: newId(at), itemKey: "hand" };
    for (const completedAt of [at + 5, at, at + 9]) await storage.insertCompletion({ ...draft, completedAt });
    await storage.insertCompletion({ ...draft, itemKey: "other", completedAt: at + 7 });
    const found = await storage.findCompletions(workspace, id);
    assert.deepEqual(
      new Map(found.map(({ itemKey, completedAt }) => [itemKey, completedAt])),
      new Map([
        ["hand", at + 5],
        ["other", at + 7],
      ]),
    );
  });

  test("a completion finds its contact as findContact does, and tells when there is none", async ({ storage }) => {
    const { id } = await createContact(storage);
    const completion = { checklistId: newId(at), itemKey: "a", completedAt: at };
    const nobody = { workspace, externalId: "nobody", ...completion };
    assert.equal(await storage.insertCompletion(nobody), false);
    assert.equal(
      await storage.insertCompletion({ ...nobody, workspace: "other", externalId: "ada@example.com" }),
      false,
    );
    for (const itemKey of ["a", "A"]) {
      assert.equal(await storage.insertCompletion({ ...nobody, externalId: "ADA@example.com", itemKey }), true);
    }
    const found = await storage.findCompletions(workspace, id);
    assert.deepEqual(found.map(({ itemKey }) => itemKey).sort(), ["A", "a"]);
  });

  test("a completion elsewhere waits for a write to the contact inside", async ({ storage, begin }) => {
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    await recordEvent(inside);
    const draft = {
      workspace,
      externalId: "ada@example.com",
      checklistId: newId(at),
      itemKey: "hand",
      completedAt: at,
    };
    const completion = start(storage.insertCompletion(draft));
    await assertWaiting(completion);
    await commit();
    assert.equal(await completion.result, true);
    assert.equal((await storage.findCompletions(workspace, id)).length, 1);
  });

  test("a deletion removes the contact's completions", async ({ storage }) => {
    const { id } = await createContact(storage);
    const checklist = await define(storage);
    const draft = {
      workspace,
      externalId: "ada@example.com",
      checklistId: checklist.id,
      itemKey: "hand",
      completedAt: at,
    };
    await storage.insertCompletion(draft);
    accepted(await storage.deleteContact(workspace, "ada@example.com"));
    assert.deepEqual(await storage.findCompletions(workspace, id), []);
    assert.equal(await storage.insertCompletion(draft), false);
    await createContact(storage);
    assert.equal(await completedWithFirst(storage), 1);
  });
}
