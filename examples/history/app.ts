// Users and orders from before whodid, recorded with their own times. Run again, it records nothing twice.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";

const users = [
  { id: 1, email: "ada@example.com", createdAt: "2024-03-01T09:00:00Z" },
  { id: 2, email: "bob@example.com", createdAt: "2025-07-11T12:00:00Z" },
];
const orders = [
  { id: 501, userId: 1, total: 42.5, paidAt: "2024-04-02T10:00:00Z" },
  { id: 502, userId: 3, total: 12, paidAt: "2025-01-05T10:00:00Z" },
];

const tracker = createTracker({ storage: memoryStorage() });
const refused: string[] = [];

async function importHistory(): Promise<void> {
  const contacts = users.map(({ id, email, createdAt }) => ({ externalId: `u_${id}`, email, signedUpAt: createdAt }));
  await tracker.contacts.putMany(contacts, (result, index) => {
    if (!result.ok) refused.push(`user ${users[index]!.id}: ${result.error.code}`);
  });
  const events = orders.map(({ id, userId, total, paidAt }) => ({
    externalId: `u_${userId}`,
    eventKey: "order_completed",
    properties: { total },
    createdAt: paidAt,
    idempotencyKey: `order-${id}`,
  }));
  await tracker.events.trackMany(events, (result, index) => {
    if (!result.ok) refused.push(`order ${orders[index]!.id}: ${result.error.code}`);
  });
}

await importHistory();
await importHistory();
const { items } = await tracker.events.list("u_1");
assert.deepEqual(
  items.map(({ createdAt, properties }) => [createdAt, properties]),
  [["2024-04-02T10:00:00.000Z", { total: 42.5 }]],
);
assert.deepEqual(refused, ["order 502: contact_not_found", "order 502: contact_not_found"]);

await tracker.close();
console.log("two users, one order, and one that has no user");
