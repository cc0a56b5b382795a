// MikroORM: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import assert from "node:assert/strict";
import { EntitySchema, MikroORM, type EntityManager } from "@mikro-orm/mysql";
import { createTracker } from "whodid";
import { type Executor, mysqlStorage } from "whodid/mysql";

const Order = new EntitySchema<{ id: string; total: number }>({
  name: "Order",
  tableName: "orders",
  properties: { id: { type: "string", length: 40, primary: true }, total: { type: "integer" } },
});
const orm = await MikroORM.init({ clientUrl: process.env["DATABASE_URL"]!, entities: [Order] });
await orm.em.fork().execute("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)");

const storage = mysqlStorage(process.env["DATABASE_URL"]!);
await storage.migrate();
const tracker = createTracker({ storage });
await tracker.contacts.upsert({ email: "ada@example.com" });

/** Make one executor for each transaction. MikroORM must be told which statements return rows: those that are a SELECT. */
function executorOn(em: EntityManager): Executor {
  return {
    execute(sql, values) {
      const isQuery = /^(?:\/\*.*?\*\/ )*SELECT/.test(sql);
      return em.execute(sql, [...values], isQuery ? "all" : "run");
    },
  };
}

async function placeOrder(order: { id: string; total: number }): Promise<void> {
  await orm.em.fork().transactional(async (em) => {
    await em.insert(Order, order);
    await tracker.within(executorOn(em)).events.track({
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
  (await orm.em.fork().find(Order, {})).map(({ id }) => id),
  ["order-1"],
);
await tracker.close();
await orm.close();
console.log("order-1 and its event are there; of order-2 nothing is");
