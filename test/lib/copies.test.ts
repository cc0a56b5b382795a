/** What is stored is what was sent, as it was when it was sent; what is answered is the caller's own. */
import assert from "node:assert/strict";
import type { NewContact, NewEvent, Tracker } from "../../lib/index.ts";
import { stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

async function trackerOfAda(): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.attributes.define({ key: "seats", type: "number", name: "Seats" });
  await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1", customAttributes: { seats: 12 } });
  await tracker.events.track({ externalId: "u_1", eventKey: "step", properties: { plan: "pro" } });
  return tracker;
}

/** Every result that the methods answer with. */
async function resultsOf(tracker: Tracker): Promise<object[]> {
  return [
    await tracker.contacts.upsert({ email: "ada@example.com" }),
    (await tracker.contacts.get("u_1"))!,
    await tracker.contacts.update("u_1", { plan: "pro", signedUpAt: new Date(0) }),
    await tracker.contacts.list({ limit: 1 }),
    await tracker.events.track({ externalId: "u_1", eventKey: "step" }),
    await tracker.events.list("u_1", { limit: 1 }),
    await tracker.attributes.define({ key: "seats", type: "number" }),
    await tracker.attributes.list(),
    await tracker.apiKeys.create({ name: "backend" }),
    await tracker.apiKeys.list(),
    await tracker.contacts.delete("u_1"),
  ];
}

function spoil(value: object): void {
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === "object" && item !== null) spoil(item as object);
    Reflect.set(value, key, "spoilt");
  }
}

suite("copies", (test) => {
  test("every result is plain JSON", async () => {
    for (const result of await resultsOf(await trackerOfAda())) {
      assert.deepEqual(result, JSON.parse(JSON.stringify(result)));
    }
  });

  test("what the caller does to an upsert's input meanwhile changes nothing", async () => {
    const tracker = await trackerOfAda();
    const signedUpAt = new Date(0);
    const input: NewContact = { email: "bob@example.com", name: "Bob", signedUpAt, customAttributes: { seats: 3 } };
    const upserting = tracker.contacts.upsert(input);
    signedUpAt.setTime(NaN);
    spoil(input.customAttributes!);
    spoil(input);
    const { contact } = await upserting;
    const { email, name, customAttributes } = contact;
    assert.deepEqual(
      { email, name, signedUpAt: contact.signedUpAt, customAttributes },
      { email: "bob@example.com", name: "Bob", signedUpAt: "1970-01-01T00:00:00.000Z", customAttributes: { seats: 3 } },
    );
    assert.deepEqual(await tracker.contacts.get("bob@example.com"), contact);
  });

  test("what the caller does to an update's input meanwhile changes nothing", async () => {
    const tracker = await trackerOfAda();
    const changes = { name: "Augusta", customAttributes: { seats: 13 } };
    const updating = tracker.contacts.update("u_1", changes);
    spoil(changes);
    const { name, customAttributes } = await updating;
    assert.deepEqual({ name, customAttributes }, { name: "Augusta", customAttributes: { seats: 13 } });
  });

  test("what the caller does to an event's input and options meanwhile changes nothing", async () => {
    const tracker = await trackerOfAda();
    const input: NewEvent = { externalId: "u_1", eventKey: "upgraded", properties: { plan: "pro" } };
    const options = { idempotencyKey: "k" };
    const tracking = tracker.events.track(input, options);
    spoil(input);
    spoil(options);
    const { event } = await tracking;
    assert.deepEqual((await tracker.events.list("u_1", { eventKey: "upgraded" })).items, [
      { ...event, properties: { plan: "pro" } },
    ]);
    const again = { externalId: "u_1", eventKey: "upgraded", properties: { plan: "pro" } };
    assert.equal((await tracker.events.track(again, { idempotencyKey: "k" })).replayed, true);
  });

  test("what the caller does to definitions meanwhile changes nothing", async () => {
    const { tracker } = stoppedTracker();
    const definition = { key: "seats", type: "number" as const, name: "Seats" };
    const definitions = { attributes: [{ key: "plan", type: "text" as const, name: "Plan" }] };
    const defining = Promise.all([tracker.attributes.define(definition), tracker.provision(definitions)]);
    spoil(definition);
    spoil(definitions);
    await defining;
    assert.deepEqual(await tracker.attributes.list(), [
      { key: "seats", type: "number", name: "Seats" },
      { key: "plan", type: "text", name: "Plan" },
    ]);
  });

  test("what the caller does to a page meanwhile changes nothing", async () => {
    const tracker = await trackerOfAda();
    const page = { limit: 1 };
    const listing = Promise.all([tracker.contacts.list(page), tracker.events.list("u_1", page)]);
    spoil(page);
    const [contacts, events] = await listing;
    assert.equal(contacts.items.length, 1);
    assert.equal(events.items.length, 1);
  });

  test("what the caller does to results changes nothing", async () => {
    const tracker = await trackerOfAda();
    const { key } = await tracker.apiKeys.create({ name: "backend" });
    const read = async (): Promise<object[]> => [
      await tracker.contacts.upsert({ email: "ada@example.com" }),
      (await tracker.contacts.get("u_1"))!,
      await tracker.contacts.update("u_1", {}),
      await tracker.contacts.list(),
      await tracker.events.list("u_1"),
      await tracker.attributes.define({ key: "seats", type: "number" }),
      await tracker.attributes.list(),
      await tracker.apiKeys.list(),
    ];
    const before = structuredClone(await read());
    for (const result of await read()) spoil(result);
    assert.deepEqual(await read(), before);
    assert.match(key, /^sk_/);
  });

  test("two results share nothing", async () => {
    const tracker = await trackerOfAda();
    const [first, second] = await Promise.all([tracker.contacts.get("u_1"), tracker.contacts.get("u_1")]);
    assert.notEqual(first?.customAttributes, second?.customAttributes);
  });

  test("frozen inputs are accepted", async () => {
    const tracker = await trackerOfAda();
    const customAttributes = Object.freeze({ seats: 3 });
    await tracker.contacts.upsert(Object.freeze({ email: "bob@example.com", customAttributes }));
    const properties = Object.freeze({ plan: "pro" });
    await tracker.events.track(Object.freeze({ externalId: "u_1", eventKey: "step", properties }));
    await tracker.provision(Object.freeze({ attributes: untyped(Object.freeze([])) }));
  });
});
