// One list of definitions. The compiler checks the code against it: a mistyped key or a missing property does not compile.
import assert from "node:assert/strict";
import { createTracker, type Definitions, type Tracker } from "whodid";
import { memoryStorage } from "whodid/memory";

// `whodid provision FILE` takes the same list, as the default export of a module.
const definitions = {
  events: [
    { key: "order_completed", properties: { total: "number", coupon: "text?" } },
    { key: "signup_completed", properties: {} },
  ],
  attributes: [{ key: "seats", type: "number" }],
  audiences: [{ key: "customers", name: "Customers", rule: { kind: "has_done", eventKey: "order_completed" } }],
  checklists: [
    {
      key: "onboarding",
      name: "Onboarding",
      items: [
        { key: "sign_up", name: "Sign up", when: { kind: "has_done", eventKey: "signup_completed" } },
        { key: "call", name: "Talk to us" },
      ],
    },
  ],
} as const satisfies Definitions;

const tracker = createTracker({ storage: memoryStorage(), definitions });
await tracker.provision();

const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 12 } });
const seats: number | undefined = contact.customAttributes.seats;
assert.equal(seats, 12);

/** Your own code names the definitions in its types, and takes any storage. */
async function placeOrder({ events }: Tracker<unknown, typeof definitions>, externalId: string, total: number) {
  const { event } = await events.track({ externalId, eventKey: "order_completed", properties: { total } });
  return event.id;
}

const { externalId } = contact;
const id = await placeOrder(tracker, externalId, 42.5);
const { items } = await tracker.events.list(externalId, { eventKey: "order_completed" });
assert.deepEqual(
  items.map((event) => event.id),
  [id],
);

await tracker.events.track({ externalId, eventKey: "signup_completed" });
const { progress } = await tracker.checklists.complete(externalId, "onboarding", "call");
assert.deepEqual(progress, { completed: 2, total: 2 });
assert.equal(await tracker.audiences.count("customers"), 1);

/** Code that knows no definitions takes the same tracker. */
async function forget({ contacts }: Tracker, identifier: string) {
  return contacts.delete(identifier);
}
assert.equal((await forget(tracker, externalId)).events, 2);

await tracker.close();
console.log("one list: what it names compiles, and is stored");
