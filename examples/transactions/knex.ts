// Knex: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import createKnex from "knex";
import { fromKnex } from "whodid/mysql";
import { placeTwoOrders, tracker, type NewOrder } from "./two-orders.ts";

const knex = createKnex({ client: "mysql2", connection: process.env["DATABASE_URL"]! });
await knex.raw("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)");

async function placeOrder(order: NewOrder): Promise<void> {
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

await placeTwoOrders(placeOrder, () => knex("orders").pluck("id"));
await knex.destroy();
