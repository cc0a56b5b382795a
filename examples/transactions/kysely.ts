// Kysely: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import assert from "node:assert/strict";
import { Kysely, MysqlDialect, sql } from "kysely";
import { createPool } from "mysql2";
import { createTracker } from "whodid";
import { fromKysely, mysqlStorage } from "whodid/mysql";

const pool = createPool({ uri: process.env["DATABASE_URL"]! });
const db = new Kysely<{ orders: { id: string; total: number } }>({ dialect: new MysqlDialect({ pool }) });
await sql`CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)`.execute(db);

const storage = mysqlStorage(process.env["DATABASE_URL"]!);
await storage.migrate();
const tracker = createTracker({ storage });
await tracker.contacts.upsert({ email: "ada@example.com" });

async function placeOrder(order: { id: string; total: number }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("orders").values(order).execute();
    await tracker.within(fromKysely(trx)).events.track({
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
assert.deepEqual(
  (await db.selectFrom("orders").select("id").execute()).map(({ id }) => id),
  ["order-1"],
);
await tracker.close();
await db.destroy();
console.log("order-1 and its event are there; of order-2 nothing is");
