/** The values that contacts carry of the workspace's attributes. */
import assert from "node:assert/strict";
import type { Scalar, Tracker } from "../../lib/index.ts";
import { issuesOf, stoppedTracker } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const email = "ada@example.com";

async function setOf(tracker: Tracker, customAttributes: Record<string, Scalar | null>): Promise<object> {
  return (await tracker.contacts.upsert({ email, customAttributes })).contact.customAttributes;
}

function numbered(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, index]));
}

async function trackerOfNumbered(count: number): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  for (const key of Object.keys(numbered(count))) await tracker.attributes.define({ key, type: "number" });
  return tracker;
}

suite("custom attributes", (test) => {
  test("values are merged key by key, and null removes one", async () => {
    const tracker = await trackerOfNumbered(3);
    assert.deepEqual(await setOf(tracker, { a0: 1, a1: 2 }), { a0: 1, a1: 2 });
    assert.deepEqual(await setOf(tracker, { a1: null, a2: 0 }), { a0: 1, a2: 0 });
    assert.deepEqual(await setOf(tracker, { a1: null }), { a0: 1, a2: 0 });
    assert.deepEqual(await setOf(tracker, {}), { a0: 1, a2: 0 });
  });

  const wrong = { text: [0, false], number: ["", "12", true], boolean: ["true", 0] } as const;
  for (const [type, values] of Object.entries(wrong)) {
    for (const value of values) {
      test(`a ${type} attribute is not ${JSON.stringify(value)}`, async () => {
        const { tracker } = stoppedTracker();
        await tracker.attributes.define({ key: "odd", type: type as keyof typeof wrong });
        assert.deepEqual(await issuesOf(setOf(tracker, { odd: value })), ["customAttributes.odd attribute_wrong_type"]);
      });
    }
  }

  test("an attribute that is not defined is refused, also when it is to be removed", async () => {
    const { tracker } = stoppedTracker();
    const refused = ["customAttributes.seats attribute_not_defined"];
    assert.deepEqual(await issuesOf(setOf(tracker, { seats: 1 })), refused);
    assert.deepEqual(await issuesOf(setOf(tracker, { seats: null })), refused);
  });

  test("attribute keys differ in case", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.attributes.define({ key: "Seats", type: "text" });
    assert.deepEqual(await setOf(tracker, { seats: 1, Seats: "one" }), { seats: 1, Seats: "one" });
  });

  test("a contact may have 100 attributes, sent at once or one after another", async () => {
    const tracker = await trackerOfNumbered(101);
    assert.equal(Object.keys(await setOf(tracker, numbered(100))).length, 100);
    assert.deepEqual(await issuesOf(setOf(tracker, { a100: 1 })), ["customAttributes too_long"]);
    assert.deepEqual(await issuesOf(tracker.contacts.update(email, { customAttributes: { a100: 1 } })), [
      "customAttributes too_long",
    ]);
    assert.equal((await tracker.contacts.get(email))?.customAttributes["a100"], undefined);
  });

  test("a new contact of 101 attributes is refused", async () => {
    const tracker = await trackerOfNumbered(101);
    assert.deepEqual(await issuesOf(setOf(tracker, numbered(101))), ["customAttributes too_long"]);
    assert.equal(await tracker.contacts.get(email), null);
  });

  test("one of 100 attributes may be changed, or another take its place", async () => {
    const tracker = await trackerOfNumbered(101);
    await setOf(tracker, numbered(100));
    assert.equal(Object.keys(await setOf(tracker, { a0: 7 })).length, 100);
    assert.equal(Object.keys(await setOf(tracker, { a0: null, a100: 7 })).length, 100);
  });

  test("an attribute whose definition is gone leaves room for another", async () => {
    const tracker = await trackerOfNumbered(101);
    await setOf(tracker, numbered(100));
    await tracker.attributes.delete("a0");
    assert.equal(Object.keys(await setOf(tracker, { a100: 7 })).length, 100);
  });

  test("deleting a definition takes its values with it", async () => {
    const tracker = await trackerOfNumbered(2);
    await setOf(tracker, { a0: 1, a1: 2 });
    await tracker.attributes.delete("a0");
    assert.deepEqual((await tracker.contacts.get(email))?.customAttributes, { a1: 2 });
    assert.deepEqual((await tracker.contacts.list()).items[0]?.customAttributes, { a1: 2 });
    assert.deepEqual(await issuesOf(setOf(tracker, { a0: 1 })), ["customAttributes.a0 attribute_not_defined"]);
  });

  test("a key defined again starts empty, and may have another type", async () => {
    const tracker = await trackerOfNumbered(1);
    await setOf(tracker, { a0: 1 });
    await tracker.attributes.delete("a0");
    await tracker.attributes.define({ key: "a0", type: "text" });
    assert.deepEqual((await tracker.contacts.get(email))?.customAttributes, {});
    assert.deepEqual(await setOf(tracker, { a0: "one" }), { a0: "one" });
  });
});
