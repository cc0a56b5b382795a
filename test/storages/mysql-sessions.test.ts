import assert from "node:assert/strict";
import type { PoolConnection } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { contactDraft, eventDraft, workspace } from "../../adapters/storage-contract/drafts.ts";
import type { ContactRow } from "../../lib/storage.ts";
import { database, databaseSuite, openMysql } from "../support/mysql.ts";
import { refusalOf } from "../support/stopped-tracker.ts";

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
      assert.deepEqual(await settingsOf(connection), { wait: 37, isolation: "SERIALIZABLE" });
      connection.release();
    } finally {
      await dispose();
    }
  });

  test("two storages on one database are never told of a deadlock, and every summary equals a recount", async () => {
    const { url, storage, pool, dispose } = await openMysql(server);
    const storages = [mysqlStorage(url), storage];
    try {
      const emails = range(12).map((n) => `${n}@example.com`);
      await Promise.all(
        storages.map(async (each, who) => {
          for (let round = 0; round < 25; round++) {
            // Each in an order of its own.
            const order = who === 0 ? emails : emails.toReversed();
            const fields = { externalId: `u_${who}_${round}`, name: `${who}` };
            await Promise.all([
              ...order.map((email) =>
                each.upsertContacts([contactDraft({ email, fields: { name: `${who} ${round}` } })]),
              ),
              ...order.map((email) =>
                each.recordEvents([eventDraft({ contact: { email }, eventKey: `step ${round % 3}` })]),
              ),
              each.upsertContacts(order.map((name) => contactDraft({ email: `${round} ${name}` }))),
              each.upsertContacts([contactDraft({ email: emails[round % 12]!, fields })]),
              each.recordEvents(order.map((email) => eventDraft({ contact: { email } }))),
            ]);
          }
        }),
      );
      const [wrong] = await pool.query(
        `SELECT * FROM (SELECT contact_id, event_key, event_count, first_at, last_at FROM whodid_summaries
         UNION ALL SELECT contact_id, event_key, COUNT(*), MIN(created_at), MAX(created_at) FROM whodid_events GROUP BY 1, 2) both_ways
         GROUP BY 1, 2, 3, 4, 5 HAVING COUNT(*) <> 2`,
      );
      assert.deepEqual(wrong, []);
      const contacts = await storage.listContacts(workspace, { limit: 1_000, after: null });
      assert.equal(contacts.length, 12 + 25 * 12);
      assert.equal(new Set(contacts.map(({ email }: ContactRow) => email)).size, contacts.length);
    } finally {
      await storages[0]!.close();
      await dispose();
    }
  });
});

const serializable = await database(["--transaction-isolation=SERIALIZABLE", "--innodb-lock-wait-timeout=40"]);

databaseSuite("a server whose transactions are SERIALIZABLE by default", serializable, (test, server) => {
  test("lets two storages with pools of their own write all that they are asked for at once", async () => {
    const { url, pool, dispose } = await openMysql(server);
    const [rows] = await pool.query("SELECT @@GLOBAL.innodb_lock_wait_timeout AS wait");
    // Unless a server was given, which is tested as it is.
    if (!process.env["MYSQL_URL"]) assert.deepEqual(rows, [{ wait: 40 }]);
    const storages = [mysqlStorage(url), mysqlStorage(url)];
    try {
      await storages[0]!.upsertContacts(range(10).map((n) => contactDraft({ email: `${n}@example.com` })));
      await Promise.all(
        storages.flatMap((each, who) =>
          range(200).flatMap((n) => [
            each.recordEvents([eventDraft({ contact: { email: `${n % 10}@example.com` } })]),
            each.upsertContacts([contactDraft({ email: `${who} ${n}@example.com` })]),
          ]),
        ),
      );
      const contact = await storages[0]!.findContact(workspace, "0@example.com");
      assert.equal((await storages[1]!.findSummaries(workspace, contact!.id))[0]?.count, 40);
    } finally {
      for (const each of storages) await each.close();
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
