// Testing one's own code against memory: a stopped clock, a transaction, no database.
import assert from "node:assert/strict";
import { createTracker, TrackerError, type Tracker } from "whodid";
import { memoryStorage } from "whodid/memory";

/** One's own code: the contact and the event exist both or neither, on memory as in a database. */
function placeOrder(tracker: Tracker, order: { id: string; email: string; total: number }) {
  return tracker.transaction(async (tx) => {
    const { contact } = await tx.contacts.upsert({ email: order.email });
    const { event } = await tx.events.track(
      { externalId: contact.externalId, eventKey: "purchase_completed", properties: { total: order.total } },
      { idempotencyKey: order.id },
    );
    if (order.total <= 0) throw new Error("an order costs something");
    return event;
  });
}

const tracker = createTracker({ storage: memoryStorage(), now: () => new Date("2026-11-20T10:00:00.000Z") });

const event = await placeOrder(tracker, { id: "order-1", email: "ada@example.com", total: 42.5 });
assert.equal(event.createdAt, "2026-11-20T10:00:00.000Z");
const { items } = await tracker.events.list("ada@example.com");
assert.deepEqual(items, [{ ...event, properties: { total: 42.5 } }]);

await assert.rejects(placeOrder(tracker, { id: "order-2", email: "bob@example.com", total: 0 }));
assert.equal(await tracker.contacts.get("bob@example.com"), null);

await assert.rejects(
  tracker.events.track({ externalId: "bob@example.com", eventKey: "signup_completed" }),
  (error) => error instanceof TrackerError && error.code === "contact_not_found",
);

await tracker.close();
console.log("an order and its event exist both or neither");
