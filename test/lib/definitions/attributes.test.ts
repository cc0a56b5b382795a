import assert from "node:assert/strict";
import { issuesOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

interfaceSuite("attributes", (test) => {
  test("a definition is answered and listed, oldest first", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await tracker.attributes.define({ key: "seats", type: "number", name: "Seats" }), {
      key: "seats",
      type: "number",
      name: "Seats",
    });
    assert.deepEqual(await tracker.attributes.define({ key: "Beta_2", type: "boolean" }), {
      key: "Beta_2",
      type: "boolean",
      name: null,
    });
    assert.deepEqual(await tracker.attributes.list(), [
      { key: "seats", type: "number", name: "Seats" },
      { key: "Beta_2", type: "boolean", name: null },
    ]);
  });

  for (const [key, code] of [
    ["", "too_short"],
    ["1st", "invalid_format"],
    ["_a", "invalid_format"],
    ["a-b", "invalid_format"],
    ["a.b", "invalid_format"],
    ["a b", "invalid_format"],
    ["a\n", "invalid_format"],
    ["é", "invalid_format"],
    ["__proto__", "invalid_format"],
    [5, "wrong_type"],
    [null, "not_allowed_null"],
  ] as const) {
    test(`no attribute key: ${JSON.stringify(key)}`, async () => {
      const { tracker } = stoppedTracker();
      const definition = { key: untyped(key), type: "text" } as const;
      assert.deepEqual(await issuesOf(tracker.attributes.define(definition)), [`key ${code}`]);
      assert.deepEqual(await issuesOf(tracker.attributes.delete(untyped(key))), [`key ${code}`]);
    });
  }

  for (const type of ["string", "Text", "", "constructor", "__proto__"]) {
    test(`no attribute type: ${JSON.stringify(type)}`, async () => {
      const { tracker } = stoppedTracker();
      const definition = { key: "seats", type: untyped(type) };
      assert.deepEqual(await issuesOf(tracker.attributes.define(definition)), ["type invalid_format"]);
    });
  }

  test("the name of a definition is not blank", async () => {
    const { tracker } = stoppedTracker();
    const definition = { key: "seats", type: "number", name: " " } as const;
    assert.deepEqual(await issuesOf(tracker.attributes.define(definition)), ["name too_short"]);
  });

  test("deleting a definition takes its values with it", async () => {
    const { tracker } = stoppedTracker();
    for (const key of ["seats", "floor"]) await tracker.attributes.define({ key, type: "number" });
    const input = { email: "ada@example.com", customAttributes: { seats: 1, floor: 2 } };
    await tracker.contacts.upsert(input);
    await tracker.attributes.delete("seats");
    assert.deepEqual((await tracker.contacts.get("ada@example.com"))?.customAttributes, { floor: 2 });
    assert.deepEqual((await tracker.contacts.list()).items[0]?.customAttributes, { floor: 2 });
    assert.deepEqual(await issuesOf(tracker.contacts.upsert(input)), ["customAttributes.seats attribute_not_defined"]);
  });
});
