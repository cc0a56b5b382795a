import assert from "node:assert/strict";
import { createTracker, type Rule, type Tracker } from "../../../lib/index.ts";
import { operandsPerRuleMaxBytes } from "../../../lib/model/limits.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped, type Clock } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const attributes = { city: "text", seats: "number", beta: "boolean" } as const;

/** Ada has every field and attribute and completed the checklist, Bob has an empty city, Cy has nothing. */
async function office(): Promise<{ tracker: Tracker; clock: Clock }> {
  const { tracker, clock } = stoppedTracker();
  for (const [key, type] of Object.entries(attributes)) await tracker.attributes.define({ key, type });
  await tracker.checklists.define({
    key: "start",
    name: "Start",
    items: [
      { key: "hand", name: "By hand" },
      { key: "often", name: "Often", when: { kind: "count_greater_than", eventKey: "step", count: 1 } },
      { key: "once", name: "Once", when: { kind: "has_done", eventKey: "step" } },
    ],
  });
  await tracker.contacts.upsert({
    email: "Ada@Example.com",
    externalId: "ada",
    name: "Ada",
    plan: "pro",
    signedUpAt: "2026-01-01T00:00:00Z",
    customAttributes: { city: "Zürich", seats: 10, beta: false },
  });
  await tracker.contacts.upsert({ email: "bob@example.com", customAttributes: { city: "" } });
  await tracker.contacts.upsert({ email: "cy@example.com" });
  for (const externalId of ["ada", "ada", "bob@example.com"]) {
    await tracker.events.track({ externalId, eventKey: "step" });
    await tracker.checklists.complete(externalId, "start", "hand");
  }
  return { tracker, clock };
}

/** The first letters of the members' emails. */
async function membersOf(tracker: Tracker, rule: Rule | string): Promise<string> {
  const { items } = await tracker.audiences.members(rule);
  assert.equal(await tracker.audiences.count(rule), items.length);
  return items.map(({ email }) => email[0]).join("");
}

const members: [Rule, string][] = [
  [{ kind: "field", field: "plan", operator: "equals", value: "pro" }, "a"],
  [{ kind: "field", field: "plan", operator: "is_set", value: true }, "a"],
  [{ kind: "field", field: "plan", operator: "is_set", value: false }, "bc"],
  [{ kind: "field", field: "email", operator: "equals", value: "ADA@EXAMPLE.COM" }, "a"],
  [{ kind: "field", field: "email", operator: "one_of", value: ["ADA@example.com", "Cy@example.com"] }, "ac"],
  [{ kind: "field", field: "email", operator: "starts_with", value: "B" }, "b"],
  [{ kind: "field", field: "externalId", operator: "equals", value: "ADA" }, ""],
  [{ kind: "field", field: "signedUpAt", operator: "within", value: { days: 30 } }, ""],
  [{ kind: "field", field: "signedUpAt", operator: "within", value: { from: new Date("2026-01-01T00:00:00Z") } }, "a"],
  [{ kind: "attribute", key: "city", operator: "equals", value: "" }, "b"],
  [{ kind: "attribute", key: "city", operator: "one_of", value: ["", "Zürich"] }, "ab"],
  [{ kind: "attribute", key: "city", operator: "contains", value: "ric" }, "a"],
  [{ kind: "attribute", key: "seats", operator: "greater_than", value: 10 }, ""],
  [{ kind: "attribute", key: "seats", operator: "greater_than", value: 9.999999999999998 }, "a"],
  [{ kind: "attribute", key: "seats", operator: "less_than", value: 10 }, ""],
  [{ kind: "attribute", key: "seats", operator: "less_than", value: 10.000000000000002 }, "a"],
  [{ kind: "attribute", key: "seats", operator: "between", value: [10, 10] }, "a"],
  [{ kind: "attribute", key: "seats", operator: "between", value: [-1, 9] }, ""],
  [{ kind: "attribute", key: "beta", operator: "equals", value: false }, "a"],
  [{ kind: "checklist_completed", checklistKey: "start" }, "a"],
];

const refused: [unknown, string[]][] = [
  [{ kind: "attribute", key: "City", operator: "equals", value: "x" }, ["rule.key attribute_not_defined"]],
  [{ kind: "attribute", key: "city", operator: "equals", value: 1 }, ["rule.value attribute_wrong_type"]],
  [{ kind: "attribute", key: "city", operator: "one_of", value: ["x", 1] }, ["rule.value.1 attribute_wrong_type"]],
  [{ kind: "attribute", key: "city", operator: "less_than", value: 1 }, ["rule.operator attribute_wrong_type"]],
  [{ kind: "attribute", key: "seats", operator: "contains", value: "1" }, ["rule.operator attribute_wrong_type"]],
  [{ kind: "attribute", key: "seats", operator: "equals", value: true }, ["rule.value attribute_wrong_type"]],
  [{ kind: "attribute", key: "beta", operator: "one_of", value: ["x"] }, ["rule.operator attribute_wrong_type"]],
  [
    { not: { all: [{ kind: "checklist_completed", checklistKey: "end" }] } },
    ["rule.not.all.0.checklistKey checklist_not_defined"],
  ],
];

/** What the client does otherwise, and why. */
const apart = {
  "the values of a rule have a size in all": "a body has a size of its own",
};

interfaceSuite({ name: "rules over the contact", apart }, (test) => {
  for (const [rule, expected] of members) {
    test(`members: ${JSON.stringify(rule)}`, async () => {
      const { tracker } = await office();
      assert.equal(await membersOf(tracker, rule), expected);
      await tracker.audiences.define({ key: "some", name: "Some", rule });
      assert.equal(await membersOf(tracker, "some"), expected);
      for (const { externalId, email } of (await tracker.contacts.list()).items) {
        const isMember = expected.includes(email[0]!);
        assert.equal((await tracker.audiences.explain(rule, externalId)).match, isMember);
        assert.deepEqual(await tracker.contacts.audiences(externalId), isMember ? ["some"] : []);
      }
    });
  }

  for (const [rule, issues] of refused) {
    test(`refused: ${issues.join()} of ${JSON.stringify(rule).slice(0, 100)}`, async () => {
      const { tracker } = await office();
      const define = tracker.audiences.define({ key: "some", name: "Some", rule: untyped(rule) });
      assert.deepEqual(await issuesOf(define), issues);
      assert.deepEqual(await issuesOf(tracker.audiences.count(untyped(rule))), issues);
      assert.deepEqual(await tracker.audiences.list(), []);
    });
  }

  test("a rule is stored with its emails folded, its times as texts, and 0 for -0", async () => {
    const { tracker } = await office();
    const from = new Date(0);
    const value = ["ADA@example.com", "K\u212a@example.com"];
    const rule: Rule = {
      any: [
        { kind: "field", field: "email", operator: "one_of", value },
        { kind: "field", field: "name", operator: "equals", value: "ADA" },
        { kind: "field", field: "createdAt", operator: "within", value: { from } },
        { kind: "attribute", key: "seats", operator: "one_of", value: [-0, 1] },
        { kind: "attribute", key: "seats", operator: "less_than", value: -0 },
      ],
    };
    const defining = tracker.audiences.define({ key: "some", name: "Some", rule });
    from.setTime(1);
    value.pop();
    assert.deepEqual((await defining).rule, {
      any: [
        { kind: "field", field: "email", operator: "one_of", value: ["ada@example.com", "k\u212a@example.com"] },
        { kind: "field", field: "name", operator: "equals", value: "ADA" },
        { kind: "field", field: "createdAt", operator: "within", value: { from: "1970-01-01T00:00:00.000Z" } },
        { kind: "attribute", key: "seats", operator: "one_of", value: [0, 1] },
        { kind: "attribute", key: "seats", operator: "less_than", value: 0 },
      ],
    });
  });

  test("the values of a rule have a size in all", async () => {
    const { tracker } = await office();
    const texts = (count: number): Rule => ({
      kind: "field",
      field: "name",
      operator: "one_of",
      value: Array(count).fill("x".repeat(125)) as string[],
    });
    // With its quotation marks and comma each text is 128 bytes.
    assert.equal(operandsPerRuleMaxBytes, 128 * 1_024);
    assert.equal(await tracker.audiences.count({ any: [texts(1_000), texts(23)] }), 0);
    assert.deepEqual(await issuesOf(tracker.audiences.count({ any: [texts(1_000), texts(24)] })), ["rule too_long"]);
  });

  test("what was observed explains a rule: a value, a progress, or nothing", async () => {
    const { tracker } = await office();
    const parts: Rule[] = [
      { kind: "field", field: "externalId", operator: "equals", value: "x" },
      { kind: "field", field: "plan", operator: "is_set", value: false },
      { kind: "field", field: "signedUpAt", operator: "within", value: { days: 1 } },
      { kind: "attribute", key: "beta", operator: "equals", value: false },
      { kind: "checklist_completed", checklistKey: "start" },
    ];
    const observedOf = async (externalId: string): Promise<unknown[]> =>
      (await tracker.audiences.explain({ any: parts }, externalId)).because.map(({ match, observed }) => [
        match,
        observed,
      ]);
    assert.deepEqual(await observedOf("ada"), [
      [false, { value: "ada" }],
      [false, { value: "pro" }],
      [false, { value: "2026-01-01T00:00:00.000Z" }],
      [true, { value: false }],
      [true, { completed: 3, total: 3 }],
    ]);
    assert.deepEqual(await observedOf("bob@example.com"), [
      [false, { value: "bob@example.com" }],
      [true, null],
      [false, null],
      [false, null],
      [false, { completed: 2, total: 3 }],
    ]);
  });

  test("a rule about a definition that is gone is false, whatever it asks", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "hand", name: "By hand" }] });
    await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 1 } });
    const unset: Rule = { kind: "attribute", key: "seats", operator: "is_set", value: false };
    const start: Rule = { kind: "checklist_completed", checklistKey: "start" };
    await tracker.audiences.define({ key: "gone", name: "Gone", rule: { any: [unset, start] } });
    await tracker.audiences.define({ key: "opposite", name: "Opposite", rule: { not: { any: [unset, start] } } });
    // Earlier versions could delete the definitions while an audience was defined.
    const listDefinitions: typeof storage.listDefinitions = (workspace, kind) =>
      kind === "audience" ? storage.listDefinitions(workspace, kind) : Promise.resolve([]);
    const { audiences, contacts } = createTracker({ storage: { ...storage, listDefinitions } });
    assert.equal(await audiences.count("gone"), 0);
    assert.equal(await audiences.count("opposite"), 1);
    assert.deepEqual(
      (await audiences.explain("gone", "ada@example.com")).because.map(({ observed }) => observed),
      [null, null],
    );
    assert.deepEqual(await contacts.audiences("ada@example.com"), ["opposite"]);
    assert.deepEqual(await issuesOf(audiences.count(start)), ["rule.checklistKey checklist_not_defined"]);
  });

  test("where undefined events are refused, so is a rule or an item that names one", async () => {
    const { storage } = stoppedTracker();
    const tracker = createTracker({ storage, undefinedEvents: "refuse" });
    const when = { kind: "has_done", eventKey: "Order Completed" } as const;
    const rule: Rule = { all: [{ kind: "field", field: "plan", operator: "is_set", value: true }, { not: when }] };
    const audience = { key: "others", name: "Others", rule };
    const checklist = { key: "start", name: "Start", items: [{ key: "order", name: "Order", when }] };
    const issue = "rule.all.1.not.eventKey event_not_defined";
    assert.deepEqual(await issuesOf(tracker.audiences.define(audience)), [issue]);
    assert.deepEqual(await issuesOf(tracker.audiences.count(rule)), [issue]);
    assert.deepEqual(await issuesOf(tracker.checklists.define(checklist)), ["items.0.when.eventKey event_not_defined"]);
    const list = { audiences: [audience], checklists: [checklist] };
    assert.deepEqual(await issuesOf(tracker.provision(list)), [
      "checklists.0.items.0.when.eventKey event_not_defined",
      "audiences.0.rule.all.1.not.eventKey event_not_defined",
    ]);
    assert.deepEqual(await tracker.checklists.list(), []);
    await tracker.provision({ ...list, events: [{ key: "Order Completed" }] });
    assert.equal(await tracker.audiences.count(rule), 0);
    await tracker.eventTypes.delete("Order Completed");
    assert.equal(await tracker.audiences.count("others"), 0);
  });

  test("a rule is refused by definitions that are read afresh", async () => {
    const { storage } = stoppedTracker();
    await createTracker({ storage }).provision({
      events: [{ key: "step" }],
      attributes: [{ key: "seats", type: "number" }],
      checklists: [{ key: "start", name: "Start", items: [{ key: "a", name: "A" }] }],
    });
    const remembered: typeof storage.listDefinitions = (workspace, kind, options) =>
      options ? storage.listDefinitions(workspace, kind, options) : Promise.resolve([]);
    const tracker = createTracker({ storage: { ...storage, listDefinitions: remembered }, undefinedEvents: "refuse" });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const rule: Rule = {
      all: [
        { kind: "has_not_done", eventKey: "step" },
        { kind: "attribute", key: "seats", operator: "is_set", value: false },
        { not: { kind: "checklist_completed", checklistKey: "start" } },
      ],
    };
    assert.equal(await tracker.audiences.count(rule), 1);
    await tracker.audiences.define({ key: "some", name: "Some", rule });
  });

  test("a contact's audiences are the defined ones that hold of it, oldest first", async () => {
    const { tracker, clock } = await office();
    await tracker.audiences.define({ key: "z", name: "Z", rule: { kind: "has_done", eventKey: "step" } });
    await tracker.audiences.define({
      key: "a",
      name: "A",
      rule: { kind: "field", field: "email", operator: "is_set", value: true },
    });
    await tracker.audiences.define({
      key: "m",
      name: "M",
      rule: { kind: "last_done_within", eventKey: "step", period: { days: 1 } },
    });
    assert.deepEqual(await tracker.contacts.audiences("ada"), ["z", "a", "m"]);
    clock.set("2026-03-01T00:00:00.000Z");
    assert.deepEqual(await tracker.contacts.audiences("ada"), ["z", "a"]);
    assert.deepEqual(await tracker.contacts.audiences("cy@example.com"), ["a"]);
    assert.equal((await refusalOf(tracker.contacts.audiences("nobody"))).code, "contact_not_found");
    assert.deepEqual(await issuesOf(tracker.contacts.audiences(" ada")), ["externalId invalid_format"]);
  });

  test("provisioning makes what audiences name before them, and refuses a rule that does not fit before any write", async () => {
    const { tracker } = stoppedTracker();
    const rule: Rule = {
      all: [
        { kind: "attribute", key: "seats", operator: "greater_than", value: 5 },
        { kind: "checklist_completed", checklistKey: "start" },
      ],
    };
    const checklists = [{ key: "start", name: "Start", items: [{ key: "hand", name: "By hand" }] }];
    const audiences = [{ key: "some", name: "Some", rule }];
    const text = { attributes: [{ key: "seats", type: "text" as const }], audiences };
    assert.deepEqual(await issuesOf(tracker.provision(text)), [
      "audiences.0.rule.all.0.operator attribute_wrong_type",
      "audiences.0.rule.all.1.checklistKey checklist_not_defined",
    ]);
    assert.deepEqual(await tracker.attributes.list(), []);
    await tracker.provision({ attributes: [{ key: "seats", type: "number" }], audiences, checklists });
    await tracker.provision({ audiences });
    assert.deepEqual(await tracker.audiences.list(), audiences);
  });
});
