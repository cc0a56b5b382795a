import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker, type Definitions } from "../../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const file: Definitions = {
  attributes: [
    { key: "seats", type: "number", name: "Seats" },
    { key: "beta", type: "boolean" },
  ],
};

const made = [
  { key: "seats", type: "number", name: "Seats" },
  { key: "beta", type: "boolean", name: null },
];

suite("provision", (test) => {
  test("the definitions are made, in the order of the file", async () => {
    const { tracker } = stoppedTracker();
    await tracker.provision(file);
    assert.deepEqual(await tracker.attributes.list(), made);
  });

  test("audiences and checklists are made too, and replaced", async () => {
    const { tracker } = stoppedTracker();
    const rule = { kind: "has_done", eventKey: "step" } as const;
    const definitions = {
      audiences: [{ key: "doers", name: "Doers", rule }],
      checklists: [{ key: "start", name: "Start", items: [{ key: "one", name: "One", when: rule }] }],
    };
    for (const name of ["First", "Second"]) {
      definitions.audiences[0]!.name = name;
      await tracker.provision(definitions);
    }
    assert.deepEqual(await tracker.audiences.list(), [{ key: "doers", name: "Second", rule }]);
    assert.deepEqual(await tracker.checklists.list(), definitions.checklists);
  });

  test("event types are made first, then attributes, checklists and audiences", async () => {
    const storage = memoryStorage();
    const kinds: string[] = [];
    const tracker = createTracker({
      storage: {
        ...storage,
        putDefinition(draft) {
          kinds.push(draft.kind);
          return storage.putDefinition(draft);
        },
      },
    });
    const rule = { kind: "has_done", eventKey: "Order Completed" } as const;
    const events = [{ key: "Order Completed", properties: { total: "number" } }] as const;
    await tracker.provision({
      audiences: [{ key: "buyers", name: "Buyers", rule }],
      checklists: [{ key: "start", name: "Start", items: [{ key: "one", name: "One", when: rule }] }],
      attributes: file.attributes,
      events: [...events],
    });
    assert.deepEqual([...new Set(kinds)], ["event", "attribute", "checklist", "audience"]);
    assert.deepEqual(await tracker.eventTypes.list(), [{ ...events[0], name: null }]);
  });

  test("an event type that is wrong makes nothing of the file", async () => {
    const { tracker } = stoppedTracker();
    const events = [{ key: "step" }, { key: "", properties: { total: "int" } }, { key: "a", property: {} }];
    assert.deepEqual(await issuesOf(tracker.provision(untyped({ attributes: file.attributes, events }))), [
      "events.1.key too_short",
      "events.1.properties.total invalid_format",
      "events.2.property unknown_field",
    ]);
    assert.deepEqual([await tracker.attributes.list(), await tracker.eventTypes.list()], [[], []]);
  });

  test("provision names each problem of an audience or a checklist by its path, and makes nothing", async () => {
    const { tracker } = stoppedTracker();
    const input = {
      attributes: file.attributes,
      audiences: [{ key: "doers", name: "Doers", rule: { any: [] } }],
      checklists: [{ key: "start", name: "Start", items: [{ key: "one", name: "One", when: {} }] }],
    };
    assert.deepEqual(await issuesOf(tracker.provision(untyped(input))), [
      "audiences.0.rule.any empty_list",
      "checklists.0.items.0.when.kind required",
    ]);
    assert.deepEqual(await tracker.attributes.list(), []);
  });

  test("the same file again changes nothing", async () => {
    const { tracker } = stoppedTracker();
    await tracker.provision(file);
    await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 12 } });
    await tracker.provision(file);
    assert.deepEqual(await tracker.attributes.list(), made);
    assert.deepEqual((await tracker.contacts.get("ada@example.com"))?.customAttributes, { seats: 12 });
  });

  test("the same file twice at once makes each definition once", async () => {
    const { tracker } = stoppedTracker();
    await Promise.all([tracker.provision(file), tracker.provision(file)]);
    assert.deepEqual(await tracker.attributes.list(), made);
  });

  test("provision leaves other definitions as they are", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "floor", type: "text" });
    await tracker.provision(file);
    assert.deepEqual(await tracker.attributes.list(), [{ key: "floor", type: "text", name: null }, ...made]);
  });

  test("an empty file makes nothing", async () => {
    const { tracker } = stoppedTracker();
    await tracker.provision({});
    await tracker.provision({ attributes: [] });
    assert.deepEqual(await tracker.attributes.list(), []);
  });

  test("provision names each unknown or wrong field by its path, and makes nothing", async () => {
    const { tracker } = stoppedTracker();
    const input = {
      attribute: [],
      attributes: [
        { key: "good", type: "text" },
        { key: "1st", type: "string", label: "First" },
        { type: "text" },
        undefined,
        null,
        "seats",
      ],
    };
    assert.deepEqual(await issuesOf(tracker.provision(untyped(input))), [
      "attributes.1.key invalid_format",
      "attributes.1.type invalid_format",
      "attributes.1.label unknown_field",
      "attributes.2.key required",
      "attributes.3 required",
      "attributes.4 wrong_type",
      "attributes.5 wrong_type",
      "attribute unknown_field",
    ]);
    assert.deepEqual(await tracker.attributes.list(), []);
  });

  for (const [what, attributes, code] of [
    ["null", null, "not_allowed_null"],
    ["an object", { seats: "number" }, "wrong_type"],
    ["a text", "seats", "wrong_type"],
    ["a Set", new Set(file.attributes), "wrong_type"],
  ] as const) {
    test(`${what} is no list of attributes`, async () => {
      const { tracker } = stoppedTracker();
      assert.deepEqual(await issuesOf(tracker.provision(untyped({ attributes }))), [`attributes ${code}`]);
    });
  }

  test("a hole in a list is refused by its path", async () => {
    const { tracker } = stoppedTracker();
    const attributes = [{ key: "good", type: "text" }];
    attributes[2] = { key: "better", type: "text" };
    assert.deepEqual(await issuesOf(tracker.provision(untyped({ attributes }))), ["attributes.1 required"]);
    assert.deepEqual(await tracker.attributes.list(), []);
  });

  test("definitions whose fields are inherited are made like any other", async () => {
    class Seats {
      get key(): string {
        return "seats";
      }
      get type(): "number" {
        return "number";
      }
    }
    const { tracker } = stoppedTracker();
    await tracker.provision({ attributes: [new Seats()] });
    assert.deepEqual(await tracker.attributes.list(), [{ key: "seats", type: "number", name: null }]);
  });

  test("provision refuses a file with a type other than the defined one whole", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "floor", type: "text", name: "Floor" });
    const attributes: Definitions["attributes"] = [
      { key: "seats", type: "number" },
      { key: "floor", type: "text", name: "Storey" },
      { key: "floor", type: "number" },
    ];
    assert.equal((await refusalOf(tracker.provision({ attributes }))).code, "attribute_conflict");
    assert.deepEqual(await tracker.attributes.list(), [{ key: "floor", type: "text", name: "Floor" }]);
  });

  test("provision refuses a file with two types for one new key whole", async () => {
    const { tracker } = stoppedTracker();
    const attributes: Definitions["attributes"] = [
      { key: "seats", type: "number" },
      { key: "seats", type: "text" },
    ];
    assert.equal((await refusalOf(tracker.provision({ attributes }))).code, "attribute_conflict");
    assert.deepEqual(await tracker.attributes.list(), []);
  });

  test("an error tells at most 100 issues", async () => {
    const { tracker } = stoppedTracker();
    const attributes = Array.from({ length: 150 }, () => untyped({ key: "seats" }));
    assert.equal((await issuesOf(tracker.provision({ attributes }))).length, 100);
  });
});
