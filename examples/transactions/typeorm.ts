// TypeORM: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import { DataSource, EntitySchema } from "typeorm";
import { fromTypeorm } from "whodid/mysql";
import { placeTwoOrders, tracker, type NewOrder } from "./two-orders.ts";

const Order = new EntitySchema<NewOrder>({
  name: "orders",
  columns: { id: { type: "varchar", length: 40, primary: true }, total: { type: "int" } },
});
const dataSource = new DataSource({ type: "mysql", url: process.env["DATABASE_URL"]!, entities: [Order] });
await dataSource.initialize();
await dataSource.query("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)");

async function placeOrder(order: NewOrder): Promise<void> {
  await dataSource.transaction(async (manager) => {
    await manager.insert(Order, order);
    await tracker.within(fromTypeorm(manager)).events.track({
      externalId: "ada@example.com",
      eventKey: "purchase_completed",
      properties: { order: order.id },
    });
    if (order.total > 1_000) throw new Error("too much for one order");
  });
}

await placeTwoOrders(placeOrder, async () => (await dataSource.manager.find(Order)).map(({ id }) => id));
await dataSource.destroy();
