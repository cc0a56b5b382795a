import mysql from "mysql2/promise";
import {
  mysqlMigrations,
  mysqlStorage,
  type MysqlStorage,
  type MysqlStorageOptions,
} from "../../adapters/mysql/index.ts";
import type { OpenedStorage } from "../../adapters/storage-contract/fresh-storage.ts";
import { startDatabase, type Database } from "./database.ts";
import { withoutSync } from "./disk.ts";
import { leaveOut, suite, type SuiteName, type Test } from "./suite.ts";

/** The server that all tests share; `null`, loudly, where there is none. */
export async function database(serverArguments: string[] = []): Promise<Database | null> {
  // A server that was given is tested as it is.
  const started = await startDatabase(
    process.env["MYSQL_URL"] ? {} : { serverArguments: [...withoutSync, ...serverArguments] },
  );
  return "unavailable" in started ? null : started;
}

/** A suite that needs the server; left out where there is none, of which the run's last line speaks. */
export function databaseSuite(
  name: SuiteName,
  server: Database | null,
  define: (test: Test, server: Database) => void,
): void {
  if (server) suite(name, (test) => define(test, server));
  else leaveOut();
}

export interface OpenedMysql {
  url: string;
  storage: MysqlStorage;
  /** The caller's own pool, on the same schema. */
  pool: mysql.Pool;
  /** Opens another storage by the URL with these parameters. `dispose` closes it. */
  open(options?: MysqlStorageOptions, parameters?: string): MysqlStorage;
  /** Makes another pool on the schema. `dispose` ends it. */
  createPool(options?: mysql.PoolOptions): mysql.Pool;
  dispose(): Promise<void>;
}

/** The schemas of each server that tests have used, emptied. To empty one takes a tenth of the time that its tables take. */
const emptied = new WeakMap<Database, string[]>();

/** A storage on an empty schema that nobody else uses, migrated, and a caller's pool beside it. */
export async function openMysql(server: Database, poolOptions: mysql.PoolOptions = {}): Promise<OpenedMysql> {
  const free = emptied.get(server) ?? [];
  emptied.set(server, free);
  const used = free.pop();
  const url = used ?? (await server.createDatabase());
  const createPool = (options: mysql.PoolOptions): mysql.Pool => mysql.createPool({ uri: url, ...options });
  const pool = createPool({ connectionLimit: 20, ...poolOptions });
  const storages = [mysqlStorage(pool)];
  const pools: mysql.Pool[] = [];
  if (used === undefined) await storages[0]!.migrate();
  return {
    url,
    storage: storages[0]!,
    pool,
    open(options, parameters = "") {
      const storage = mysqlStorage(url + parameters, options);
      storages.push(storage);
      return storage;
    },
    createPool(options = {}) {
      const other = createPool(options);
      pools.push(other);
      return other;
    },
    async dispose() {
      for (const storage of storages) await storage.close();
      for (const other of pools) await other.end();
      // What a failed test left open would keep the schema from being emptied, and this process from ending.
      for (const { id } of await otherConnections(pool, url)) await pool.query(`KILL ${id}`).catch(() => {});
      await pool.end();
      if (await emptySchema(url)) free.push(url);
    },
  };
}

const ownTables = Array.from(mysqlMigrations().matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name!).sort();

/**
 * Removes all rows, and tables of an application. Drops the schema instead, and resolves with `false`, if a test has left a trigger in it, or
 * has changed which tables of ours are there.
 */
async function emptySchema(uri: string): Promise<boolean> {
  const connection = await mysql.createConnection({ uri, multipleStatements: true });
  const namesOf = (rows: mysql.RowDataPacket[]): string[] => rows.map((row) => String(Object.values(row)[0]));
  try {
    const [[tables, triggers]] = await connection.query<mysql.RowDataPacket[][]>("SHOW TABLES; SHOW TRIGGERS");
    const names = namesOf(tables!);
    const others = names.filter((name) => !name.startsWith("whodid_"));
    if (triggers!.length > 0 || others.length + ownTables.length !== names.length) {
      await connection.query(`DROP DATABASE ${new URL(uri).pathname.slice(1)}`);
      return false;
    }
    const looks = ownTables
      .filter((name) => name !== "whodid_migrations")
      .map((name) => `SELECT '${name}' FROM DUAL WHERE EXISTS (SELECT 1 FROM ${name})`);
    const [filled] = await connection.query<mysql.RowDataPacket[]>(looks.join(" UNION ALL "));
    // After a DELETE, who inserts the same email again would lock its neighbours until the deleted row is purged.
    const truncated = new Set(["whodid_contacts", ...namesOf(filled)]);
    const statements = [
      "SET foreign_key_checks = 0",
      ...others.map((name) => `DROP TABLE ${name}`),
      ...Array.from(truncated, (name) => `TRUNCATE ${name}`),
    ];
    await connection.query(statements.join("; "));
    return true;
  } finally {
    await connection.end();
  }
}

/** Makes what runs a test on a storage of its own. The test runs only where there is a server. */
export function mysqlBy(
  server: Database | null,
): (run: (opened: OpenedMysql) => Promise<void>, poolOptions?: mysql.PoolOptions) => Promise<void> {
  return async (run, poolOptions) => {
    const opened = await openMysql(server!, poolOptions);
    try {
      await run(opened);
    } finally {
      await opened.dispose();
    }
  };
}

export async function isMariadb(pool: mysql.Pool): Promise<boolean> {
  const [[version]] = await pool.query<mysql.RowDataPacket[]>("SELECT VERSION() AS text");
  return String(version!["text"]).includes("MariaDB");
}

/** The connections to the schema of the URL, and their statements. */
export async function otherConnections(pool: mysql.Pool, url: string): Promise<{ id: number; statement: string }[]> {
  const list = "SHOW FULL PROCESSLIST";
  // The tables with the same rows are empty on MySQL, or cannot show an emoji.
  const [rows] = await pool.query<mysql.RowDataPacket[]>(list);
  return rows
    .filter(({ db, Info }) => db === new URL(url).pathname.slice(1) && Info !== list)
    .map(({ Id, Info }) => ({ id: Number(Id), statement: String(Info ?? "") }));
}

/** What the storage contract opens: on a given pool, or by a URL, whose connections take several statements in one round trip. */
export async function openForContract(
  server: Database,
  { byUrl = false }: { byUrl?: boolean } = {},
): Promise<OpenedStorage> {
  const { url, storage: onPool, pool, dispose } = await openMysql(server);
  const storage = byUrl ? mysqlStorage(url) : onPool;
  return {
    storage,
    async begin() {
      const connection = await pool.getConnection();
      await connection.beginTransaction();
      return {
        transaction: connection,
        commit: () => connection.commit().finally(() => connection.release()),
        rollback: () => connection.rollback().finally(() => connection.release()),
      };
    },
    async dispose() {
      await storage.close();
      await dispose();
    },
  };
}

/** A caller's pool whose options and session variables would each change what goes through it. */
export function hostilePool(uri: string): mysql.Pool {
  const pool = mysql.createPool({
    uri,
    rowsAsArray: true,
    nestTables: true,
    namedPlaceholders: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    decimalNumbers: true,
    timezone: "+09:00",
    typeCast: (_field, next) => `cast ${String(next())}`,
    flags: ["-FOUND_ROWS"],
  });
  pool.pool.on("connection", (connection) => {
    connection.query(
      "SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE', time_zone = '-11:00'",
    );
    connection.query("SET SESSION completion_type = 'RELEASE', foreign_key_checks = 0, max_sort_length = 64");
    connection.query("SET SESSION div_precision_increment = 0, group_concat_max_len = 4, sql_auto_is_null = 1");
    connection.query("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
  });
  return pool;
}
