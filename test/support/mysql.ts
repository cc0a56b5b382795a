import mysql from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../adapters/mysql/index.ts";
import type { OpenedStorage } from "../../adapters/storage-contract/fresh-storage.ts";
import { startDatabase, type Database } from "./database.ts";
import { leaveOut, suite, type SuiteName, type Test } from "./suite.ts";

/** Never waits for the disk: a server that is killed loses nothing, only a machine that stops does. */
const withoutSync = ["--innodb-flush-method=nosync", "--loose-debug-no-sync"];

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
  dispose(): Promise<void>;
}

/** A storage on an empty schema of its own, migrated, and a caller's pool beside it. */
export async function openMysql(server: Database, poolOptions: mysql.PoolOptions = {}): Promise<OpenedMysql> {
  const url = await server.createDatabase();
  const pool = mysql.createPool({ uri: url, connectionLimit: 20, ...poolOptions });
  const storage = mysqlStorage(pool);
  await storage.migrate();
  return {
    url,
    storage,
    pool,
    async dispose() {
      await storage.close();
      // What a failed test left open would keep the schema from being dropped, and this process from ending.
      for (const { id } of await otherConnections(pool, url)) await pool.query(`KILL ${id}`).catch(() => {});
      await pool.query(`DROP DATABASE ${new URL(url).pathname.slice(1)}`);
      await pool.end();
    },
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
