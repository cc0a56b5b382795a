// An order and its event in one transaction: both exist or neither. DATABASE_URL names an empty database.
import assert from "node:assert/strict";
import { createPool } from "mysql2/promise";
import { createTracker } from "whodid";
import { mysqlStorage } from "whodid/mysql";

const pool = createPool({ uri: process.env["DATABASE_URL"]! });
const storage = mysqlStorage(pool);
await storage.migrate();
const tracker = createTracker({ storage });
await pool.query("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total DECIMAL(10, 2) NOT NULL)");

async function placeOrder(order: { id: string; email: string; total: number }): Promise<void> {
  await tracker.transaction(async (tx, connection) => {
    await connection.execute("INSERT INTO orders (id, total) VALUES (?, ?)", [order.id, order.total]);
    const { contact } = await tx.contacts.upsert({ email: order.email });
    await tx.events.track({
      externalId: contact.externalId,
      eventKey: "purchase_completed",
      properties: { order: order.id, total: order.total },
    });
    if (order.total > 1_000) throw new Error("too much for one order");
  });
}

await placeOrder({ id: "order-1", email: "ada@example.com", total: 42.5 });
await assert.rejects(placeOrder({ id: "order-2", email: "ada@example.com", total: 5_000 }));
await assert.rejects(placeOrder({ id: "order-3", email: "bob@example.com", total: 5_000 }));

const [orders] = await pool.query("SELECT id FROM orders");
assert.deepEqual(orders, [{ id: "order-1" }]);
const { items } = await tracker.events.list("ada@example.com");
assert.deepEqual(
  items.map(({ properties }) => properties),
  [{ order: "order-1", total: 42.5 }],
);
assert.equal(await tracker.contacts.get("bob@example.com"), null);

await tracker.close();
await pool.end();
console.log("order-1 and its event are there; of the others nothing is");
