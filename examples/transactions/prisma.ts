// Prisma: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import type { Executor } from "whodid/mysql";
import { PrismaClient, type Prisma } from "./generated/client.ts";
import { placeTwoOrders, tracker, type NewOrder } from "./two-orders.ts";

// Without `useTextProtocol` the adapter prepares each statement, and MySQL cannot prepare a SAVEPOINT.
const adapter = new PrismaMariaDb(process.env["DATABASE_URL"]!, { useTextProtocol: true });
const prisma = new PrismaClient({ adapter });
await prisma.$executeRaw`CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)`;

/** Make one executor for each transaction. Prisma has a separate method for statements that return rows: SELECT. */
function executorOn(tx: Prisma.TransactionClient): Executor {
  return {
    async execute(sql, values) {
      const isQuery = /^(?:\/\*.*?\*\/ )*SELECT/.test(sql);
      if (isQuery) return tx.$queryRawUnsafe(sql, ...values);
      return { affectedRows: await tx.$executeRawUnsafe(sql, ...values) };
    },
  };
}

async function placeOrder(order: NewOrder): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await tx.order.create({ data: order });
    await tracker.within(executorOn(tx)).events.track({
      externalId: "ada@example.com",
      eventKey: "purchase_completed",
      properties: { order: order.id },
    });
    if (order.total > 1_000) throw new Error("too much for one order");
  });
}

await placeTwoOrders(placeOrder, async () => (await prisma.order.findMany()).map(({ id }) => id));
await prisma.$disconnect();
