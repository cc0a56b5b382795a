import assert from "node:assert/strict";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { contactDraft, eventDraft, newIds, workspace } from "../../../adapters/storage-contract/drafts.ts";
import { database, databaseSuite, openMysql } from "../../support/mysql.ts";

const total = 8_192;

databaseSuite("pages on MySQL", await database(), (test, server) => {
  test("a page of contacts looks at no more than its own, wherever it begins", async () => {
    const { storage, url, dispose } = await openMysql(server);
    // What a connection has read is counted by connection.
    const pool = mysql.createPool({ uri: url, connectionLimit: 1 });
    try {
      const ids = newIds(total);
      await storage.upsertContacts(
        ids.map((id, n) => contactDraft({ id, email: `${n}@example.com`, at: 1_700_000_000_000 + n })),
      );
      await pool.query("ANALYZE TABLE whodid_contacts");
      const counting = mysqlStorage(pool);
      for (const at of [0, 0.1, 0.5, 0.9].map((share) => Math.floor(share * total))) {
        const after = at === 0 ? null : { createdAt: 1_700_000_000_000 + at - 1, id: ids[at - 1]! };
        await pool.query("FLUSH STATUS");
        const page = await counting.listContacts(workspace, { limit: 100, after });
        assert.deepEqual([page[0]!.id, page.length], [ids[at], 100]);
        const looked = await lookedAt(pool);
        assert.ok(looked < 1_000, `${looked} rows are looked at for the page at ${at}`);
      }
    } finally {
      await pool.end();
      await dispose();
    }
  });

  test("a page of usage reads the summaries of its own keys alone, wherever it begins", async () => {
    const { storage, url, dispose } = await openMysql(server);
    const pool = mysql.createPool({ uri: url, connectionLimit: 1 });
    try {
      const emails = Array.from({ length: 64 }, (_, n) => `${n}@example.com`);
      await storage.upsertContacts(emails.map((email) => contactDraft({ email })));
      const keys = Array.from({ length: 64 }, (_, n) => `step ${String(n).padStart(2, "0")}`);
      for (const eventKey of keys) {
        await storage.recordEvents(emails.map((email) => eventDraft({ contact: { email }, eventKey })));
      }
      await pool.query("ANALYZE TABLE whodid_summaries");
      const counting = mysqlStorage(pool);
      for (const after of [null, "step 31", "step 60"]) {
        await pool.query("FLUSH STATUS");
        const page = await counting.listEventUsage(workspace, after, 2);
        assert.deepEqual(
          page.map(({ eventKey, contacts }) => [eventKey, contacts]),
          keys
            .filter((key) => after === null || key > after)
            .slice(0, 2)
            .map((key) => [key, 64]),
        );
        const looked = await lookedAt(pool);
        assert.ok(looked < 200, `${looked} rows are looked at for the page after ${after}`);
      }
    } finally {
      await pool.end();
      await dispose();
    }
  });

  test("a page of recorded events reads no more of other workspaces than it has room for", async () => {
    const { storage, url, dispose } = await openMysql(server);
    const pool = mysql.createPool({ uri: url, connectionLimit: 1 });
    try {
      for (const at of ["other", workspace]) await storage.upsertContacts([contactDraft({ workspace: at })]);
      await storage.recordEvents(Array.from({ length: 500 }, () => eventDraft({ workspace: "other" })));
      await storage.recordEvents([eventDraft()]);
      await pool.query("ANALYZE TABLE whodid_events");
      const counting = mysqlStorage(pool);
      await pool.query("FLUSH STATUS");
      const { events, next } = await counting.listRecorded(workspace, null, 10);
      assert.deepEqual([events.length, next !== null], [0, true]);
      const looked = await lookedAt(pool);
      assert.ok(looked < 60, `${looked} rows are looked at`);
    } finally {
      await pool.end();
      await dispose();
    }
  });
});

/** Rows read, and on MariaDB those that an index alone has ruled out. */
async function lookedAt(pool: Pool): Promise<number> {
  const [rows] = await pool.query<RowDataPacket[]>(
    "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read%' OR Variable_name = 'Handler_icp_attempts'",
  );
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}
