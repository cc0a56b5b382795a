// Drizzle: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import { sql } from "drizzle-orm";
import { int, mysqlTable, varchar } from "drizzle-orm/mysql-core";
import { drizzle } from "drizzle-orm/mysql2";
import { createPool } from "mysql2/promise";
import { fromDrizzle } from "whodid/mysql";
import { placeTwoOrders, tracker, type NewOrder } from "./two-orders.ts";

const pool = createPool({ uri: process.env["DATABASE_URL"]! });
const db = drizzle({ client: pool });
const orders = mysqlTable("orders", { id: varchar({ length: 40 }).primaryKey(), total: int().notNull() });
await db.execute(sql`CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)`);

async function placeOrder(order: NewOrder): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(orders).values(order);
    await tracker.within(fromDrizzle(tx, sql)).events.track({
      externalId: "ada@example.com",
      eventKey: "purchase_completed",
      properties: { order: order.id },
    });
    if (order.total > 1_000) throw new Error("too much for one order");
  });
}

await placeTwoOrders(placeOrder, async () => (await db.select().from(orders)).map(({ id }) => id));
await pool.end();
