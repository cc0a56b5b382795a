// Sequelize: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import assert from "node:assert/strict";
import { DataTypes, Sequelize, type Transaction } from "sequelize";
import { createTracker } from "whodid";
import { type Executor, mysqlStorage } from "whodid/mysql";

const sequelize = new Sequelize(process.env["DATABASE_URL"]!, { logging: false });
const columns = { id: { type: DataTypes.STRING(40), primaryKey: true }, total: { type: DataTypes.INTEGER } };
const Order = sequelize.define("orders", columns, { timestamps: false });
await Order.sync();

const storage = mysqlStorage(process.env["DATABASE_URL"]!);
await storage.migrate();
const tracker = createTracker({ storage });
await tracker.contacts.upsert({ email: "ada@example.com" });

/** Make one executor for each transaction. Without a `type` Sequelize returns the driver's answer twice. */
function executorOn(transaction: Transaction): Executor {
  return {
    async execute(sql, values) {
      const options = values.length > 0 ? { transaction, replacements: [...values] } : { transaction };
      const [answer] = await sequelize.query(sql, options);
      return answer as Awaited<ReturnType<Executor["execute"]>>;
    },
  };
}

async function placeOrder(order: { id: string; total: number }): Promise<void> {
  await sequelize.transaction(async (transaction) => {
    await Order.create(order, { transaction });
    await tracker.within(executorOn(transaction)).events.track({
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
  (await Order.findAll()).map((order) => order.get("id")),
  ["order-1"],
);
await tracker.close();
await sequelize.close();
console.log("order-1 and its event are there; of order-2 nothing is");
