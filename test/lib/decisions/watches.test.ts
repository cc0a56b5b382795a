import assert from "node:assert/strict";
import {
  createWatcher,
  namesOfContactChange,
  namesOfEventKey,
  planWatches,
  type WatchedDefinitions,
} from "../../../lib/decisions/watches.ts";
import {
  audienceDraft,
  checklistDraft,
  definitionDraft,
  subscriptionDraft,
  at,
} from "../../../adapters/storage-contract/drafts.ts";
import type { Rule } from "../../../lib/model/types.ts";
import type { WatchRow } from "../../../lib/storage/watches.ts";
import type { ContactData } from "../../../lib/decisions/conditions.ts";
import { contactWith } from "../../support/contact-data.ts";
import { suite } from "../../support/suite.ts";

const has = { kind: "has_done", eventKey: "step" } as const;
const rule: Rule = {
  any: [
    has,
    { kind: "attribute", key: "seats", operator: "is_set", value: true },
    { kind: "checklist_completed", checklistKey: "start" },
    { kind: "field", field: "plan", operator: "is_set", value: true },
  ],
};
const seats = definitionDraft();
const start = checklistDraft({ items: [{ key: "a", name: "A", when: { kind: "has_done", eventKey: "open" } }] });
const definitions: WatchedDefinitions = {
  subscriptions: [subscriptionDraft({ on: { audiences: ["doers"] } })],
  audiences: [audienceDraft({ rule }), audienceDraft({ key: "others" })],
  attributes: [seats, definitionDraft({ key: "unnamed" })],
  checklists: [start],
};
const written = { workspace: "acme", at, announced: null };

function plannedWatch(): WatchRow {
  const [watch] = planWatches([], definitions, written).added;
  assert.ok(watch);
  return watch;
}

const none = { added: [], changed: [], ended: [] };

suite("watches", (test) => {
  test("a watch begins with the parts of definitions that decide, and stays while they are the same", () => {
    const watch = plannedWatch();
    assert.deepEqual(watch.watched.attributes, [{ key: "seats", id: seats.id }]);
    assert.deepEqual(watch.watched.checklists, [
      { key: "start", id: start.id, items: [{ key: "a", when: { kind: "has_done", eventKey: "open" } }] },
    ]);
    assert.deepEqual([watch.clock, watch.position, watch.readyAt], [at, null, null]);
    const renamed = { ...start, body: { ...start.body, name: "Renamed" } };
    assert.deepEqual(planWatches([watch], { ...definitions, checklists: [renamed] }, written), none);
  });

  test("a watch ends when no subscription names its audience", () => {
    const watch = plannedWatch();
    assert.deepEqual(planWatches([watch], { ...definitions, subscriptions: [] }, written), { ...none, ended: [watch] });
  });

  test("a second watch that subscriptions share, which 0.2.0 can begin, ends", () => {
    const [first, second] = [plannedWatch(), plannedWatch()];
    assert.deepEqual(planWatches([first, second], definitions, written), { ...none, ended: [second] });
  });

  test("a changed rule begins a new watch, unless it is announced", () => {
    const watch = { ...plannedWatch(), readyAt: at };
    const changed = { ...definitions, audiences: [audienceDraft({ rule: has })] };
    const { added, ended } = planWatches([watch], changed, written);
    assert.deepEqual([ended, added.map(({ id }) => id === watch.id)], [[watch], [false]]);
    assert.deepEqual(planWatches([watch], changed, { ...written, announced: "doers" }), {
      ...none,
      changed: [{ ...watch, watched: { rule: has, attributes: [], checklists: [] } }],
    });
  });

  test("a write touches a watch that covers the contact and names what it changes", () => {
    const { isTouched } = createWatcher({ ...plannedWatch(), position: "m" });
    assert.equal(isTouched("m", null), true);
    assert.equal(isTouched("n", null), false);
    for (const name of ["event step", "event open", `attribute ${seats.id}`, `checklist ${start.id}`, "field plan"])
      assert.equal(isTouched("a", [name]), true);
    assert.equal(isTouched("a", ["event plan", "field name"]), false);
    assert.equal(createWatcher({ ...plannedWatch(), readyAt: 0 }).isTouched("n", ["event step"]), true);
  });

  test("a rule about events of a period, and an item of several rules, name and read their event keys", () => {
    const any = [has, { kind: "count_greater_than", eventKey: "open", count: 1 }] as const;
    const watched = {
      rule: { not: { kind: "has_done", eventKey: "order", period: { days: 1 } } },
      attributes: [],
      checklists: [{ key: "start", id: start.id, items: [{ key: "a", when: { any } }] }],
    } as const;
    const watcher = createWatcher({ ...plannedWatch(), watched, readyAt: 0 });
    const keys = ["order", "step", "open"];
    assert.deepEqual([...watcher.eventKeys], keys);
    for (const key of keys) assert.equal(watcher.isTouched("a", namesOfEventKey(key)), true);
    assert.deepEqual(watcher.occurrenceTests, [
      { eventKey: "order", count: 1, from: at - 86_400_000, to: null, where: [] },
    ]);
  });

  test("a contact's changed externalId is the one that is shown", () => {
    const { row } = contactWith();
    assert.deepEqual(namesOfContactChange(row, { ...row, email: "bob@example.com" }), [
      "field email",
      "field externalId",
    ]);
    assert.deepEqual(namesOfContactChange(row, { ...row, attributes: { a: 1 } }), ["attribute a"]);
  });

  for (const [about, before, after, expected] of [
    ["a write that lets the contact enter has the result true", 0, 1, true],
    ["a write that lets the contact leave has the result false", 1, 0, false],
    ["a write that changes nothing about that has no result", 1, 1, null],
    ["a new contact has a result", null, 0, false],
  ] as const) {
    test(about, () => {
      const watcher = createWatcher({ ...plannedWatch(), watched: { rule: has, attributes: [], checklists: [] } });
      const dataOf = (count: number): ContactData =>
        contactWith(...(count > 0 ? [{ eventKey: "step", count, firstAt: 0, lastAt: 0 }] : []));
      const edit = {
        names: null,
        before: before === null ? null : dataOf(before),
        after: dataOf(after),
        isSilent: false,
        at,
      };
      assert.equal(watcher.resultOf(edit), expected);
      const kinds = [watcher.toWrite(edit, true), watcher.toWrite({ ...edit, isSilent: true }, true)];
      assert.deepEqual(
        kinds.map(({ change }) => change?.kind),
        ["audience_entered", undefined],
      );
    });
  }
});
