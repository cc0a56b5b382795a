import assert from "node:assert/strict";
import { checklistDraft } from "../../../adapters/storage-contract/drafts.ts";
import { completeItems, completingCounts } from "../../../lib/decisions/completions.ts";
import { suite } from "../../support/suite.ts";

const once = { kind: "has_done", eventKey: "step" } as const;
const thrice = { kind: "count_greater_than", eventKey: "step", count: 2 } as const;
const other = { kind: "has_done", eventKey: "other" } as const;
const one = checklistDraft({
  items: [
    { key: "third", name: "Third", when: thrice },
    { key: "other", name: "Other", when: other },
    { key: "hand", name: "By hand" },
    { key: "first", name: "First", when: once },
  ],
});
const two = checklistDraft({ key: "more", items: [{ key: "first", name: "First", when: once }] });

// The storage contract asserts what an event completes, and `test/lib/checklists` the progress.
suite("completions", (test) => {
  test("an event completes items at the counts that its key has when their rules turn true", () => {
    assert.deepEqual(completingCounts([one, two], "step"), [3, 1, 1]);
    assert.deepEqual(completingCounts([one, two], "other"), [1]);
    assert.deepEqual(completingCounts([one, two], "Step"), []);
    assert.deepEqual(completingCounts([], "step"), []);
  });

  test("an event that completes no item has none", () => {
    const doing = { counts: new Map([["step", 2]]), completions: [] };
    assert.equal(completeItems([one, two], { eventKey: "step", recordedAt: 0 }, doing), null);
  });

  test("what was completed by hand counts in its own checklist only", () => {
    const completions = [
      { checklistId: two.id, itemKey: "hand", completedAt: null },
      { checklistId: one.id, itemKey: "gone", completedAt: null },
    ];
    const doing = { counts: new Map([["step", 1]]), completions };
    const [first] = JSON.parse(completeItems([one], { eventKey: "step", recordedAt: 0 }, doing)!);
    assert.deepEqual(first.progress, { completed: 1, total: 4 });
  });
});
