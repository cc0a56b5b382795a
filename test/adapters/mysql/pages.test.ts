import assert from "node:assert/strict";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { contactDraft, newIds, workspace } from "../../../adapters/storage-contract/drafts.ts";
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
});

/** Rows read, and on MariaDB those that an index alone has ruled out. */
async function lookedAt(pool: Pool): Promise<number> {
  const [rows] = await pool.query<RowDataPacket[]>(
    "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read%' OR Variable_name = 'Handler_icp_attempts'",
  );
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}
