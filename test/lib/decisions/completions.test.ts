import assert from "node:assert/strict";
import { completeItems, completingCounts, progressOf } from "../../../lib/decisions/completions.ts";
import type { ChecklistItem } from "../../../lib/index.ts";
import type { ChecklistRow } from "../../../lib/storage/rows.ts";
import { suite } from "../../support/suite.ts";

function checklist(id: string, items: ChecklistItem[]): ChecklistRow {
  return {
    workspace: "acme",
    kind: "checklist",
    key: `list_${id}`,
    id,
    body: { name: `List ${id}`, items },
    createdAt: 0,
  };
}

const once = { kind: "has_done", eventKey: "step" } as const;
const thrice = { kind: "count_greater_than", eventKey: "step", count: 2 } as const;
const other = { kind: "has_done", eventKey: "other" } as const;
const one = checklist("1", [
  { key: "third", name: "Third", when: thrice },
  { key: "other", name: "Other", when: other },
  { key: "hand", name: "By hand" },
  { key: "first", name: "First", when: once },
]);
const two = checklist("2", [{ key: "first", name: "First", when: once }]);

function completed(counts: Record<string, number>, byHand: { checklistId: string; itemKey: string }[] = []) {
  const completions = byHand.map((completion) => ({ ...completion, completedAt: null }));
  const doing = { counts: new Map(Object.entries(counts)), completions };
  return JSON.parse(completeItems([one, two], { eventKey: "step", recordedAt: 1_769_850_000_123 }, doing) ?? "null");
}

const completedAt = "2026-01-31T09:00:00.123Z";

suite("completions", (test) => {
  test("an event completes items at the counts that its key has when their rules turn true", () => {
    assert.deepEqual(completingCounts([one, two], "step"), [3, 1, 1]);
    assert.deepEqual(completingCounts([one, two], "other"), [1]);
    assert.deepEqual(completingCounts([one, two], "Step"), []);
    assert.deepEqual(completingCounts([], "step"), []);
  });

  test("the first event completes the items that need one, in the order of the checklists", () => {
    assert.deepEqual(completed({ step: 1 }), [
      { checklistKey: "list_1", itemKey: "first", name: "First", completedAt, progress: { completed: 1, total: 4 } },
      { checklistKey: "list_2", itemKey: "first", name: "First", completedAt, progress: { completed: 1, total: 1 } },
    ]);
  });

  test("the third event completes the item that needs more than two, the second and the fourth none", () => {
    assert.equal(completed({ step: 2 }), null);
    assert.deepEqual(completed({ step: 3 }), [
      { checklistKey: "list_1", itemKey: "third", name: "Third", completedAt, progress: { completed: 2, total: 4 } },
    ]);
    assert.equal(completed({ step: 4 }), null);
  });

  test("the progress counts items that other events or hands completed, in this checklist only", () => {
    const byHand = [{ checklistId: "1", itemKey: "hand" }];
    assert.deepEqual(completed({ step: 3, other: 7 }, byHand)[0].progress, { completed: 4, total: 4 });
    const elsewhere = [
      { checklistId: "2", itemKey: "hand" },
      { checklistId: "1", itemKey: "gone" },
    ];
    assert.deepEqual(completed({ step: 3, other: 7 }, elsewhere)[0].progress, { completed: 3, total: 4 });
  });

  test("several items that one event completes are in the checklist's order, and share its progress", () => {
    const both = checklist("3", [
      { key: "b", name: "B", when: once },
      { key: "a", name: "A", when: { kind: "count_greater_than", eventKey: "step", count: 0 } },
    ]);
    const text = completeItems(
      [both],
      { eventKey: "step", recordedAt: 0 },
      { counts: new Map([["step", 1]]), completions: [] },
    );
    const items = JSON.parse(text!) as { itemKey: string; progress: object }[];
    assert.deepEqual(
      items.map(({ itemKey, progress }) => [itemKey, progress]),
      [
        ["b", { completed: 2, total: 2 }],
        ["a", { completed: 2, total: 2 }],
      ],
    );
  });

  test("progress is of each item, conditional or by hand", () => {
    const doing = {
      counts: new Map([["step", 3]]),
      firstAts: new Map([["step", 1_769_850_000_123]]),
      completions: [{ checklistId: "1", itemKey: "hand", completedAt: 1_769_850_000_123 }],
      dismissals: [{ checklistId: "2", dismissedAt: 1 }],
    };
    const shown = { description: null, href: null };
    assert.deepEqual(progressOf(one, doing), {
      checklistKey: "list_1",
      name: "List 1",
      description: null,
      progress: { completed: 3, total: 4 },
      dismissedAt: null,
      items: [
        { itemKey: "third", name: "Third", ...shown, automatic: true, completed: true, completedAt: null },
        { itemKey: "other", name: "Other", ...shown, automatic: true, completed: false, completedAt: null },
        { itemKey: "hand", name: "By hand", ...shown, automatic: false, completed: true, completedAt },
        { itemKey: "first", name: "First", ...shown, automatic: true, completed: true, completedAt },
      ],
    });
  });

  test("an item that events complete is not complete because it once was completed by hand", () => {
    const completions = [{ checklistId: "2", itemKey: "first", completedAt: 1 }];
    const { progress, items } = progressOf(two, {
      counts: new Map(),
      firstAts: new Map(),
      completions,
      dismissals: [],
    });
    assert.equal(progress.completed, 0);
    assert.equal(items[0]!.completedAt, null);
  });
});
