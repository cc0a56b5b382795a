import assert from "node:assert/strict";
import { atOnce, createContact } from "../calls.ts";
import { at, dismissalDraft, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function dismissals(test: StorageTest): void {
  test("a dismissal keeps the time of its first call, and null removes it", async ({ storage }) => {
    const { id } = await createContact(storage);
    const draft = dismissalDraft();
    const other = dismissalDraft({ dismissedAt: at + 1 });
    for (const dismissedAt of [null, at + 5, at, at + 9]) {
      assert.equal(await storage.putDismissal({ ...draft, dismissedAt }), true);
    }
    await storage.putDismissal(other);
    const found = await storage.findDismissals(workspace, id);
    assert.deepEqual(
      new Map(found.map(({ checklistId, dismissedAt }) => [checklistId, dismissedAt])),
      new Map([
        [draft.checklistId, at + 5],
        [other.checklistId, at + 1],
      ]),
    );
    for (let n = 0; n < 2; n++) assert.equal(await storage.putDismissal({ ...draft, dismissedAt: null }), true);
    const { checklistId, dismissedAt } = other;
    assert.deepEqual(await storage.findDismissals(workspace, id), [{ checklistId, dismissedAt }]);
    assert.deepEqual(await storage.findDismissals("other", id), []);
  });

  test("dismissals of one checklist at once store one row", async ({ storage }) => {
    const { id } = await createContact(storage);
    const draft = dismissalDraft();
    assert.deepEqual(await atOnce(5, () => storage.putDismissal(draft)), [true, true, true, true, true]);
    const { checklistId } = draft;
    assert.deepEqual(await storage.findDismissals(workspace, id), [{ checklistId, dismissedAt: at }]);
  });
}
