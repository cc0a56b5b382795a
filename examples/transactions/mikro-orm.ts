// MikroORM: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import { EntitySchema, MikroORM, type EntityManager } from "@mikro-orm/mysql";
import type { Executor } from "whodid/mysql";
import { placeTwoOrders, tracker, type NewOrder } from "./two-orders.ts";

const Order = new EntitySchema<NewOrder>({
  name: "Order",
  tableName: "orders",
  properties: { id: { type: "string", length: 40, primary: true }, total: { type: "integer" } },
});
const orm = await MikroORM.init({ clientUrl: process.env["DATABASE_URL"]!, entities: [Order] });
await orm.em.fork().execute("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)");

/** Make one executor for each transaction. MikroORM must be told which statements return rows: those that are a SELECT. */
function executorOn(em: EntityManager): Executor {
  return {
    execute(sql, values) {
      const isQuery = /^(?:\/\*.*?\*\/ )*SELECT/.test(sql);
      return em.execute(sql, [...values], isQuery ? "all" : "run");
    },
  };
}

async function placeOrder(order: NewOrder): Promise<void> {
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

await placeTwoOrders(placeOrder, async () => (await orm.em.fork().find(Order, {})).map(({ id }) => id));
await orm.close();
