// Testing one's own code against memory: a stopped clock, a transaction, no database.
import assert from "node:assert/strict";
import { createTracker, TrackerError, type Tracker, type Transaction } from "whodid";
import { memoryStorage } from "whodid/memory";

/** One's own code. In production the transaction is a database connection that also writes the order. */
async function placeOrder(
  tracker: Tracker,
  transaction: Transaction,
  order: { id: string; email: string; total: number },
) {
  if (order.total <= 0) throw new Error("an order costs something");
  const { contacts, events } = tracker.within(transaction);
  const { contact } = await contacts.upsert({ email: order.email });
  const { event } = await events.track(
    { externalId: contact.externalId, eventKey: "purchase_completed", properties: { total: order.total } },
    { idempotencyKey: order.id },
  );
  return event;
}

const storage = memoryStorage();
const tracker = createTracker({ storage, now: () => new Date("2026-11-20T10:00:00.000Z") });

// The event is there once the order is.
const transaction = storage.begin();
const event = await placeOrder(tracker, transaction, { id: "order-1", email: "ada@example.com", total: 42.5 });
assert.equal(event.createdAt, "2026-11-20T10:00:00.000Z");
assert.equal(await tracker.contacts.get("ada@example.com"), null);
await transaction.commit();
const { items } = await tracker.events.list("ada@example.com");
assert.deepEqual(items, [{ ...event, properties: { total: 42.5 } }]);

// And is not there when the order is not.
const failing = storage.begin();
await placeOrder(tracker, failing, { id: "order-2", email: "bob@example.com", total: 1 });
await failing.rollback();
assert.equal(await tracker.contacts.get("bob@example.com"), null);

await assert.rejects(
  tracker.events.track({ externalId: "bob@example.com", eventKey: "signup_completed" }),
  (error) => error instanceof TrackerError && error.code === "contact_not_found",
);

await tracker.close();
console.log("an order and its event exist both or neither");
