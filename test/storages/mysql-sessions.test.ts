import assert from "node:assert/strict";
import type { PoolConnection } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { start } from "../../adapters/storage-contract/pending.ts";
import { contactDraft, eventDraft } from "../../adapters/storage-contract/drafts.ts";
import { database, databaseSuite, openMysql } from "../support/mysql.ts";
import { refusalOf } from "../support/stopped-tracker.ts";
import { within } from "../support/within.ts";

const server = await database();
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

databaseSuite("sessions", server, (test, server) => {
  test("a given pool's connections come back with their isolation level and lock wait, after writes and refusals", async () => {
    const { pool, dispose } = await openMysql(server, { connectionLimit: 1 });
    pool.pool.on("connection", (connection) => {
      connection.query("SET SESSION innodb_lock_wait_timeout = 37");
      connection.query("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
    });
    // Another than the one that the tables were made on.
    (await pool.getConnection()).destroy();
    const storage = mysqlStorage(pool);
    try {
      await storage.upsertContacts([contactDraft()]);
      await storage.recordEvents([eventDraft()]);
      await storage.updateContact({ ...contactDraft(), externalId: "ada@example.com" });
      assert.equal(
        (await refusalOf(storage.recordEvents([eventDraft({ eventKey: "é".repeat(60) })]))).code,
        "internal",
      );
      const connection = await pool.getConnection();
      const settings = await settingsOf(connection).finally(() => connection.release());
      assert.deepEqual(settings, { wait: 37, isolation: "SERIALIZABLE" });
    } finally {
      await dispose();
    }
  });
});

const serializable = await database(["--transaction-isolation=SERIALIZABLE", "--innodb-lock-wait-timeout=40"]);

databaseSuite("a server whose transactions are SERIALIZABLE by default", serializable, (test, server) => {
  test("lets no read of a pool made here wait for a contact that somebody holds", async () => {
    const { url, pool, dispose } = await openMysql(server);
    const connection = await pool.getConnection();
    const storage = mysqlStorage(url);
    try {
      // A server that was given is tested as it is.
      const { isolation } = await settingsOf(connection);
      if (!process.env["MYSQL_URL"]) assert.equal(isolation, "SERIALIZABLE");
      await storage.upsertContacts(range(10).map((n) => contactDraft({ email: `${n}@example.com` })));
      await connection.beginTransaction();
      await storage.within(connection).recordEvents([eventDraft({ contact: { email: "0@example.com" } })]);
      const calls = range(10).map((n) =>
        storage.recordEvents([eventDraft({ contact: { email: `${n}@example.com` } })]),
      );
      const held = start(calls[0]!);
      await within(4_000, "the others", Promise.all(calls.slice(1)));
      await connection.commit();
      assert.equal((await held.result).length, 1);
    } finally {
      connection.destroy();
      await storage.close();
      await dispose();
    }
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
