/** Names and values that only look odd: `__proto__` and its like are ordinary names and reach no prototype. */
import assert from "node:assert/strict";
import type { Tracker } from "../../lib/index.ts";
import { issuesOf, stoppedTracker } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const names = ["__proto__", "constructor", "prototype", "toString", "toJSON", "valueOf", "hasOwnProperty", "length"];

/** As `JSON.parse` makes it: an own property, whatever its name. */
function own<Value>(name: string, value: Value): Record<string, Value> {
  return Object.defineProperty({}, name, { value, enumerable: true, configurable: true, writable: true });
}

async function trackerOfAda(): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.contacts.upsert({ email: "ada@example.com" });
  return tracker;
}

async function readBack(properties: Record<string, string | number | boolean>): Promise<Record<string, unknown>> {
  const tracker = await trackerOfAda();
  await tracker.events.track({ externalId: "ada@example.com", eventKey: "step", properties });
  return (await tracker.events.list("ada@example.com")).items[0]!.properties;
}

suite("odd names", (test) => {
  for (const name of names) {
    test(`${name} is a property like any other`, async () => {
      const properties = await readBack(own(name, "odd"));
      assert.deepEqual(Object.entries(properties), [[name, "odd"]]);
      assert.equal(Object.getPrototypeOf(properties), Object.prototype);
    });

    test(`${name} is an unknown field like any other`, async () => {
      const tracker = await trackerOfAda();
      const input = Object.assign(own(name, {}), { email: "ada@example.com" });
      assert.deepEqual(await issuesOf(tracker.contacts.upsert(input)), [`${name} unknown_field`]);
    });

    test(`${name} is an eventKey and an externalId like any other`, async () => {
      const tracker = await trackerOfAda();
      assert.equal(await tracker.contacts.get(name), null);
      await tracker.contacts.upsert({ email: "bob@example.com", externalId: name });
      await tracker.events.track({ externalId: name, eventKey: name }, { idempotencyKey: name });
      assert.equal((await tracker.contacts.get(name))?.email, "bob@example.com");
      assert.equal((await tracker.events.list(name, { eventKey: name })).items.length, 1);
    });
  }

  for (const name of ["constructor", "toString", "toJSON", "hasOwnProperty"]) {
    test(`${name} is an attribute like any other`, async () => {
      const tracker = await trackerOfAda();
      const customAttributes = own(name, "odd");
      assert.deepEqual(await issuesOf(tracker.contacts.update("ada@example.com", { customAttributes })), [
        `customAttributes.${name} attribute_not_defined`,
      ]);
      await tracker.attributes.define({ key: name, type: "text" });
      const contact = await tracker.contacts.update("ada@example.com", { customAttributes });
      assert.deepEqual(Object.entries(contact.customAttributes), [[name, "odd"]]);
      assert.deepEqual(JSON.parse(JSON.stringify(contact)), contact);
    });
  }

  test("__proto__ is an attribute that is not defined", async () => {
    const tracker = await trackerOfAda();
    const customAttributes = own("__proto__", "odd");
    assert.deepEqual(await issuesOf(tracker.contacts.update("ada@example.com", { customAttributes })), [
      "customAttributes.__proto__ attribute_not_defined",
    ]);
  });

  test("workspaces may be named constructor or __proto__", async () => {
    const { tracker } = stoppedTracker();
    for (const name of ["constructor", "__proto__"]) {
      const { created } = await tracker.workspace(name).contacts.upsert({ email: "ada@example.com" });
      assert.equal(created, true);
    }
  });

  test("the prototype of all objects has nothing new", async () => {
    const polluting = own("__proto__", "odd");
    await readBack(polluting);
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as Record<string, unknown>)["odd"], undefined);
  });

  test("-0 reads back as 0", async () => {
    const tracker = await trackerOfAda();
    await tracker.attributes.define({ key: "seats", type: "number" });
    const { customAttributes } = await tracker.contacts.update("ada@example.com", { customAttributes: { seats: -0 } });
    assert.deepEqual(customAttributes, { seats: 0 });
    assert.deepEqual((await tracker.contacts.get("ada@example.com"))?.customAttributes, { seats: 0 });
    assert.deepEqual(await readBack({ seats: -0 }), { seats: 0 });
  });

  test("0 after -0 changes nothing", async () => {
    const { tracker, clock } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: -0 } });
    clock.set("2026-02-01T00:00:00Z");
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 0 } });
    assert.equal(contact.updatedAt, "2026-01-31T09:00:00.000Z");
  });

  const values = {
    nothing: "",
    blank: "  ",
    emoji: "👩‍🚀",
    NUL: "a\0b",
    "line ends": "a\r\nb\u2028",
    "a backslash": "\\",
    wildcards: "%_*?",
    "a quotation": `"'`,
    "composed and decomposed": "é e\u0301",
    zero: 0,
    "a negative": -1.5,
    "the greatest exact integer": 9_007_199_254_740_991,
    "the least exact integer": -9_007_199_254_740_991,
    "the smallest number": 5e-324,
    "a fraction": 0.1,
    yes: true,
    no: false,
  };
  for (const [what, value] of Object.entries(values)) {
    test(`${what} reads back as sent, as an attribute and as a property`, async () => {
      const tracker = await trackerOfAda();
      const type = typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
      await tracker.attributes.define({ key: "odd", type });
      await tracker.contacts.update("ada@example.com", { customAttributes: { odd: value } });
      assert.deepEqual((await tracker.contacts.get("ada@example.com"))?.customAttributes, { odd: value });
      assert.deepEqual(await readBack({ odd: value }), { odd: value });
    });
  }

  const refused = {
    NaN: [NaN, "out_of_range"],
    Infinity: [Infinity, "out_of_range"],
    "-Infinity": [-Infinity, "out_of_range"],
    "2^53": [9_007_199_254_740_992, "out_of_range"],
    "-2^53": [-9_007_199_254_740_992, "out_of_range"],
    "1e300": [1e300, "out_of_range"],
    "a lone high surrogate": ["a\ud800", "invalid_format"],
    "a lone low surrogate": ["\udc00a", "invalid_format"],
  } as const;
  for (const [what, [value, code]] of Object.entries(refused)) {
    test(`${what} could only be stored changed, and is refused`, async () => {
      const tracker = await trackerOfAda();
      await tracker.attributes.define({ key: "odd", type: typeof value === "string" ? "text" : "number" });
      assert.deepEqual(
        await issuesOf(tracker.contacts.update("ada@example.com", { customAttributes: { odd: value } })),
        [`customAttributes.odd ${code}`],
      );
      assert.deepEqual(await issuesOf(readBack({ odd: value })), [`properties.odd ${code}`]);
    });
  }
});
