import { randomUUID } from "node:crypto";
import mysql from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../adapters/mysql/index.ts";
import { countOf } from "../../adapters/storage-contract/calls.ts";
import { contactDraft, workspace } from "../../adapters/storage-contract/drafts.ts";
import { startDatabase, type Database } from "./database.ts";
import { withoutSync } from "./disk.ts";
import { startProxy, type Proxy } from "./proxy.ts";

/** Two servers behind one address, the second of which is to take over. */
export interface Pair {
  first: Database;
  second: Database;
}

/** `null`, loudly, where there is no server. The one at `MYSQL_URL` is not made read-only. */
export async function startPair(): Promise<Pair | null> {
  const [first, second] = await Promise.all([
    startDatabase({ serverArguments: [...withoutSync, "--server-id=1"] }),
    startDatabase({ serverArguments: [...withoutSync, "--server-id=2"] }),
  ]);
  return "unavailable" in first || "unavailable" in second ? null : { first, second };
}

export interface Failover {
  /** By the proxy, of a user whom read-only stops, as it does not stop root. */
  url: string;
  proxy: Proxy;
  /** The same schema on both servers, past the proxy: migrated, with Ada. */
  storages: [first: MysqlStorage, second: MysqlStorage];
  /** The first takes no writes any more, and stays up. */
  makeReadOnly(): Promise<void>;
  /** New connections reach the second. */
  takeOver(): void;
}

export async function withFailover(pair: Pair, run: (failover: Failover) => Promise<void>): Promise<void> {
  const urls = [await pair.first.createDatabase(), pair.second.url] as const;
  const schema = new URL(urls[0]).pathname.slice(1);
  const password = randomUUID();
  const admins = [await mysql.createConnection(urls[0]), await mysql.createConnection(urls[1])] as const;
  await admins[1].query(`CREATE DATABASE ${schema} CHARACTER SET utf8mb4`);
  const ada = contactDraft();
  const storages = await Promise.all(
    urls.map(async (url, index) => {
      const own = new URL(url);
      own.pathname = schema;
      const storage = mysqlStorage(own.href);
      await storage.migrate();
      await storage.upsertContacts([ada]);
      await admins[index]!.query(`CREATE USER '${schema.slice(0, 30)}'@'%' IDENTIFIED BY '${password}'`);
      await admins[index]!.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.* TO '${schema.slice(0, 30)}'@'%'`);
      return storage;
    }),
  );
  const proxy = await startProxy(urls[0]);
  const url = new URL(proxy.url);
  url.username = schema.slice(0, 30);
  url.password = password;
  try {
    await run({
      url: url.href,
      proxy,
      storages: [storages[0]!, storages[1]!],
      makeReadOnly: async () => void (await admins[0].query("SET GLOBAL read_only = 1")),
      takeOver: () => proxy.lead(urls[1]),
    });
  } finally {
    await proxy.close();
    for (const storage of storages) await storage.close();
    for (const admin of admins) {
      await admin.query("SET GLOBAL read_only = 0");
      await admin.query(`DROP DATABASE ${schema}`);
      await admin.end();
    }
  }
}

/** How many events of Ada each of the storages has. */
export function countEach(storages: readonly MysqlStorage[]): Promise<number[]> {
  return Promise.all(
    storages.map(async (storage) => {
      const ada = await storage.findContact(workspace, { externalId: "ada@example.com" });
      return countOf(storage, ada!.id);
    }),
  );
}

export async function countEvents(storages: readonly MysqlStorage[]): Promise<number> {
  return (await countEach(storages)).reduce((sum, count) => sum + count);
}
