import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { RowDataPacket } from "mysql2/promise";
import { failFirst } from "../../../../adapters/storage-contract/taking.ts";
import { recordEvent } from "../../../../adapters/storage-contract/calls.ts";
import { fillWorkspace } from "../../../../adapters/storage-contract/content.ts";
import { removeAll } from "../../../../adapters/storage-contract/workspaces/deletion.ts";
import { createTracker, TrackerError } from "../../../../lib/index.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

/** Every row of every table, but for the end of the log. */
async function rowsOf({ pool }: OpenedMysql): Promise<Record<string, unknown>> {
  const [tables] = await pool.query<RowDataPacket[]>(
    "SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1",
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of tables as { name: string }[]) {
    const [found] = await pool.query<RowDataPacket[]>(`SELECT * FROM ${name}`);
    if (name !== "whodid_change_heads") rows[name] = found.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}

databaseSuite({ name: "deleted workspaces in mysql", atOnce: 3 }, await database(), (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("a deletion leaves no row in any table, and all rows of another workspace", async (opened) => {
    const { storage } = opened;
    await fillWorkspace(storage, "other");
    while ((await storage.logChanges()).more);
    const before = await rowsOf(opened);
    await fillWorkspace(storage, "acme");
    await failFirst(storage, null);
    await recordEvent(storage, { workspace: "acme" });
    const filled = await rowsOf(opened);
    const unchanged = Object.keys(before).filter((table) => {
      return (before[table] as unknown[]).length === (filled[table] as unknown[]).length;
    });
    assert.deepEqual(unchanged, ["whodid_migrations", "whodid_salts"]);
    await storage.markDeleted("acme", 1);
    await removeAll(storage, "acme");
    assert.deepEqual(await rowsOf(opened), before);
  });

  test("writers of other storages are refused, and none of their rows is left behind", async (opened) => {
    const before = await rowsOf(opened);
    const others = Array.from({ length: 3 }, () => opened.open({ cacheSeconds: 1 }));
    const tracker = createTracker({ storage: opened.storage });
    const codes: string[] = [];
    let count = 0;
    const write = async (storage: (typeof others)[number], writer: number): Promise<void> => {
      const { contacts, events } = createTracker({ storage }).workspace("acme");
      for (let n = 0; ; n++) {
        const email = `c${writer}-${n}@example.com`;
        await contacts.upsert({ email });
        count++;
        await events.track({ externalId: email, eventKey: "step" }).catch((error: unknown) => {
          // The deletion has removed the contact meanwhile.
          if ((error as TrackerError).code !== "contact_not_found") throw error;
        });
      }
    };
    const writing = others.map((storage, writer) =>
      write(storage, writer).catch((error: unknown) => void codes.push((error as TrackerError).code)),
    );
    while (count < 50) await sleep(20);
    const { contacts } = await tracker.workspaces.delete("acme");
    await Promise.all(writing);
    assert.deepEqual(codes, ["workspace_deleted", "workspace_deleted", "workspace_deleted"]);
    assert.equal(contacts, count);
    assert.deepEqual(await rowsOf(opened), before);
  });
});
