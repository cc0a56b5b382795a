import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { toAttributes } from "../../../lib/definitions/attributes.ts";
import type { Tracker } from "../../../lib/index.ts";
import { check } from "../../../lib/input/shapes.ts";
import { newEventStruct, trackOptionsStruct } from "../../../lib/input/events.ts";
import { issuesOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

async function trackerOfAda(): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.attributes.define({ key: "seats", type: "number" });
  await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada", customAttributes: { seats: 12 } });
  return tracker;
}

suite("validation", (test) => {
  for (const [what, input] of Object.entries({ text: "ada@example.com", "an array": [], null: null, "a number": 5 })) {
    test(`${what} is no input`, async () => {
      const tracker = await trackerOfAda();
      assert.deepEqual(await issuesOf(tracker.contacts.upsert(untyped(input))), [" wrong_type"]);
      assert.deepEqual(await issuesOf(tracker.contacts.update("ada@example.com", untyped(input))), [" wrong_type"]);
      assert.deepEqual(await issuesOf(tracker.events.track(untyped(input))), [" wrong_type"]);
      assert.deepEqual(await issuesOf(tracker.attributes.define(untyped(input))), [" wrong_type"]);
      assert.deepEqual(await issuesOf(tracker.provision(untyped(input))), [" wrong_type"]);
      assert.deepEqual(await issuesOf(tracker.contacts.list(untyped(input))), [" wrong_type"]);
    });
  }

  test("a missing input is required", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await issuesOf(tracker.contacts.upsert(untyped(undefined))), [" required"]);
    assert.deepEqual(await issuesOf(tracker.events.track(untyped(undefined))), [" required"]);
  });

  test("each problem of an input is an issue", async () => {
    const tracker = await trackerOfAda();
    const input = {
      email: "ada",
      name: 5,
      phone: false,
      avatarUrl: "/ada.png",
      role: {},
      plan: "x".repeat(1_001),
      signedUpAt: "0000-01-01T00:00:00Z",
      externalId: " ",
      nickname: "Ada",
      customAttributes: { seats: "12", Seats: 3, gone: null, [""]: 1, text: "x".repeat(4_097), huge: 1e300, list: [1] },
    };
    assert.deepEqual((await issuesOf(tracker.contacts.upsert(untyped(input)))).sort(), [
      "avatarUrl invalid_format",
      "customAttributes. attribute_not_defined",
      "customAttributes.Seats attribute_not_defined",
      "customAttributes.gone attribute_not_defined",
      "customAttributes.huge out_of_range",
      "customAttributes.list wrong_type",
      "customAttributes.seats attribute_wrong_type",
      "customAttributes.text too_long",
      "email invalid_format",
      "externalId too_short",
      "name wrong_type",
      "nickname unknown_field",
      "phone wrong_type",
      "plan too_long",
      "role wrong_type",
      "signedUpAt out_of_range",
    ]);
  });

  test("an unknown field without a name, or with that of a path, does not hide the attributes' issues", async () => {
    const tracker = stoppedTracker().tracker;
    const input = untyped({
      email: "ada@example.com",
      "": 1,
      "customAttributes.floor": 1,
      customAttributes: { floor: 3 },
    });
    assert.deepEqual(await issuesOf(tracker.contacts.upsert(input)), [
      " unknown_field",
      "customAttributes.floor unknown_field",
      "customAttributes.floor attribute_not_defined",
    ]);
  });

  test("no more issues are looked for after the hundredth", () => {
    const wrong = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, []]));
    assert.equal(check(wrong, trackOptionsStruct).issues.length, 100);
    const event = { externalId: "u_1", eventKey: "bought", properties: wrong };
    assert.equal(check(event, newEventStruct).issues.length, 100);
    assert.equal(toAttributes(wrong, { byKey: new Map(), byId: new Map() }).issues.length, 100);
  });

  test("one wrong attribute keeps everything from being stored", async () => {
    const tracker = await trackerOfAda();
    const changes = { name: "Augusta", customAttributes: { seats: 13, floor: 3 } };
    await assert.rejects(tracker.contacts.upsert({ email: "ada@example.com", ...changes }));
    await assert.rejects(tracker.contacts.update("ada@example.com", changes));
    await assert.rejects(tracker.contacts.upsert({ email: "bob@example.com", ...changes }));
    const { items } = await tracker.contacts.list();
    assert.deepEqual(
      items.map(({ email, name, customAttributes }) => ({ email, name, customAttributes })),
      [{ email: "ada@example.com", name: "Ada", customAttributes: { seats: 12 } }],
    );
  });

  test("an input may be of another realm, or without a prototype", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert(untyped(runInNewContext(`({ email: "ada@example.com" })`)));
    await tracker.contacts.upsert(Object.assign(Object.create(null), { email: "bob@example.com" }));
    assert.equal((await tracker.contacts.list()).items.length, 2);
  });

  test("an optional field on the prototype of all objects is checked", async () => {
    const tracker = await trackerOfAda();
    const prototype = Object.prototype as { createdAt?: string };
    prototype.createdAt = "yesterday";
    const problem = tracker.events.track({ externalId: "ada@example.com", eventKey: "step" });
    delete prototype.createdAt;
    assert.deepEqual(await issuesOf(problem), ["createdAt invalid_format"]);
  });

  test("symbols of an input are no unknown fields", async () => {
    const { tracker } = stoppedTracker();
    const { created } = await tracker.contacts.upsert({ email: "ada@example.com", [Symbol("note")]: 1 });
    assert.equal(created, true);
  });
});
