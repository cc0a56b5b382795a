import assert from "node:assert/strict";
import type { RowDataPacket } from "mysql2";
import { createContact, recordAll } from "../../../../adapters/storage-contract/calls.ts";
import { at, eventDraft, workspace, rowsUpTo } from "../../../../adapters/storage-contract/drafts.ts";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";

const server = await database();
const slice = { ...rowsUpTo(100), after: null };

databaseSuite("lists of events of a rare key", server, (test) => {
  test("read no events of the contact from before the first or after the last of the key", () =>
    mysqlBy(server)(async ({ createPool }) => {
      const pool = createPool({ connectionLimit: 1 });
      const storage = mysqlStorage(pool);
      await createContact(storage);
      const drafts = Array.from({ length: 2_000 }, (_, n) =>
        eventDraft({ eventKey: n === 900 || n === 903 ? "rare" : "step", createdAt: at + n }),
      );
      await recordAll(storage, drafts);
      for (const [eventKey, found] of [
        ["rare", 2],
        ["unknown", 0],
      ] as const) {
        await pool.query("FLUSH STATUS");
        assert.equal((await storage.listEvents(workspace, "ada@example.com", eventKey, slice))?.rows.length, found);
        const [rows] = await pool.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Handler_read_%'");
        assert.ok(rows.reduce((sum, row) => sum + Number(row["Value"]), 0) < 100);
      }
    }));
});
