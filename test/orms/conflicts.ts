import assert from "node:assert/strict";
import { createPool, type Pool } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, type InTransaction } from "../../lib/index.ts";
import type { Galera } from "../cluster/galera.ts";
import { within } from "../support/within.ts";
import { installedOrm } from "./installs.ts";
import { assertPaired } from "./paired.ts";

/** How many transactions are tried each way; `ORDERS=1000` for a long run. */
export const orders: number = Number(process.env["ORDERS"] ?? 150);
const writersOfNode = 5;
/** So few that writers on different nodes meet at them. */
const emails = ["ada@example.com", "bob@example.com", "cy@example.com"];

/**
 * Writers on three nodes record orders and their events of the same contacts, each pair in one transaction. Then every node must
 * hold both of what was committed, and neither of what was refused.
 */
export async function orderOnAllNodes(name: string, galera: Galera): Promise<void> {
  const urls = galera.urlsOf(await galera.database.createDatabase());
  const nodes = urls.map((uri) => createPool({ uri, connectionLimit: 1 }));
  const apps: App[] = [];
  const committed = new Set<number>();
  const refused: Record<string, number> = {};
  let last = 0;
  const write = async (app: App): Promise<void> => {
    while (last < orders) {
      const id = ++last;
      await app
        .transaction((query, tx) => place(id, query, tx))
        .then(() => committed.add(id))
        .catch((error: unknown) => count(refused, error));
    }
  };
  try {
    await prepare(urls[0]!, nodes[0]!);
    // Each then reads what the others have committed.
    for (const node of nodes) await node.query("SET SESSION wsrep_sync_wait = 1");
    for (const node of nodes) await node.query("SELECT email FROM whodid_contacts");
    for (const url of urls) apps.push(await openApp(name, url));
    const writing = apps.flatMap((app) => Array.from({ length: writersOfNode }, () => write(app)));
    await within(orders * 1_000, "each being committed or refused", Promise.all(writing));
    for (const node of nodes) assert.deepEqual(new Set(await assertPaired(node)), committed);
  } finally {
    await Promise.all([...apps.map((app) => app.close()), ...nodes.map((node) => node.end())]);
  }
  console.log(`${name} on three nodes: ${committed.size} of ${orders} committed, refused ${JSON.stringify(refused)}`);
  assert.ok(committed.size > 0 && committed.size < orders, "the writers meet each other");
}

async function prepare(url: string, node: Pool): Promise<void> {
  const storage = mysqlStorage(url);
  await storage.migrate();
  const tracker = createTracker({ storage });
  for (const email of emails) await tracker.contacts.upsert({ email });
  await tracker.close();
  await node.query("CREATE TABLE orders (id INT PRIMARY KEY) ENGINE=InnoDB");
}

type Query = (sql: string) => Promise<unknown>;

/** One before the other in turns: a node that gives a transaction up can tell so at either. */
async function place(id: number, query: Query, tx: InTransaction): Promise<void> {
  const externalId = emails[Math.floor(Math.random() * emails.length)]!;
  const insertOrder = (): Promise<unknown> => query(`INSERT INTO orders VALUES (${id})`);
  if (id % 2 === 0) await insertOrder();
  await tx.events.track({ externalId, eventKey: "purchase_completed", properties: { order: id } });
  if (id % 2 === 1) await insertOrder();
}

/** An app of one node. */
interface App {
  transaction(run: (query: Query, tx: InTransaction) => Promise<void>): Promise<void>;
  close(): Promise<unknown>;
}

async function openApp(name: string, url: string): Promise<App> {
  const tracker = createTracker({ storage: mysqlStorage(url) });
  if (name === "tracker.transaction") {
    return {
      transaction: (run) => tracker.transaction((tx, connection) => run((sql) => connection.query(sql), tx)),
      close: tracker.close,
    };
  }
  if (name === "mysql2") {
    const pool = createPool({ uri: url, connectionLimit: writersOfNode });
    return {
      async transaction(run) {
        const connection = await pool.getConnection();
        try {
          await connection.beginTransaction();
          await run((sql) => connection.query(sql), tracker.within(connection));
          await connection.commit();
        } catch (error) {
          await connection.rollback();
          throw error;
        } finally {
          connection.release();
        }
      },
      close: () => Promise.all([tracker.close(), pool.end()]),
    };
  }
  const opened = await (await installedOrm(name)).open(url);
  return {
    transaction: (run) => opened.transaction((inside) => run(inside.run, tracker.within(inside.executor))),
    close: () => Promise.all([tracker.close(), opened.close()]),
  };
}

/** Counts it by its code, which Drizzle has in its cause. */
function count(refused: Record<string, number>, error: unknown): void {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  const name = code ?? cause?.code ?? String(error);
  refused[name] = (refused[name] ?? 0) + 1;
}
