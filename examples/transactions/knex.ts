// Knex: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import assert from "node:assert/strict";
import createKnex from "knex";
import { createTracker } from "whodid";
import { fromKnex, mysqlStorage } from "whodid/mysql";

const knex = createKnex({ client: "mysql2", connection: process.env["DATABASE_URL"]! });
await knex.raw("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)");

const storage = mysqlStorage(process.env["DATABASE_URL"]!);
await storage.migrate();
const tracker = createTracker({ storage });
await tracker.contacts.upsert({ email: "ada@example.com" });

async function placeOrder(order: { id: string; total: number }): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx("orders").insert(order);
    await tracker.within(fromKnex(trx)).events.track({
      externalId: "ada@example.com",
      eventKey: "purchase_completed",
      properties: { order: order.id },
    });
    if (order.total > 1_000) throw new Error("too much for one order");
  });
}

await placeOrder({ id: "order-1", total: 42 });
await assert.rejects(placeOrder({ id: "order-2", total: 5_000 }), /too much for one order/);

const { items } = await tracker.events.list("ada@example.com");
assert.deepEqual(
  items.map(({ properties }) => properties),
  [{ order: "order-1" }],
);
assert.deepEqual(await knex("orders").pluck("id"), ["order-1"]);
await tracker.close();
await knex.destroy();
console.log("order-1 and its event are there; of order-2 nothing is");
