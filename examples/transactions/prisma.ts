// Prisma: an order and its event in one transaction, both or neither. DATABASE_URL names an empty database.
import assert from "node:assert/strict";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { createTracker } from "whodid";
import { type Executor, mysqlStorage } from "whodid/mysql";
import { PrismaClient, type Prisma } from "./generated/client.ts";

// Without `useTextProtocol` the adapter prepares each statement, and MySQL cannot prepare a SAVEPOINT.
const adapter = new PrismaMariaDb(process.env["DATABASE_URL"]!, { useTextProtocol: true });
const prisma = new PrismaClient({ adapter });
await prisma.$executeRaw`CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, total INT NOT NULL)`;

const storage = mysqlStorage(process.env["DATABASE_URL"]!);
await storage.migrate();
const tracker = createTracker({ storage });
await tracker.contacts.upsert({ email: "ada@example.com" });

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

async function placeOrder(order: { id: string; total: number }): Promise<void> {
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

await placeOrder({ id: "order-1", total: 42 });
await assert.rejects(placeOrder({ id: "order-2", total: 5_000 }), /too much for one order/);

const { items } = await tracker.events.list("ada@example.com");
assert.deepEqual(
  items.map(({ properties }) => properties),
  [{ order: "order-1" }],
);
assert.deepEqual(
  (await prisma.order.findMany()).map(({ id }) => id),
  ["order-1"],
);
await tracker.close();
await prisma.$disconnect();
console.log("order-1 and its event are there; of order-2 nothing is");
