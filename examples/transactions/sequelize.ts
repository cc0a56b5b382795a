// Sequelize: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import { DataTypes, Sequelize, type Transaction } from "sequelize";
import type { Executor } from "whodid/mysql";
import { placeTwoOrders, tracker, type NewOrder } from "./two-orders.ts";

const sequelize = new Sequelize(process.env["DATABASE_URL"]!, { logging: false });
const columns = { id: { type: DataTypes.STRING(40), primaryKey: true }, total: { type: DataTypes.INTEGER } };
const Order = sequelize.define("orders", columns, { timestamps: false });
await Order.sync();

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

async function placeOrder(order: NewOrder): Promise<void> {
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

await placeTwoOrders(placeOrder, async () => (await Order.findAll()).map((order) => order.get("id")));
await sequelize.close();
