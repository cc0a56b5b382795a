/** `prune` removes what a list does not name, and tells what that touches. */
import assert from "node:assert/strict";
import type { Definitions } from "../../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const stored: Definitions = {
  events: [{ key: "Order Completed" }, { key: "step" }],
  attributes: [
    { key: "seats", type: "number" },
    { key: "floor", type: "text" },
  ],
  checklists: [
    {
      key: "start",
      name: "Start",
      items: [
        { key: "step", name: "Step", when: { kind: "has_done", eventKey: "step" } },
        { key: "call", name: "Call" },
        { key: "card", name: "Card" },
      ],
    },
    { key: "end", name: "End", items: [{ key: "a", name: "A", when: { kind: "has_done", eventKey: "step" } }] },
  ],
  audiences: [
    { key: "large", name: "Large", rule: { kind: "attribute", key: "seats", operator: "greater_than", value: 5 } },
    { key: "begun", name: "Begun", rule: { kind: "checklist_completed", checklistKey: "start" } },
  ],
};

/** Three contacts: two have seats, two completed items of a checklist by hand. */
async function office() {
  const { tracker } = stoppedTracker();
  await tracker.provision(stored);
  await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 12, floor: "3" } });
  await tracker.contacts.upsert({ email: "bo@example.com", customAttributes: { seats: 0 } });
  await tracker.contacts.upsert({ email: "cy@example.com" });
  await tracker.events.track({ externalId: "cy@example.com", eventKey: "step" });
  await tracker.checklists.complete("ada@example.com", "start", "call");
  await tracker.checklists.complete("ada@example.com", "start", "card");
  await tracker.checklists.complete("bo@example.com", "start", "card");
  return tracker;
}

const pruned = [
  { kind: "audience", key: "begun", contacts: 0, items: 0 },
  { kind: "audience", key: "large", contacts: 0, items: 0 },
  { kind: "checklist", key: "end", contacts: 0, items: 1 },
  { kind: "checklist", key: "start", contacts: 2, items: 3 },
  { kind: "attribute", key: "seats", contacts: 2, items: 0 },
  { kind: "event", key: "step", contacts: 0, items: 0 },
];
const kept: Definitions = { events: [{ key: "Order Completed" }], attributes: [{ key: "floor", type: "text" }] };

suite("prune", (test) => {
  test("removes what the list does not name, and tells how many contacts and items that touches", async () => {
    const tracker = await office();
    assert.deepEqual(await tracker.removeUnlisted(kept), pruned);
    assert.equal((await tracker.compare(kept)).same, true);
    assert.deepEqual((await tracker.contacts.get("ada@example.com"))?.customAttributes, { floor: "3" });
    assert.equal((await tracker.events.list("cy@example.com")).items.length, 1);
    assert.deepEqual(await tracker.removeUnlisted(kept), []);
  });

  test("a dry run tells the same and removes nothing", async () => {
    const tracker = await office();
    assert.deepEqual(await tracker.removeUnlisted(kept, { dryRun: true }), pruned);
    assert.equal((await tracker.compare(stored)).same, true);
  });

  test("a list that names all that is stored removes nothing, and adds nothing", async () => {
    const tracker = await office();
    assert.deepEqual(await tracker.removeUnlisted({ ...stored, events: [...stored.events!, { key: "more" }] }), []);
    assert.equal((await tracker.compare(stored)).same, true);
  });

  test("what a stored audience of the list names is not removed, and nothing else is", async () => {
    const tracker = await office();
    for (const options of [{ dryRun: true }, {}]) {
      const refusal = await refusalOf(tracker.removeUnlisted({ audiences: stored.audiences }, options));
      assert.equal(refusal.code, "definition_in_use");
    }
    assert.equal((await tracker.compare(stored)).same, true);
  });

  test("a dry run looks at the audiences as they are listed, which are stored before what they no longer name is removed", async () => {
    const tracker = await office();
    const rule = { kind: "has_done", eventKey: "step" } as const;
    const list = { ...kept, audiences: [{ key: "large", name: "Large", rule }] };
    const keys = (removed: typeof pruned): string[] => removed.map(({ key }) => key);
    assert.deepEqual(keys(await tracker.removeUnlisted(list, { dryRun: true })), [
      "begun",
      "end",
      "start",
      "seats",
      "step",
    ]);
    assert.equal((await refusalOf(tracker.removeUnlisted(list))).code, "definition_in_use");
    await tracker.provision(list);
    assert.deepEqual(keys(await tracker.removeUnlisted(list)), ["begun", "end", "start", "seats", "step"]);
  });

  test("completions by hand count also where events complete the item by now", async () => {
    const tracker = await office();
    const [start] = stored.checklists!;
    const items = start!.items.map((item) => ({ ...item, when: { kind: "has_done", eventKey: "step" } as const }));
    await tracker.checklists.define({ ...start!, items });
    assert.deepEqual(await tracker.removeUnlisted(kept, { dryRun: true }), pruned);
  });

  test("removes nothing of another workspace", async () => {
    const tracker = await office();
    const acme = tracker.workspace("acme");
    await acme.provision(stored);
    await acme.removeUnlisted({});
    assert.equal((await acme.compare({})).same, true);
    assert.equal((await tracker.compare(stored)).same, true);
  });

  test("a wrong list or option removes nothing", async () => {
    const tracker = await office();
    assert.deepEqual(await issuesOf(tracker.removeUnlisted(untyped({ attribute: [] }))), ["attribute unknown_field"]);
    assert.deepEqual(await issuesOf(tracker.removeUnlisted({}, untyped({ dryrun: true }))), ["dryrun unknown_field"]);
    assert.deepEqual(await issuesOf(tracker.removeUnlisted({}, untyped({ dryRun: 1 }))), ["dryRun wrong_type"]);
    await assert.rejects(tracker.removeUnlisted(), TypeError);
    assert.equal((await tracker.compare(stored)).same, true);
  });

  test("two prunes at once remove each definition once, and both succeed", async () => {
    const tracker = await office();
    assert.deepEqual(await Promise.all([tracker.removeUnlisted(kept), tracker.removeUnlisted(kept)]), [pruned, pruned]);
    assert.equal((await tracker.compare(kept)).same, true);
  });
});
