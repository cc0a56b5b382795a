/** A property that is `undefined` counts as left out, at every depth. */
import assert from "node:assert/strict";
import type { Tracker } from "../../lib/index.ts";
import { issuesOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

async function trackerOfAda(): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.attributes.define({ key: "seats", type: "number", name: "Seats" });
  await tracker.contacts.upsert({
    email: "ada@example.com",
    externalId: "u_1",
    name: "Ada",
    phone: "+44 1",
    avatarUrl: "https://example.com/ada.png",
    role: "admin",
    plan: "pro",
    signedUpAt: "2026-01-01T00:00:00Z",
    customAttributes: { seats: 12 },
  });
  return tracker;
}

const everyField = {
  externalId: undefined,
  name: undefined,
  phone: undefined,
  avatarUrl: undefined,
  role: undefined,
  plan: undefined,
  signedUpAt: undefined,
  customAttributes: undefined,
};

suite("left out", (test) => {
  test("undefined fields of an upsert stay", async () => {
    const tracker = await trackerOfAda();
    const before = await tracker.contacts.get("u_1");
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", ...everyField });
    assert.deepEqual(contact, before);
  });

  test("undefined fields of an update stay", async () => {
    const tracker = await trackerOfAda();
    const before = await tracker.contacts.get("u_1");
    assert.deepEqual(await tracker.contacts.update("u_1", { email: undefined, ...everyField }), before);
  });

  test("undefined fields of a new contact are null", async () => {
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", ...everyField });
    const { id: _, ...rest } = contact;
    assert.deepEqual(rest, {
      email: "ada@example.com",
      externalId: "ada@example.com",
      name: null,
      phone: null,
      avatarUrl: null,
      role: null,
      plan: null,
      signedUpAt: null,
      customAttributes: {},
      createdAt: "2026-01-31T09:00:00.000Z",
      updatedAt: "2026-01-31T09:00:00.000Z",
    });
  });

  test("an undefined attribute stays", async () => {
    const tracker = await trackerOfAda();
    const { customAttributes } = await tracker.contacts.update("u_1", { customAttributes: { seats: undefined } });
    assert.deepEqual(customAttributes, { seats: 12 });
  });

  test("an undefined attribute need not be defined", async () => {
    const tracker = await trackerOfAda();
    const { customAttributes } = await tracker.contacts.update("u_1", { customAttributes: { floor: undefined } });
    assert.deepEqual(customAttributes, { seats: 12 });
  });

  test("an undefined property is not stored", async () => {
    const tracker = await trackerOfAda();
    const properties = { plan: "pro", coupon: undefined };
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded", properties });
    assert.deepEqual((await tracker.events.list("u_1")).items[0]?.properties, { plan: "pro" });
  });

  test("undefined properties are none", async () => {
    const tracker = await trackerOfAda();
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded", properties: undefined });
    assert.deepEqual((await tracker.events.list("u_1")).items[0]?.properties, {});
  });

  test("undefined properties do not count against the limit", async () => {
    const tracker = await trackerOfAda();
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, n < 256 ? n : undefined]));
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded", properties });
    assert.equal(Object.keys((await tracker.events.list("u_1")).items[0]!.properties).length, 256);
  });

  test("an undefined property is the same body as none, to the idempotency key", async () => {
    const tracker = await trackerOfAda();
    const event = { externalId: "u_1", eventKey: "upgraded" };
    await tracker.events.track(event, { idempotencyKey: "k" });
    const properties = { coupon: undefined };
    assert.equal((await tracker.events.track({ ...event, properties }, { idempotencyKey: "k" })).replayed, true);
  });

  test("an undefined idempotency key is none", async () => {
    const tracker = await trackerOfAda();
    const event = { externalId: "u_1", eventKey: "upgraded" };
    await tracker.events.track(event, { idempotencyKey: undefined });
    assert.equal((await tracker.events.track(event, { idempotencyKey: undefined })).replayed, false);
  });

  test("undefined options and pages are none", async () => {
    const tracker = await trackerOfAda();
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded" }, undefined);
    assert.equal((await tracker.events.list("u_1", undefined)).items.length, 1);
    assert.equal((await tracker.contacts.list(undefined)).items.length, 1);
  });

  test("undefined fields of a page are none", async () => {
    const tracker = await trackerOfAda();
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded" });
    const page = { limit: undefined, cursor: undefined };
    assert.equal((await tracker.contacts.list(page)).items.length, 1);
    assert.equal((await tracker.events.list("u_1", { ...page, eventKey: undefined })).items.length, 1);
  });

  test("an undefined field that does not exist is none", async () => {
    const tracker = await trackerOfAda();
    const nothing: object = { nickname: undefined };
    await tracker.contacts.upsert({ email: "ada@example.com", ...nothing });
    await tracker.contacts.update("u_1", nothing);
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded", ...nothing }, nothing);
    await tracker.events.list("u_1", nothing);
    await tracker.contacts.list(nothing);
    await tracker.attributes.define({ key: "seats", type: "number", ...nothing });
    await tracker.apiKeys.create({ name: "backend", ...nothing });
    await tracker.provision({ attributes: [{ key: "seats", type: "number", ...nothing }], ...nothing });
  });

  test("an undefined name of a definition stays", async () => {
    const tracker = await trackerOfAda();
    const definition = await tracker.attributes.define({ key: "seats", type: "number", name: undefined });
    assert.deepEqual(definition, { key: "seats", type: "number", name: "Seats" });
  });

  test("undefined definitions are none", async () => {
    const { tracker } = stoppedTracker();
    await tracker.provision({ attributes: undefined });
    assert.deepEqual(await tracker.attributes.list(), []);
  });

  test("what is required cannot be undefined", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await issuesOf(tracker.contacts.upsert(untyped({ email: undefined }))), ["email required"]);
    assert.deepEqual(await issuesOf(tracker.events.track(untyped({ externalId: undefined }))), [
      "externalId required",
      "eventKey required",
    ]);
    assert.deepEqual(await issuesOf(tracker.attributes.define(untyped({ key: undefined }))), [
      "key required",
      "type required",
    ]);
    assert.deepEqual(await issuesOf(tracker.apiKeys.create(untyped({ name: undefined }))), ["name required"]);
    assert.deepEqual(await issuesOf(tracker.contacts.get(untyped(undefined))), ["externalId required"]);
    assert.deepEqual(await issuesOf(tracker.contacts.delete(untyped(undefined))), ["identifier required"]);
    assert.deepEqual(await issuesOf(tracker.attributes.delete(untyped(undefined))), ["key required"]);
    assert.deepEqual(await issuesOf(tracker.apiKeys.revoke(untyped(undefined))), ["id required"]);
  });
});
