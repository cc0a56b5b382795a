/** Engines that speak the protocol of MySQL. A database answers through a proxy as real ones have answered. */
import assert from "node:assert/strict";
import mysql from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../../../adapters/mysql/index.ts";
import { probe } from "../../../../adapters/mysql/sql/index.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { startProxy, type Proxy } from "../../../support/proxy.ts";

/** The answers of TiDB e4e814fdc0af and of Vitess 24.0.4, and the sentence for each. */
const engines = {
  TiDB: {
    isTidb: "1",
    comment: "TiDB Server (Apache License 2.0) Community Edition, MySQL 8.0 compatible",
    selectLimit: "18446744073709551615",
    message: "whodid needs MySQL or MariaDB: TiDB takes FOR UPDATE SKIP LOCKED and locks nothing.",
  },
  Vitess: {
    isTidb: "0",
    comment: "Version: 24.0.4 (Git revision  branch '') built on  by @ using go1.26.8 linux/amd64",
    selectLimit: "0",
    message:
      "whodid needs MySQL or MariaDB: Vitess applies SET TRANSACTION to the whole session, and unique keys only within a shard.",
  },
};

type Engine = (typeof engines)[keyof typeof engines];

/** Answers the probe of the next connection as the engine does. */
function answerAs({ isTidb, comment, selectLimit }: Engine, { instead }: Proxy): void {
  const send = probe("")
    .sql.replace("@@version_comment", mysql.escape(comment))
    .replace("/*T! 1 + */ 0", isTidb)
    .replace("@@sql_select_limit", selectLimit);
  instead.push({ of: "whodid:probe", send, isPrepared: true });
}

/** Refuses the probe of the next connection, and answers as the engine does when it is asked alone. */
function refuseAs({ isTidb, comment }: Engine, { instead }: Proxy): void {
  instead.push({ of: "whodid:probe", send: "DO 0", errno: 1064 });
  instead.push({
    of: "whodid:findEngine",
    send: `SELECT ${mysql.escape(comment)} AS version_comment, ${isTidb} AS is_tidb`,
  });
}

const uses: Record<string, (storage: MysqlStorage, pool: mysql.Pool) => Promise<unknown>> = {
  migrate: (storage) => storage.migrate(),
  "a read": (storage) => storage.findContact("default", { email: "ada@example.com" }),
  "a call in a caller's transaction": async (storage, pool) => {
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    const call = storage.within(connection).findContact("default", { email: "ada@example.com" });
    await call.finally(() => connection.destroy());
  },
};

databaseSuite("engines", await database(), (test, server) => {
  for (const [name, engine] of Object.entries(engines)) {
    for (const [what, use] of Object.entries(uses)) {
      for (const [how, answer] of Object.entries({
        "by its probe": answerAs,
        "alone, after its probe failed": refuseAs,
      })) {
        test(`${name} is refused by name ${how} at ${what}, before anything is written`, async () => {
          const url = await server.createDatabase();
          const proxy = await startProxy(url);
          const pool = mysql.createPool(proxy.url);
          const storage = mysqlStorage(proxy.url);
          try {
            answer(engine, proxy);
            await assert.rejects(use(storage, pool), { code: "unusable_database", message: engine.message });
            assert.deepEqual(proxy.instead, []);
            const [tables] = await pool.query("SHOW TABLES");
            assert.deepEqual(tables, []);
          } finally {
            await Promise.all([storage.close(), pool.end()]);
            await proxy.close();
          }
        });
      }
    }
  }

  test("a probe that fails on MySQL or MariaDB is answered with its error", async () => {
    const proxy = await startProxy(await server.createDatabase());
    const storage = mysqlStorage(proxy.url);
    try {
      proxy.instead.push({ of: "whodid:probe", send: "DO 0", errno: 1064 });
      await assert.rejects(storage.migrate(), { code: "internal", message: "The database refused a statement." });
      await storage.migrate();
    } finally {
      await storage.close();
      await proxy.close();
    }
  });
});
