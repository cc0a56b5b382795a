/** Inputs that only callers in the same process can send, or that only look odd: what is accepted, and what is stored of them. */
import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import type { NewContact, NewEvent, Tracker } from "../../lib/index.ts";
import { issuesOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import type { Test } from "../support/suite.ts";
import { interfaceSuite } from "../support/through-client.ts";

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

async function readBack(properties: NonNullable<NewEvent["properties"]> | undefined): Promise<object> {
  const tracker = await trackerOfAda();
  await tracker.events.track({ externalId: "u_1", eventKey: "step", properties });
  return (await tracker.events.list("u_1")).items[0]!.properties;
}

/** What the client does otherwise, and why. */
const apart = {
  "a required field cannot be undefined": "what cannot be sent is refused before the server sees the rest",
  "the fields of an input and of a page may be getters, also inherited ones": "JSON leaves out what is inherited",
  "changing definitions during the call changes nothing": "calls made at once reach a server in any order",
};

interfaceSuite({ name: "odd inputs", apart }, (test) => {
  flatMaps(test);
  undefinedValues(test);
  getters(test);
  copies(test);
  oddNamesAndValues(test);
});

/** What `customAttributes` and `properties` may be: an object that holds nothing but its own fields. */
function flatMaps(test: Test): void {
  class Unheard {
    seats = 12;
    floor = 3;
  }

  // The contents of these would be lost, or there are none.
  const refused = {
    "a Map": new Map([["seats", 12]]),
    "a Set": new Set([12]),
    "a Date": new Date(0),
    "a class instance, whatever its fields are,": new Unheard(),
    "an array": [12],
    "a text": "seats",
    "a number": 12,
    "a function": () => 12,
    "a Map of another realm": runInNewContext(`new Map([["seats", 12]])`) as unknown,
  };
  for (const [what, value] of Object.entries(refused)) {
    test(`${what} is refused as customAttributes and as properties`, async () => {
      const tracker = await trackerOfAda();
      const customAttributes = untyped(value);
      assert.deepEqual(await issuesOf(tracker.contacts.upsert({ email: "ada@example.com", customAttributes })), [
        "customAttributes wrong_type",
      ]);
      assert.deepEqual(await issuesOf(readBack(untyped(value))), ["properties wrong_type"]);
    });
  }

  const bare = `Object.assign(Object.create(null), { seats: 12 })`;
  const accepted: Record<string, Record<string, number>> = {
    "an object literal": { seats: 12 },
    "an object without a prototype": Object.assign(Object.create(null), { seats: 12 }) as Record<string, number>,
    "an object of another realm": runInNewContext(`({ seats: 12 })`) as Record<string, number>,
    "an object of another realm without a prototype": runInNewContext(bare) as Record<string, number>,
    "an object with a getter": Object.defineProperty({}, "seats", { get: () => 12, enumerable: true }),
    "an object with a symbol": { seats: 12, [Symbol("note")]: new Map() },
    "a frozen object": Object.freeze({ seats: 12 }),
  };
  for (const [what, value] of Object.entries(accepted)) {
    test(`${what} is accepted as customAttributes and as properties`, async () => {
      const { tracker } = stoppedTracker();
      await tracker.attributes.define({ key: "seats", type: "number" });
      const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: value });
      assert.deepEqual(contact.customAttributes, { seats: 12 });
      assert.deepEqual(await readBack(value), { seats: 12 });
    });
  }

  test("neither customAttributes nor properties can be null", async () => {
    const tracker = await trackerOfAda();
    assert.deepEqual(await issuesOf(tracker.contacts.update("u_1", untyped({ customAttributes: null }))), [
      "customAttributes not_allowed_null",
    ]);
    assert.deepEqual(await issuesOf(readBack(untyped(null))), ["properties not_allowed_null"]);
  });
}

/** A field that is `undefined` counts as left out, at every depth. */
function undefinedValues(test: Test): void {
  const labels = { name: undefined, phone: undefined, role: undefined, plan: undefined };
  const rest = { externalId: undefined, avatarUrl: undefined, signedUpAt: undefined, customAttributes: undefined };
  const everyField = { ...labels, ...rest };

  test("an upsert and an update leave undefined fields as they are", async () => {
    const tracker = await trackerOfAda();
    const before = await tracker.contacts.get("u_1");
    assert.deepEqual((await tracker.contacts.upsert({ email: "ada@example.com", ...everyField })).contact, before);
    assert.deepEqual(await tracker.contacts.update("u_1", { email: undefined, ...everyField }), before);
  });

  test("undefined fields of a new contact are null", async () => {
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", ...everyField });
    const { id: _, email, externalId, createdAt, updatedAt, customAttributes, ...others } = contact;
    const at = "2026-01-31T09:00:00.000Z";
    assert.deepEqual([email, externalId, createdAt, updatedAt], ["ada@example.com", "ada@example.com", at, at]);
    assert.deepEqual(customAttributes, {});
    assert.deepEqual(others, { name: null, phone: null, avatarUrl: null, role: null, plan: null, signedUpAt: null });
  });

  test("an undefined attribute value changes nothing, and its key need not be defined", async () => {
    const tracker = await trackerOfAda();
    for (const customAttributes of [{ seats: undefined }, { floor: undefined }]) {
      assert.deepEqual((await tracker.contacts.update("u_1", { customAttributes })).customAttributes, { seats: 12 });
    }
  });

  test("an undefined property is not stored, and does not count against the limit", async () => {
    assert.deepEqual(await readBack(undefined), {});
    assert.deepEqual(await readBack({ plan: "pro", coupon: undefined }), { plan: "pro" });
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, n < 256 ? n : undefined]));
    assert.equal(Object.keys(await readBack(properties)).length, 256);
  });

  test("an undefined property or idempotency key counts as left out", async () => {
    const tracker = await trackerOfAda();
    const event = { externalId: "u_1", eventKey: "upgraded" };
    await tracker.events.track(event, { idempotencyKey: "k" });
    const properties = { coupon: undefined };
    assert.equal((await tracker.events.track({ ...event, properties }, { idempotencyKey: "k" })).replayed, true);
    await tracker.events.track(event, { idempotencyKey: undefined });
    assert.equal((await tracker.events.track(event, { idempotencyKey: undefined })).replayed, false);
  });

  test("undefined options, pages and fields of pages count as left out", async () => {
    const tracker = await trackerOfAda();
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded" }, undefined);
    for (const page of [undefined, { limit: undefined, cursor: undefined }]) {
      assert.equal((await tracker.contacts.list(page)).items.length, 1);
      assert.equal((await tracker.events.list("u_1", page && { ...page, eventKey: undefined })).items.length, 1);
    }
  });

  test("an unknown field counts as left out when it is undefined", async () => {
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

  test("an undefined name keeps a definition's name, and undefined definitions count as left out", async () => {
    const tracker = await trackerOfAda();
    const seats = { key: "seats", type: "number", name: "Seats" } as const;
    assert.deepEqual(await tracker.attributes.define({ ...seats, name: undefined }), seats);
    await tracker.provision({ attributes: undefined });
    assert.deepEqual(await tracker.attributes.list(), [seats]);
  });

  test("a required field cannot be undefined", async () => {
    const { contacts, events, attributes, apiKeys } = stoppedTracker().tracker;
    assert.deepEqual(await issuesOf(contacts.upsert(untyped({ email: undefined }))), ["email required"]);
    const issues = ["externalId required", "eventKey required"];
    assert.deepEqual(await issuesOf(events.track(untyped({ externalId: undefined }))), issues);
    assert.deepEqual(await issuesOf(attributes.define(untyped({ key: undefined }))), ["key required", "type required"]);
    assert.deepEqual(await issuesOf(apiKeys.create(untyped({ name: undefined }))), ["name required"]);
    assert.deepEqual(await issuesOf(contacts.get(untyped(undefined))), ["externalId required"]);
    assert.deepEqual(await issuesOf(contacts.delete(untyped(undefined))), ["identifier required"]);
    assert.deepEqual(await issuesOf(attributes.delete(untyped(undefined))), ["key required"]);
    assert.deepEqual(await issuesOf(apiKeys.revoke(untyped(undefined))), ["id required"]);
  });
}

/** What was validated is what is stored: each field of an input counts as it was when it was first read. */
function getters(test: Test): void {
  test("the fields of an input and of a page may be getters, also inherited ones", async () => {
    class Signup {
      get email(): string {
        return "eve@example.com";
      }
      get name(): string {
        return "Eve";
      }
    }
    class One {
      get limit(): number {
        return 1;
      }
    }
    const tracker = await trackerOfAda();
    const { contact } = await tracker.contacts.upsert(new Signup());
    assert.deepEqual([contact.email, contact.name], ["eve@example.com", "Eve"]);
    for (let n = 0; n < 2; n++) await tracker.events.track({ externalId: "u_1", eventKey: "step" });
    assert.equal((await tracker.contacts.list(new One())).items.length, 1);
    assert.equal((await tracker.events.list("u_1", new One())).items.length, 1);
  });

  // A field that is valid when it is first read, and otherwise from then on.
  const fickle = (key: string, first: unknown, later: unknown): never => {
    let reads = 0;
    return untyped(Object.defineProperty({}, key, { enumerable: true, get: () => (reads++ === 0 ? first : later) }));
  };

  test("a contact is stored as it was validated, also from a getter that changes its mind", async () => {
    const tracker = await trackerOfAda();
    const { update } = tracker.contacts;
    assert.equal((await update("u_1", fickle("name", "Augusta", "x".repeat(1_001)))).name, "Augusta");
    assert.equal((await update("u_1", fickle("name", undefined, "Eve"))).name, "Augusta");
    const customAttributes = fickle("seats", 13, NaN);
    assert.deepEqual((await update("u_1", { customAttributes })).customAttributes, { seats: 13 });
  });

  test("an event is stored as it was validated, also from a getter that changes its mind", async () => {
    const tracker = await trackerOfAda();
    const input = Object.assign(fickle("eventKey", "upgraded", " "), { externalId: "u_1" });
    assert.equal((await tracker.events.track(untyped(input))).event.eventKey, "upgraded");
    assert.deepEqual(await readBack(fickle("plan", "pro", { nested: true })), { plan: "pro" });
  });

  test("properties are stored as they are, whatever a hidden toJSON returns", async () => {
    const properties = Object.defineProperty({ plan: "pro" }, "toJSON", { value: () => ["not flat"] });
    assert.deepEqual(await readBack(properties), { plan: "pro" });
  });

  test("a Date's time is read from the Date itself, whatever its getTime returns", async () => {
    const tracker = await trackerOfAda();
    const signedUpAt = Object.assign(new Date("2026-01-31T09:00:00.000Z"), { getTime: () => 0.5 });
    assert.equal((await tracker.contacts.update("u_1", { signedUpAt })).signedUpAt, "2026-01-31T09:00:00.000Z");
  });
}

function spoil(value: object): void {
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === "object" && item !== null) spoil(item as object);
    assert.ok(Reflect.set(value, key, "spoilt"));
  }
}

/** What is stored is what was sent, as it was when it was sent; the caller may do with an answer what it likes. */
function copies(test: Test): void {
  test("changing the input of an upsert or an update during the call changes nothing", async () => {
    const tracker = await trackerOfAda();
    const signedUpAt = new Date(0);
    const input: NewContact = { email: "ada@example.com", name: "Eve", signedUpAt, customAttributes: { seats: 3 } };
    const upserting = tracker.contacts.upsert(input);
    signedUpAt.setTime(NaN);
    spoil(input);
    const { contact } = await upserting;
    assert.deepEqual([contact.email, contact.name], ["ada@example.com", "Eve"]);
    assert.deepEqual([contact.signedUpAt, contact.customAttributes], ["1970-01-01T00:00:00.000Z", { seats: 3 }]);
    assert.deepEqual(await tracker.contacts.get("u_1"), contact);
    const changes = { name: "Augusta", customAttributes: { seats: 13 } };
    const updating = tracker.contacts.update("u_1", changes);
    spoil(changes);
    const { name, customAttributes } = await updating;
    assert.deepEqual({ name, customAttributes }, { name: "Augusta", customAttributes: { seats: 13 } });
  });

  test("changing an event's input and options during the call changes nothing", async () => {
    const tracker = await trackerOfAda();
    const input = { externalId: "u_1", eventKey: "upgraded", properties: { plan: "pro" } };
    const again = structuredClone(input);
    const options = { idempotencyKey: "k" };
    const tracking = tracker.events.track(input, options);
    spoil(input);
    spoil(options);
    const { event } = await tracking;
    assert.deepEqual((await tracker.events.list("u_1")).items, [{ ...event, properties: { plan: "pro" } }]);
    assert.equal((await tracker.events.track(again, { idempotencyKey: "k" })).replayed, true);
  });

  test("changing definitions during the call changes nothing", async () => {
    const { tracker } = stoppedTracker();
    const definition = { key: "seats", type: "number" as const, name: "Seats" };
    const definitions = { attributes: [{ key: "plan", type: "text" as const, name: "Plan" }] };
    const expected = structuredClone([definition, ...definitions.attributes]);
    const defining = Promise.all([tracker.attributes.define(definition), tracker.provision(definitions)]);
    spoil(definition);
    spoil(definitions);
    await defining;
    assert.deepEqual(await tracker.attributes.list(), expected);
  });

  test("changing a page during the call changes nothing", async () => {
    const tracker = await trackerOfAda();
    const page = { limit: 1 };
    const listing = Promise.all([tracker.contacts.list(page), tracker.events.list("u_1", page)]);
    spoil(page);
    const [contacts, events] = await listing;
    assert.deepEqual([contacts.items.length, events.items.length], [1, 0]);
  });

  test("every result is plain JSON, and changing it changes nothing that is stored", async () => {
    const tracker = await trackerOfAda();
    const results = [
      await tracker.events.track({ externalId: "u_1", eventKey: "step" }),
      await tracker.apiKeys.create({ name: "backend" }),
    ];
    const read = async (): Promise<object[]> => [
      await tracker.contacts.upsert({ email: "ada@example.com" }),
      (await tracker.contacts.get("u_1"))!,
      await tracker.contacts.update("u_1", { plan: "pro", signedUpAt: new Date(0) }),
      await tracker.contacts.list(),
      await tracker.events.list("u_1"),
      await tracker.attributes.define({ key: "seats", type: "number" }),
      await tracker.attributes.list(),
      await tracker.audiences.define({ key: "all", name: "All", rule: { not: { kind: "has_done", eventKey: "x" } } }),
      await tracker.audiences.list(),
      await tracker.eventTypes.define({ key: "step", properties: { total: "number?" } }),
      await tracker.eventTypes.list(),
      await tracker.apiKeys.list(),
    ];
    await read();
    const before = structuredClone(await read());
    for (const result of [...results, ...(await read())]) {
      assert.deepEqual(result, JSON.parse(JSON.stringify(result)));
      spoil(result);
    }
    assert.deepEqual(await read(), before);
    const deleted = await tracker.contacts.delete("u_1");
    assert.deepEqual(deleted, JSON.parse(JSON.stringify(deleted)));
  });

  test("frozen inputs are accepted", async () => {
    const tracker = await trackerOfAda();
    await tracker.contacts.upsert(Object.freeze({ email: "bob@example.com" }));
    await tracker.events.track(Object.freeze({ externalId: "u_1", eventKey: "step" }));
    await tracker.provision(Object.freeze({ attributes: untyped(Object.freeze([])) }));
  });
}

/** What HTTP can send too stands in `http/cases/values.ts`. */
function oddNamesAndValues(test: Test): void {
  const inherited = ["prototype", "toString", "toJSON", "valueOf", "hasOwnProperty", "length"];
  for (const name of ["__proto__", "constructor", ...inherited]) {
    test(`${name} is an eventKey and an externalId like any other`, async () => {
      const tracker = await trackerOfAda();
      assert.equal(await tracker.contacts.get(name), null);
      await tracker.contacts.upsert({ email: "bob@example.com", externalId: name });
      await tracker.events.track({ externalId: name, eventKey: name }, { idempotencyKey: name });
      assert.equal((await tracker.contacts.get(name))?.email, "bob@example.com");
      assert.equal((await tracker.events.list(name, { eventKey: name })).items.length, 1);
    });
  }

  test("0 after -0 changes nothing", async () => {
    const { tracker, clock } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: -0 } });
    clock.set("2026-02-01T00:00:00Z");
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 0 } });
    assert.equal(contact.updatedAt, "2026-01-31T09:00:00.000Z");
  });

  for (const value of [2 ** 53 - 1, 1 - 2 ** 53, -1.5, 5e-324]) {
    test(`${value} is stored as an attribute and as a property`, async () => {
      const tracker = await trackerOfAda();
      const { customAttributes } = await tracker.contacts.update("u_1", { customAttributes: { seats: value } });
      assert.deepEqual([customAttributes, await readBack({ odd: value })], [{ seats: value }, { odd: value }]);
    });
  }

  // These have no JSON, or become others in it.
  for (const value of [NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53)]) {
    test(`${value} is refused as an attribute and as a property`, async () => {
      const tracker = await trackerOfAda();
      assert.deepEqual(await issuesOf(tracker.contacts.update("u_1", { customAttributes: { seats: value } })), [
        "customAttributes.seats out_of_range",
      ]);
      assert.deepEqual(await issuesOf(readBack({ odd: value })), ["properties.odd out_of_range"]);
    });
  }
}
