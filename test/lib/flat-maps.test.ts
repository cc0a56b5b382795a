/** What `customAttributes` and `properties` may be: an object whose own fields are all that there is to it. */
import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import type { Tracker } from "../../lib/index.ts";
import { issuesOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

async function trackerOfAda(): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.attributes.define({ key: "seats", type: "number" });
  await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada", customAttributes: { seats: 12 } });
  return tracker;
}

class Named {
  seats = 12;
}

// An object whose contents would be lost, or that is none.
const notFlatMaps = {
  "a Map": new Map([["seats", 12]]),
  "a Set": new Set([12]),
  "a Date": new Date(0),
  "a class instance": new Named(),
  "an array": [12],
  "a text": "seats",
  "a number": 12,
  "a function": () => 12,
  "a Map of another realm": runInNewContext(`new Map([["seats", 12]])`) as unknown,
};

const flatMaps = {
  "an object literal": { seats: 12 },
  "an object without a prototype": Object.assign(Object.create(null), { seats: 12 }) as Record<string, number>,
  "an object of another realm": runInNewContext(`({ seats: 12 })`) as Record<string, number>,
  "an object of another realm without a prototype": runInNewContext(
    `Object.assign(Object.create(null), { seats: 12 })`,
  ) as Record<string, number>,
  "an object with a getter": {
    get seats() {
      return 12;
    },
  },
  "an object with a symbol": { seats: 12, [Symbol("note")]: new Map() },
};

suite("flat maps", (test) => {
  for (const [what, value] of Object.entries(notFlatMaps)) {
    test(`${what} is refused as customAttributes and as properties`, async () => {
      const tracker = await trackerOfAda();
      const customAttributes = untyped(value);
      assert.deepEqual(await issuesOf(tracker.contacts.upsert({ email: "ada@example.com", customAttributes })), [
        "customAttributes wrong_type",
      ]);
      const event = { externalId: "ada@example.com", eventKey: "step", properties: untyped(value) };
      assert.deepEqual(await issuesOf(tracker.events.track(event)), ["properties wrong_type"]);
    });
  }

  test("what is no flat map is one problem, whatever it holds", async () => {
    const tracker = await trackerOfAda();
    class Unheard {
      floor = 3;
    }
    const customAttributes = untyped(new Unheard());
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ email: "ada@example.com", customAttributes })), [
      "customAttributes wrong_type",
    ]);
  });

  for (const [what, value] of Object.entries(flatMaps)) {
    test(`${what} is accepted as customAttributes and as properties`, async () => {
      const { tracker } = stoppedTracker();
      await tracker.attributes.define({ key: "seats", type: "number" });
      const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: value });
      assert.deepEqual(contact.customAttributes, { seats: 12 });
      await tracker.events.track({ externalId: "ada@example.com", eventKey: "step", properties: value });
      assert.deepEqual((await tracker.events.list("ada@example.com")).items[0]?.properties, { seats: 12 });
    });
  }

  test("neither customAttributes nor properties can be null", async () => {
    const tracker = await trackerOfAda();
    assert.deepEqual(await issuesOf(tracker.contacts.update("ada@example.com", untyped({ customAttributes: null }))), [
      "customAttributes not_allowed_null",
    ]);
    const event = { externalId: "ada@example.com", eventKey: "step", properties: untyped(null) };
    assert.deepEqual(await issuesOf(tracker.events.track(event)), ["properties not_allowed_null"]);
  });
});
