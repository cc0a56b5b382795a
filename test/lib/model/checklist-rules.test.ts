import assert from "node:assert/strict";
import type { ChecklistItem } from "../../../lib/index.ts";
import { stuckRule } from "../../../lib/model/checklist-rules.ts";
import { stoppedTracker } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

suite("rules of checklists", (test) => {
  test("the rule of those who are stuck at an item matches who completed all before it", async () => {
    const done = (eventKey: string) => ({ kind: "has_done" as const, eventKey });
    const either = { any: [done("c"), done("d")] };
    const items: ChecklistItem[] = [done("a"), { ...done("b") }, either, undefined, done("e")].map((when, n) => ({
      key: `i${n}`,
      name: `${n}`,
      ...(when && { when }),
    }));
    const period = { days: 30 };
    assert.deepEqual(stuckRule(items, "i1"), { all: [done("a"), { not: done("b") }] });
    const began = { kind: "first_done_within", eventKey: "a", period };
    assert.deepEqual(stuckRule(items, "i2", period), { all: [began, done("b"), { not: either }] });
    assert.deepEqual(stuckRule([items[2]!, items[0]!], "i0", period), { all: [either, { not: done("a") }] });
    for (const key of ["i0", "i3", "i4", "gone"]) assert.equal(stuckRule(items, key), null, key);
    const many = Array.from({ length: 51 }, (_, n) => ({ key: `i${n}`, name: "i", when: done(`${n}`) }));
    assert.ok(stuckRule(many, "i49") !== null && stuckRule(many, "i50") === null);

    const { tracker } = stoppedTracker();
    for (const path of ["", "b", "a", "ab", "ba", "abc", "abd", "ac"]) {
      const externalId = `x${path}@example.com`;
      await tracker.contacts.upsert({ email: externalId });
      for (const eventKey of path) await tracker.events.track({ externalId, eventKey });
    }
    const stuck = async (key: string): Promise<string[]> =>
      (await tracker.audiences.members(stuckRule(items, key, period)!)).items.map(({ email }) => email);
    assert.deepEqual(await stuck("i1"), ["xa@example.com", "xac@example.com"]);
    assert.deepEqual(await stuck("i2"), ["xab@example.com", "xba@example.com"]);
  });
});
