// Kysely: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import { Kysely, MysqlDialect, sql } from "kysely";
import { createPool } from "mysql2";
import { fromKysely } from "whodid/mysql";
import { placeTwoOrders, tracker, type NewOrder } from "./two-orders.ts";

const pool = createPool({ uri: process.env["DATABASE_URL"]! });
const db = new Kysely<{ orders: NewOrder }>({ dialect: new MysqlDialect({ pool }) });
await sql`CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)`.execute(db);

async function placeOrder(order: NewOrder): Promise<void> {
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

await placeTwoOrders(placeOrder, async () =>
  (await db.selectFrom("orders").select("id").execute()).map(({ id }) => id),
);
await db.destroy();
