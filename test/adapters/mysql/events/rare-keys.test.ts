import assert from "node:assert/strict";
import type { RowDataPacket } from "mysql2";
import { createContact, recordAll } from "../../../../adapters/storage-contract/calls.ts";
import { at, eventDraft, workspace, rowsUpTo } from "../../../../adapters/storage-contract/drafts.ts";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { database, databaseSuite, openMysql } from "../../../support/mysql.ts";

const server = await database();
const slice = { ...rowsUpTo(100), after: null };

databaseSuite("lists of events of a rare key", server, (test) => {
  test("read no events of the contact from before the first or after the last of the key", async () => {
    const opened = await openMysql(server!, { connectionLimit: 1 });
    const storage = mysqlStorage(opened.pool);
    try {
      await createContact(storage);
      const drafts = Array.from({ length: 2_000 }, (_, n) =>
        eventDraft({ eventKey: n === 900 || n === 903 ? "rare" : "step", createdAt: at + n }),
      );
      await recordAll(storage, drafts);
      const rowsRead = async (
        list: () => Promise<{ rows: readonly unknown[] } | null>,
        found: number,
      ): Promise<number> => {
        await opened.pool.query("FLUSH STATUS");
        assert.equal((await list())?.rows.length, found);
        const [rows] = await opened.pool.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Handler_read_%'");
        return rows.reduce((sum, row) => sum + Number(row["Value"]), 0);
      };
      const list = (eventKey: string) => () => storage.listEvents(workspace, "ada@example.com", eventKey, slice);
      assert.ok((await rowsRead(list("rare"), 2)) < 100);
      assert.ok((await rowsRead(list("unknown"), 0)) < 100);
    } finally {
      await storage.close();
      await opened.dispose();
    }
  });
});
