import assert from "node:assert/strict";
import type { Definitions } from "../../../lib/index.ts";
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
  test("the same file again changes nothing", async () => {
    const { tracker } = stoppedTracker();
    await tracker.provision(file);
    await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 12 } });
    await tracker.provision(file);
    assert.deepEqual(await tracker.attributes.list(), made);
    assert.deepEqual((await tracker.contacts.get("ada@example.com"))?.customAttributes, { seats: 12 });
  });

  test("provision leaves other definitions as they are", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "floor", type: "text" });
    await tracker.provision(file);
    assert.deepEqual(await tracker.attributes.list(), [{ key: "floor", type: "text", name: null }, ...made]);
  });

  test("provision names each unknown or wrong field by its path, and makes nothing", async () => {
    const { tracker } = stoppedTracker();
    const input = {
      attribute: [],
      events: [{ key: "step" }, { key: "", properties: { total: "int" } }],
      audiences: [{ key: "doers", name: "Doers", rule: { any: [] } }],
      checklists: [{ key: "start", name: "Start", items: [{ key: "one", name: "One", when: {} }] }],
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
      "events.1.key too_short",
      "events.1.properties.total invalid_format",
      "attributes.1.key invalid_format",
      "attributes.1.type invalid_format",
      "attributes.1.label unknown_field",
      "attributes.2.key required",
      "attributes.3 required",
      "attributes.4 wrong_type",
      "attributes.5 wrong_type",
      "audiences.0.rule.any empty_list",
      "checklists.0.items.0.when.kind required",
      "attribute unknown_field",
    ]);
    assert.deepEqual([await tracker.attributes.list(), await tracker.eventTypes.list()], [[], []]);
  });

  test("a hole in a list is refused by its path", async () => {
    const { tracker } = stoppedTracker();
    const attributes = [{ key: "good", type: "text" }];
    attributes[2] = { key: "better", type: "text" };
    assert.deepEqual(await issuesOf(tracker.provision(untyped({ attributes }))), ["attributes.1 required"]);
    assert.deepEqual(await tracker.attributes.list(), []);
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
});
