import assert from "node:assert/strict";
import { createWatcher, namesOfContactChange, namesOfEventKey } from "../../../lib/decisions/watches.ts";
import { at } from "../../../adapters/storage-contract/drafts.ts";
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
const attribute = { key: "seats", id: "0199c0de-0000-7000-8000-000000000001" };
const items = [{ key: "a", when: { kind: "has_done", eventKey: "open" } }] as const;
const start = { key: "start", id: "0199c0de-0000-7000-8000-000000000002", items };
const wholeRule = { rule, attributes: [attribute], checklists: [start] };
const times = { clock: at, position: null, readyAt: null, sweptAt: 0 };
const plannedWatch = (): WatchRow => ({
  id: "w",
  workspace: "acme",
  audienceKey: "doers",
  watched: wholeRule,
  ...times,
});

suite("watches", (test) => {
  test("a write touches a watch that covers the contact and names what it changes", () => {
    const { isTouched } = createWatcher({ ...plannedWatch(), position: "m" });
    assert.equal(isTouched("m", null), true);
    assert.equal(isTouched("n", null), false);
    for (const name of ["event step", "event open", `attribute ${attribute.id}`, `checklist ${start.id}`, "field plan"])
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
    assert.deepEqual(watcher.occurrenceTests(), [
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

  const dayMs = 86_400_000;
  for (const [about, before, after, expected] of [
    ["moves within the period", 1, 3.4, null],
    ["moves where only the clock is behind", 3.4, 3.2, null],
    ["moves out of the period", 1, 5, false],
    ["moves into the period", 5, 2, true],
    ["moves into the period that is over at the write", 5, 0.2, null],
    ["is removed where only the clock is behind", 3.4, null, false],
  ] as const) {
    test(`a date that ${about} has the result ${expected}, half a day after the clock`, () => {
      const next = { kind: "attribute", key: "seats", operator: "within", value: { next: { days: 3 } } } as const;
      const watcher = createWatcher({ ...plannedWatch(), watched: { ...wholeRule, rule: next } });
      const dataOf = (days: number | null): ContactData => {
        const contact = contactWith();
        const attributes = days === null ? {} : { [attribute.id]: at + days * dayMs };
        return { ...contact, row: { ...contact.row, attributes } };
      };
      const edit = { names: null, before: dataOf(before), after: dataOf(after), isSilent: false, at: at + dayMs / 2 };
      assert.equal(watcher.resultOf(edit), expected);
    });
  }
});
