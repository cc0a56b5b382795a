// The shop's own rows in Drizzle, and whodid on the same pool.
import { eq, or, sql } from "drizzle-orm";
import { char, datetime, int, mysqlTable, varchar } from "drizzle-orm/mysql-core";
import { drizzle, type MySql2Database } from "drizzle-orm/mysql2";
import { createPool } from "mysql2/promise";
import { createTracker } from "whodid";
import { fromDrizzle, mysqlStorage } from "whodid/mysql";
import { definitions, type ShopTransaction } from "./definitions.ts";

const users = mysqlTable("users", {
  id: char({ length: 36 }).primaryKey(),
  email: varchar({ length: 254 }).notNull(),
  createdAt: datetime("created_at", { fsp: 3 }).notNull(),
});
const orders = mysqlTable("orders", {
  id: char({ length: 36 }).primaryKey(),
  userId: char("user_id", { length: 36 }).notNull(),
  product: varchar({ length: 40 }).notNull(),
  cents: int().notNull(),
  createdAt: datetime("created_at", { fsp: 3 }).notNull(),
});
const tables = [
  sql`CREATE TABLE IF NOT EXISTS users (id CHAR(36) PRIMARY KEY, email VARCHAR(254) UNIQUE, created_at DATETIME(3))`,
  sql`CREATE TABLE IF NOT EXISTS orders (id CHAR(36) PRIMARY KEY, user_id CHAR(36), product VARCHAR(40), cents INT,
    created_at DATETIME(3), FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE)`,
];
// An audience sees the events that others have committed meanwhile.
const readCommitted = { isolationLevel: "read committed" } as const;

export type User = typeof users.$inferSelect;
export type Order = typeof orders.$inferSelect;

/** Tables here, arrays in the tests. */
export interface Rows {
  findUser(idOrEmail: string): Promise<User | undefined>;
  addUser(user: User): Promise<unknown>;
  /** Deletes the user's orders too. */
  deleteUser(id: string): Promise<unknown>;
  addOrder(order: Order): Promise<unknown>;
  findOrders(userId: string): Promise<Order[]>;
}

export interface Store extends Rows {
  /** Commits the rows and what whodid writes together, or neither. */
  transaction<Result>(run: (rows: Rows, tx: ShopTransaction) => Promise<Result>): Promise<Result>;
}

/** Opens the database at `DATABASE_URL`, and makes the tables that it lacks. */
export async function openDatabase() {
  const pool = createPool({ uri: process.env["DATABASE_URL"] ?? "mysql://root@localhost/shop" });
  const db = drizzle({ client: pool });
  for (const table of tables) await db.execute(table);
  const storage = mysqlStorage(pool);
  await storage.migrate();
  const tracker = createTracker({ storage, definitions });
  await tracker.provision();
  const store: Store = {
    ...rowsOn(db),
    transaction: (run) => db.transaction((tx) => run(rowsOn(tx), tracker.within(fromDrizzle(tx, sql))), readCommitted),
  };
  const readPast = async () => ({ users: await db.select().from(users), orders: await db.select().from(orders) });
  return { tracker, store, readPast, close: () => tracker.close().then(() => pool.end()) };
}

function rowsOn(db: Pick<MySql2Database, "select" | "insert" | "delete">): Rows {
  const byIdOrEmail = (key: string) => or(eq(users.id, key), eq(users.email, key));
  return {
    findUser: async (key) => (await db.select().from(users).where(byIdOrEmail(key)))[0],
    addUser: (user) => db.insert(users).values(user),
    deleteUser: (id) => db.delete(users).where(eq(users.id, id)),
    addOrder: (order) => db.insert(orders).values(order),
    findOrders: (userId) => db.select().from(orders).where(eq(orders.userId, userId)),
  };
}
