// What the examples beside it share: a tracker on the database that DATABASE_URL names, and two orders to place.
import assert from "node:assert/strict";
import { createTracker, type Tracker } from "whodid";
import { mysqlStorage } from "whodid/mysql";

export type NewOrder = { id: string; total: number };

const storage = mysqlStorage(process.env["DATABASE_URL"]!);
await storage.migrate();
export const tracker: Tracker = createTracker({ storage });
await tracker.contacts.upsert({ email: "ada@example.com" });

/** Asserts that the first order and its event are there, and of the second, which is refused after its event, nothing. */
export async function placeTwoOrders(
  placeOrder: (order: NewOrder) => Promise<void>,
  storedIds: () => Promise<unknown[]>,
): Promise<void> {
  await placeOrder({ id: "order-1", total: 42 });
  await assert.rejects(placeOrder({ id: "order-2", total: 5_000 }), /too much for one order/);
  const { items } = await tracker.events.list("ada@example.com");
  assert.deepEqual(
    items.map(({ properties }) => properties),
    [{ order: "order-1" }],
  );
  assert.deepEqual(await storedIds(), ["order-1"]);
  await tracker.close();
  console.log("order-1 and its event are there; of order-2 nothing is");
}
