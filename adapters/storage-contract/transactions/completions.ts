/** The tests of completions by hand and dismissals inside a transaction. */
import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, createContact, recordEvent } from "../calls.ts";
import { at, checklistDraft, completionDraft, dismissalDraft, subscriptionDraft, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { subscribe, told } from "../log.ts";
import { beginAll, noticed, watchDoers } from "../watching.ts";

const checklist = checklistDraft({
  items: [
    { key: "hand", name: "By hand" },
    { key: "step", name: "Step", when: { kind: "has_done", eventKey: "step" } },
  ],
});
const completion = completionDraft({ checklistId: checklist.id });
const dismissal = dismissalDraft({ checklistId: checklist.id });

// The completions and dismissals of the contact.
async function found(storage: Storage, contactId: string): Promise<unknown[]> {
  return [await storage.findCompletions(workspace, contactId), await storage.findDismissals(workspace, contactId)];
}

const both = [
  [{ checklistId: checklist.id, itemKey: "hand", completedAt: at }],
  [{ checklistId: checklist.id, dismissedAt: at }],
];

export function transactionCompletions(test: StorageTest): void {
  for (const end of ["commit", "rollback"] as const) {
    test(`a completion and a dismissal are seen outside only after a commit: ${end}`, async ({ storage, begin }) => {
      const { id } = await createContact(storage);
      const begun = await begin();
      assert.equal(await begun.inside.insertCompletion(completion), true);
      assert.equal(await begun.inside.putDismissal(dismissal), true);
      assert.equal(await begun.inside.insertCompletion({ ...completion, externalId: "nobody" }), false);
      assert.deepEqual(await found(begun.inside, id), both);
      assert.deepEqual(await found(storage, id), [[], []]);
      await begun[end]();
      assert.deepEqual(await found(storage, id), end === "commit" ? both : [[], []]);
    });
  }

  test("calls inside take effect in their order, also completions", async ({ storage, begin }) => {
    const { inside, commit } = await begin();
    const creation = createContact(inside);
    const calls = [
      inside.insertCompletion(completion),
      inside.insertCompletion({ ...completion, completedAt: at + 1 }),
    ];
    const { id } = await creation;
    assert.deepEqual(await Promise.all(calls), [true, true]);
    await commit();
    assert.deepEqual(await storage.findCompletions(workspace, id), both[0]);
  });

  test("a completion inside causes the changes of one outside, after the commit", async ({ storage, begin }) => {
    accepted(await storage.putDefinition(checklist));
    await watchDoers(storage, { kind: "checklist_completed", checklistKey: "start" });
    accepted(await storage.putDefinition(subscriptionDraft({ on: { checklists: true } })));
    await createContact(storage);
    await beginAll(storage);
    const { inside, commit } = await begin();
    await recordEvent(inside);
    for (let n = 0; n < 2; n++) await inside.insertCompletion(completion);
    assert.deepEqual([await told(storage), await noticed(storage)], [[], []]);
    await commit();
    const completed = ["item_completed step", "item_completed hand", "checklist_completed start"];
    assert.deepEqual([await told(storage), await noticed(storage)], [completed, ["audience_entered ada"]]);
  });

  test("a completion causes no change if another was committed since its begin", async ({ storage, begin }) => {
    accepted(await storage.putDefinition(checklist));
    await subscribe(storage, { on: { checklists: true } });
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    // The transaction's snapshot is of this read.
    assert.deepEqual(await inside.findCompletions(workspace, id), []);
    await storage.insertCompletion(completion);
    await inside.insertCompletion({ ...completion, completedAt: at + 1 });
    await commit();
    assert.deepEqual(await told(storage), ["item_completed hand"]);
    assert.deepEqual(await storage.findCompletions(workspace, id), both[0]);
  });
}
