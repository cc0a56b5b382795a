import assert from "node:assert/strict";
import mysql, { type Pool, type PoolConnection } from "mysql2/promise";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { start } from "../../../../adapters/storage-contract/pending.ts";
import { recordAll, upsert } from "../../../../adapters/storage-contract/calls.ts";
import { contactDraft, eventDraft } from "../../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, isMariadb, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { proxiedBy } from "../../../support/proxied.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { within } from "../../../support/within.ts";

const started = await database();
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const proxied = proxiedBy(started);

databaseSuite("sessions", started, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  define(
    "a write without compound statements sends three commands: of its look, BEGIN and COMMIT, with nothing after it",
    () =>
      proxied(async ({ tracker, proxy }) => {
        // As a node of Galera answers.
        proxy.instead.push({ of: "wsrep_cluster_size", send: "SELECT 'wsrep_cluster_size', 3" });
        await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada" });
        for (const name of ["Augusta", "Grace"]) {
          const before = { ...proxy.seen };
          await tracker.contacts.upsert({ email: "ada@example.com", name });
          assert.deepEqual([proxy.seen.queried - before.queried, proxy.seen.commits - before.commits], [3, 1]);
        }
      }),
  );

  test(
    "two errors of an idle connection, as of a server that says why it goes and then is gone, end no process",
    async ({ pool }) => {
      const storage = mysqlStorage(pool);
      await storage.upsertContacts([contactDraft()]);
      const connection = await pool.pool.promise().getConnection();
      connection.release();
      for (const reason of ["shutdown", "EPIPE"]) connection.connection.emit("error", new Error(reason));
      assert.equal(await storage.countContacts(contactDraft().workspace), 1);
    },
    { connectionLimit: 1 },
  );

  test(
    "a given pool's connections come back with their isolation level and lock wait, after writes and refusals",
    async ({ pool }) => {
      pool.pool.on("connection", (connection) => {
        connection.query("SET SESSION innodb_lock_wait_timeout = 37");
        connection.query("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
      });
      // Another than the one that the tables were made on.
      (await pool.getConnection()).destroy();
      const storage = mysqlStorage(pool);
      await storage.upsertContacts([contactDraft()]);
      await storage.recordEvents([eventDraft()]);
      await storage.updateContact({ ...contactDraft(), externalId: "ada@example.com" });
      assert.equal((await refusalOf(recordAll(storage, [eventDraft({ eventKey: "é".repeat(60) })]))).code, "internal");
      const connection = await pool.getConnection();
      const settings = await settingsOf(connection).finally(() => connection.release());
      assert.deepEqual(settings, { wait: 37, isolation: "SERIALIZABLE" });
    },
    { connectionLimit: 1 },
  );

  for (const [setting, needed] of [
    ["sql_select_limit = 1", "sql_select_limit = DEFAULT"],
    ["sql_select_limit = 0", "sql_select_limit = DEFAULT"],
    ["sql_safe_updates = 1", "sql_safe_updates = 0"],
    ["max_join_size = 1", "sql_big_selects = 1"],
    ["unique_checks = 0", "unique_checks = 1"],
    ["completion_type = 'CHAIN'", "completion_type = NO_CHAIN"],
    ["unique_checks = 0, sql_safe_updates = 1", "sql_safe_updates = 0 and unique_checks = 1"],
  ] as const) {
    test(`connections with ${setting} are refused in one sentence, in a caller's transaction too`, (opened) =>
      assertRefused(opened, setting, needed));
  }

  for (const mode of ["ORACLE", "EMPTY_STRING_IS_NULL"]) {
    test(`connections whose sql_mode is ${mode} are refused in one sentence, where the server knows it`, async (opened) => {
      if (await isMariadb(opened.pool)) await assertRefused(opened, `sql_mode = '${mode}'`, `sql_mode without ${mode}`);
    });
  }

  test("a given pool's connections are kept after COMMIT and ROLLBACK, whatever their completion_type", async (opened) => {
    const { createPool } = opened;
    const pool = setOn(createPool({ connectionLimit: 1 }), "completion_type = 'RELEASE'");
    const storage = mysqlStorage(pool);
    const id = await connectionId(pool);
    await storage.upsertContacts([contactDraft()]);
    await refusalOf(recordAll(storage, [eventDraft({ eventKey: "é".repeat(60) })]));
    assert.equal((await storage.recordEvents([eventDraft()])).length, 1);
    assert.equal(await connectionId(pool), id);
  });
});

const logging = await database(["--log-bin=binary", "--server-id=1", "--binlog-format=STATEMENT"]);

databaseSuite("a server with a binary log of statements", logging, (test, server) => {
  test("is refused in one sentence", async () => {
    if (process.env["MYSQL_URL"]) return;
    const storage = mysqlStorage(server.url);
    const message = "whodid needs connections with binlog_format = ROW; this one is set otherwise.";
    try {
      await assert.rejects(upsert(storage), { message });
    } finally {
      await storage.close();
    }
  });

  test("is named in one sentence where it became one after the first look", async () => {
    const uri = await server.createDatabase();
    const pool = setOn(mysql.createPool({ uri, connectionLimit: 1 }), "binlog_format = 'ROW'");
    try {
      const [rows] = await pool.query("SELECT @@log_bin AS log");
      // A server that was given may keep none.
      if ((rows as { log: number }[])[0]!.log === 0) return;
      const storage = mysqlStorage(pool);
      await storage.migrate();
      await pool.query("SET SESSION binlog_format = 'STATEMENT'");
      assert.equal(
        (await refusalOf(upsert(storage))).message,
        "whodid needs binlog_format = ROW; this server's is STATEMENT.",
      );
    } finally {
      await pool.end();
    }
  });
});

const unusual = await database([
  "--transaction-isolation=SERIALIZABLE",
  "--innodb-lock-wait-timeout=40",
  "--sql-mode=ONLY_FULL_GROUP_BY",
]);

databaseSuite("a server with other default settings", unusual, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("takes a batch of events of a URL in one transaction, whatever its sql_mode", async ({ open }) => {
    const storage = open();
    await storage.upsertContacts(range(3).map((n) => contactDraft({ email: `${n}@example.com` })));
    const drafts = range(6).map((n) => eventDraft({ contact: { externalId: `${n % 3}@example.com` } }));
    assert.equal((await recordAll(storage, drafts)).length, 6);
    const { events, retries } = storage.stats();
    assert.deepEqual([events.batches, retries], [1, {}]);
  });

  test("with SERIALIZABLE lets no read of a pool made here wait for a contact that somebody holds", async (opened) => {
    const { pool, open } = opened;
    const connection = await pool.getConnection();
    const storage = open();
    // A server that was given is tested as it is.
    const { isolation } = await settingsOf(connection);
    if (!process.env["MYSQL_URL"]) assert.equal(isolation, "SERIALIZABLE");
    await storage.upsertContacts(range(10).map((n) => contactDraft({ email: `${n}@example.com` })));
    await connection.beginTransaction();
    await storage.within(connection).recordEvents([eventDraft({ contact: { email: "0@example.com" } })]);
    const calls = range(10).map((n) => storage.recordEvents([eventDraft({ contact: { email: `${n}@example.com` } })]));
    const held = start(calls[0]!);
    await within(4_000, "the others", Promise.all(calls.slice(1)));
    await connection.commit();
    assert.equal((await held.result).length, 1);
  });
});

async function settingsOf(connection: PoolConnection): Promise<{ wait: number; isolation: string }> {
  const [rows] = await connection.query(
    `SELECT @@SESSION.innodb_lock_wait_timeout AS wait, @@SESSION.${await nameOfIsolation(connection)} AS isolation`,
  );
  return (rows as { wait: number; isolation: string }[])[0]!;
}

/** MySQL 8 has no `tx_isolation`, older MariaDB no other. */
async function nameOfIsolation(connection: PoolConnection): Promise<string> {
  const [rows] = await connection.query("SHOW VARIABLES LIKE 'tx_isolation'");
  return (rows as unknown[]).length > 0 ? "tx_isolation" : "transaction_isolation";
}

/** Has the pool's connections begin with the setting. */
function setOn(pool: Pool, setting: string): Pool {
  pool.pool.on("connection", (connection) => connection.query(`SET SESSION ${setting}`));
  return pool;
}

async function connectionId(pool: Pool): Promise<number> {
  const [rows] = await pool.query("SELECT CONNECTION_ID() AS id");
  return (rows as { id: number }[])[0]!.id;
}

/** Tries a pool with the setting, and a transaction on its connection. */
async function assertRefused({ createPool, storage }: OpenedMysql, setting: string, needed: string): Promise<void> {
  const pool = setOn(createPool({ connectionLimit: 1 }), setting);
  const message = `whodid needs connections with ${needed}; this one is set otherwise.`;
  const findAda = ({ findContact }: Storage): Promise<unknown> =>
    findContact("default", { externalId: "ada@example.com" });
  await assert.rejects(findAda(mysqlStorage(pool)), { message });
  const connection = await pool.getConnection();
  await connection.beginTransaction();
  await assert.rejects(findAda(storage.within(connection)), { message });
}
