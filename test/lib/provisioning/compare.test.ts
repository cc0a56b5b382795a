/** `compare` tells how the stored definitions differ from a list. */
import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker, type ChecklistItem, type Comparison, type Definitions } from "../../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const bought = { kind: "has_done", eventKey: "Order Completed" } as const;
const list = {
  events: [{ key: "Order Completed", name: "Order", properties: { total: "number", coupon: "text?" } }],
  attributes: [{ key: "seats", type: "number", name: "Seats" }],
  checklists: [
    {
      key: "start",
      name: "Start",
      items: [
        { key: "order", name: "Order", when: bought },
        { key: "call", name: "Call" },
        { key: "card", name: "Card" },
      ],
    },
  ],
  audiences: [
    {
      key: "buyers",
      name: "Buyers",
      rule: { all: [bought, { kind: "field", field: "signedUpAt", operator: "within", value: { days: 7 } }] },
    },
  ],
} as const satisfies Definitions;

/** What differs, each definition as `state kind key fields`, its items behind it. */
function differences({ definitions }: Comparison): string[] {
  return definitions.flatMap(({ state, kind, key, fields, items }) =>
    state === "same"
      ? []
      : [
          [state, kind, key, ...fields].join(" "),
          ...items.map((item) => ["item", item.state, item.key, ...item.fields].join(" ")),
        ],
  );
}

/** What is told of definitions that do not fit, each as `kind key path code`. */
const told = ({ issues }: Pick<Comparison, "issues">): string[] =>
  issues.map(({ kind, key, path, code }) => `${kind} ${key} ${path} ${code}`);

async function differencesFrom(definitions: Definitions): Promise<string[]> {
  const { tracker } = stoppedTracker();
  await tracker.provision(list);
  const comparison = await tracker.compare(definitions);
  assert.equal(comparison.same, differences(comparison).length === 0);
  return differences(comparison);
}

suite("compare", (test) => {
  test("nothing is stored of a new list, then all of it is, and comparing changes nothing", async () => {
    const { tracker } = stoppedTracker();
    const missing = ["missing event Order Completed", "missing attribute seats"];
    const before = await tracker.compare(list);
    assert.equal(before.same, false);
    assert.deepEqual(differences(before), [...missing, "missing checklist start", "missing audience buyers"]);
    assert.deepEqual(await tracker.attributes.list(), []);
    await tracker.provision(list);
    const after = await tracker.compare(list);
    assert.equal(after.same, true);
    assert.deepEqual(
      after.definitions.map(({ kind, state }) => `${kind} ${state}`),
      ["event same", "attribute same", "checklist same", "audience same"],
    );
  });

  test("provision resolves with how the stored definitions differed before", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await tracker.provision(list), await stoppedTracker().tracker.compare(list));
    assert.deepEqual(await tracker.provision({ ...list, audiences: [] }), {
      ...(await tracker.compare({ ...list, audiences: [] })),
    });
  });

  test("a list that leaves a kind out names none of it", async () => {
    assert.deepEqual(await differencesFrom({ events: list.events, checklists: list.checklists }), [
      "extra attribute seats",
      "extra audience buyers",
    ]);
  });

  test("a changed rule, name, type or property is told by the field that differs", async () => {
    const [event] = list.events;
    const [attribute] = list.attributes;
    const [audience] = list.audiences;
    assert.deepEqual(
      await differencesFrom({
        events: [{ ...event, properties: { total: "number", coupon: "text" } }],
        attributes: [{ ...attribute, type: "text" }],
        checklists: [{ ...list.checklists[0], name: "Begin" }],
        audiences: [{ ...audience, name: "Customers", rule: bought }],
      }),
      [
        "changed event Order Completed properties",
        "changed attribute seats type",
        "changed checklist start name",
        "changed audience buyers name rule",
      ],
    );
  });

  test("a comparison says how the fields and the order of a checklist changed, and the fields of its items", async () => {
    const { tracker } = stoppedTracker();
    await tracker.provision(list);
    const [order, ...others] = list.checklists[0].items;
    const items = [...others, { ...order, name: "First order" }];
    const { definitions } = await tracker.compare({ checklists: [{ ...list.checklists[0], name: "Begin", items }] });
    const start = definitions.find(({ kind }) => kind === "checklist")!;
    assert.deepEqual(start.changes, ["name: Start -> Begin", "order: order, call, card -> call, card, order"]);
    assert.deepEqual(start.items, [
      { key: "order", state: "changed", fields: ["name"], changes: ["name: Order -> First order"] },
    ]);
  });

  test("a checklist is compared item by item, and in its order", async () => {
    const [order, call, card] = list.checklists[0].items;
    const differ = (items: readonly ChecklistItem[]): Promise<string[]> =>
      differencesFrom({ ...list, checklists: [{ key: "start", name: "Start", items }] });
    assert.deepEqual(await differ([call, order, card]), ["changed checklist start order"]);
    assert.deepEqual(await differ([order, { key: "visit", name: "Visit" }, call, card]), [
      "changed checklist start",
      "item missing visit",
    ]);
    assert.deepEqual(
      await differ([
        { key: "order", name: "Order" },
        { ...card, name: "Enter a card" },
      ]),
      ["changed checklist start", "item changed order when", "item changed card name", "item extra call"],
    );
    const described = { ...call, description: "Ten minutes.", href: "/calls" };
    assert.deepEqual(await differ([order, described, card]), [
      "changed checklist start",
      "item changed call description href",
    ]);
    const checklists = [{ ...list.checklists[0], description: "Your first week." }];
    assert.deepEqual(await differencesFrom({ ...list, checklists }), ["changed checklist start description"]);
  });

  test("what is written otherwise and stored alike is the same", async () => {
    const { tracker } = stoppedTracker();
    const rule = { kind: "field", field: "email", operator: "equals", value: "Ada@example.com" } as const;
    const from = new Date("2026-01-01T00:00:00.000Z");
    const period = { from, to: undefined };
    const audiences = [
      { key: "ada", name: "Ada", rule },
      { key: "late", name: "Late", rule: { kind: "last_done_within", eventKey: "a", period } },
    ] as const satisfies Definitions["audiences"];
    await tracker.provision({
      audiences,
      attributes: [{ key: "seats", type: "number", name: "Seats" }],
      events: [{ key: "a", properties: { x: "text", y: "number" } }],
    });
    const stored = {
      audiences: await tracker.audiences.list(),
      attributes: [{ key: "seats", type: "number" }],
      events: [{ key: "a", name: null, properties: { y: "number", x: "text" } }],
    } as const;
    assert.equal((await tracker.compare({ ...stored, audiences })).same, true);
    assert.equal((await tracker.compare(stored)).same, true);
  });

  test("what names an event, attribute or checklist that is not defined is listed", async () => {
    const { tracker, storage } = stoppedTracker();
    const rule = {
      any: [
        { kind: "attribute", key: "seats", operator: "greater_than", value: 5 },
        { not: { kind: "checklist_completed", checklistKey: "start" } },
      ],
    } as const;
    const stored = { ...list, audiences: [{ key: "some", name: "Some", rule }] };
    await tracker.provision(stored);
    // Earlier versions could delete the definitions while an audience was defined.
    const listDefinitions: typeof storage.listDefinitions = async (workspace, kind) =>
      (await storage.listDefinitions(workspace, kind)).filter(({ key }) => key !== "seats" && key !== "start");
    const { compare } = createTracker({ storage: { ...storage, listDefinitions } });
    const without = { events: list.events, audiences: stored.audiences };
    for (const given of [without, {}]) {
      const compared = await compare(given);
      assert.equal(compared.same, false);
      assert.deepEqual(told(compared), [
        "audience some rule.any.0.key attribute_not_defined",
        "audience some rule.any.1.not.checklistKey checklist_not_defined",
      ]);
    }
    assert.deepEqual((await compare(stored)).issues, []);
  });

  test("an event key without an event type is listed, and differs only where undefined events are refused", async () => {
    const storage = memoryStorage();
    const { checklists, audiences } = list;
    await createTracker({ storage }).provision({ checklists, audiences });
    for (const [undefinedEvents, same] of [
      ["accept", true],
      ["refuse", false],
    ] as const) {
      const comparison = await createTracker({ storage, undefinedEvents }).compare({ checklists, audiences });
      assert.equal(comparison.same, same);
      assert.deepEqual(told(comparison), [
        "checklist start items.0.when.eventKey event_not_defined",
        "audience buyers rule.all.0.eventKey event_not_defined",
      ]);
    }
  });

  test("a property that the event type lacks is a warning, which is no difference and stops no provisioning", async () => {
    const { tracker } = stoppedTracker();
    const isSet = { operator: "is_set", value: true } as const;
    const where = [
      { property: "total", ...isSet },
      { property: "old", ...isSet },
    ];
    const lately = { period: { days: 30 }, where };
    const rule = {
      any: [
        { kind: "has_done", eventKey: "ordered", ...lately },
        { not: { kind: "has_done", eventKey: "free", ...lately } },
      ],
    } as const;
    const events = [{ key: "ordered", properties: { total: "number" } }, { key: "free" }] as const;
    const input = { events, audiences: [{ key: "buyers", name: "Buyers", rule }] };
    const warnings = ["audience buyers rule.any.0.where.1.property property_not_defined"];
    assert.deepEqual(told(await tracker.provision(input)), warnings);
    const compared = await tracker.compare(input);
    assert.deepEqual([compared.same, told(compared)], [true, warnings]);
  });

  test("a wrong list is refused as provision refuses it", async () => {
    const { tracker } = stoppedTracker();
    const attributes = [{ key: "seats", type: "int" }];
    assert.deepEqual(await issuesOf(tracker.compare(untyped({ attributes, funnels: [] }))), [
      "attributes.0.type invalid_format",
      "funnels unknown_field",
    ]);
    const twice = { attributes: [...list.attributes, { key: "seats", type: "text" as const }] };
    assert.equal((await refusalOf(tracker.compare(twice))).code, "attribute_conflict");
  });

  test("a key that is listed twice is compared with what provision stores of it, the last", async () => {
    const [audience] = list.audiences;
    const once = { ...audience, name: "Once" };
    assert.deepEqual(await differencesFrom({ ...list, audiences: [once, audience] }), []);
    assert.deepEqual(await differencesFrom({ ...list, audiences: [audience, once] }), ["changed audience buyers name"]);
  });
});
