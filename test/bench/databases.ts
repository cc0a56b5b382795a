import type { Pool } from "mysql2/promise";
import { mysqlStorage, type MysqlPool, type MysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, type Tracker, type TrackerOptions } from "../../lib/index.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { query } from "../support/queries.ts";

/** For much data. */
export const largeServer: string[] = ["--innodb-buffer-pool-size=1G", "--loose-innodb-log-file-size=512M"];

/** With the durability that servers have by default. */
export const durableServer: string[] = ["--innodb-buffer-pool-size=1G", "--innodb-flush-log-at-trx-commit=1"];

/** Runs the work on a server of its own, and stops that. Without one nothing is measured, which the end of the run says. */
export async function onDatabase(
  serverArguments: string[],
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  const database = await startDatabase({ serverArguments });
  if ("unavailable" in database) return;
  try {
    await work(database);
  } finally {
    await database.stop();
  }
}

/** A tracker without limit on the migrated schema, with as many of the contacts that `emailOf` names. */
export async function openTracker(
  poolOrUrl: MysqlPool | string,
  contacts: number,
  options: Partial<TrackerOptions> = {},
): Promise<{ storage: MysqlStorage; tracker: Tracker }> {
  const storage = mysqlStorage(poolOrUrl);
  await storage.migrate();
  const tracker = createTracker({ storage, rateLimit: false, ...options });
  if (contacts > 0)
    await tracker.contacts.upsertMany(Array.from({ length: contacts }, (_, n) => ({ email: emailOf(n) })));
  return { storage, tracker };
}

export function emailOf(contact: number): string {
  return `user${contact}@example.com`;
}

/** In bytes, by index of a table that was analyzed. The clustered index, PRIMARY, holds the rows. */
export async function indexSizes(url: string, table: string): Promise<[index: string, bytes: number][]> {
  const rows = await query(
    url,
    `SELECT index_name, stat_value * @@innodb_page_size AS bytes FROM mysql.innodb_index_stats
WHERE database_name = DATABASE() AND table_name = '${table}' AND stat_name = 'size'`,
  );
  return rows.map((row): [string, number] => [String(row["index_name"]), Number(row["bytes"])]);
}

/** Resolves with the number `n` of the only row. */
export async function numberBy(pool: Pool, sql: string, values: (string | number)[] = []): Promise<number> {
  const [rows] = await pool.query(sql, values);
  return (rows as [{ n: number }])[0].n;
}
