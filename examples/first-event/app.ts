// Contacts and events by calling the library: no HTTP, no API key.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";

const tracker = createTracker({ storage: memoryStorage() });

await tracker.attributes.define({ key: "seats", type: "number" });
const { contact, created } = await tracker.contacts.upsert({
  email: "Ada@example.com",
  name: "Ada",
  customAttributes: { seats: 12 },
});
assert.equal(created, true);
assert.equal(contact.externalId, "ada@example.com");

const { event } = await tracker.events.track({ externalId: contact.externalId, eventKey: "signup_completed" });
assert.equal(event.contactId, contact.id);

// A retry, for example after a time-out, records nothing twice if it has the same idempotency key.
const purchase = { externalId: contact.externalId, eventKey: "purchase_completed", properties: { amount: 42.5 } };
const first = await tracker.events.track(purchase, { idempotencyKey: "order-1001" });
const again = await tracker.events.track(purchase, { idempotencyKey: "order-1001" });
assert.deepEqual(again, { ...first, replayed: true });

const { items } = await tracker.events.list(contact.externalId);
assert.deepEqual(
  items.map(({ eventKey, properties }) => ({ eventKey, properties })),
  [
    { eventKey: "purchase_completed", properties: { amount: 42.5 } },
    { eventKey: "signup_completed", properties: {} },
  ],
);

assert.deepEqual(await tracker.contacts.delete("ada@example.com"), { contactId: contact.id, events: 2 });
await tracker.close();

console.log(`${contact.email} did ${items.map(({ eventKey }) => eventKey).join(", ")}; then the contact was deleted.`);
