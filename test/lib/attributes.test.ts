import assert from "node:assert/strict";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

suite("attributes", (test) => {
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

  test("defining the same again changes nothing", async () => {
    const { tracker } = stoppedTracker();
    const definition = { key: "seats", type: "number", name: "Seats" } as const;
    await tracker.attributes.define(definition);
    const input = { email: "ada@example.com", customAttributes: { seats: 12 } };
    const { contact } = await tracker.contacts.upsert(input);
    assert.deepEqual(await tracker.attributes.define(definition), definition);
    assert.deepEqual(await tracker.attributes.list(), [definition]);
    assert.deepEqual(await tracker.contacts.get("ada@example.com"), contact);
  });

  test("defining again may change the name, and null removes it", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number", name: "Seats" });
    assert.equal((await tracker.attributes.define({ key: "seats", type: "number", name: "Chairs" })).name, "Chairs");
    assert.equal((await tracker.attributes.define({ key: "seats", type: "number" })).name, "Chairs");
    assert.equal((await tracker.attributes.define({ key: "seats", type: "number", name: null })).name, null);
  });

  test("defining another type is refused, and changes nothing", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number", name: "Seats" });
    const refusal = await refusalOf(tracker.attributes.define({ key: "seats", type: "text", name: "Chairs" }));
    assert.equal(refusal.code, "attribute_conflict");
    assert.deepEqual(await tracker.attributes.list(), [{ key: "seats", type: "number", name: "Seats" }]);
  });

  test("of many that define one key with two types at once, one type wins", async () => {
    const { tracker } = stoppedTracker();
    const types = Array.from({ length: 20 }, (_, index) => (index % 2 ? "text" : "number"));
    const results = await Promise.allSettled(types.map((type) => tracker.attributes.define({ key: "seats", type })));
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 10);
    assert.equal((await tracker.attributes.list()).length, 1);
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

  test("a deleted definition is no longer listed", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.attributes.define({ key: "floor", type: "text" });
    await tracker.attributes.delete("seats");
    assert.deepEqual(await tracker.attributes.list(), [{ key: "floor", type: "text", name: null }]);
  });

  test("a definition that is not there cannot be deleted", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.attributes.delete("seats");
    assert.equal((await refusalOf(tracker.attributes.delete("seats"))).code, "definition_not_found");
  });
});
