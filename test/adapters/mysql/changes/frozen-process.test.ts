import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolConnection, RowDataPacket } from "mysql2/promise";
import { createContact, recordEvent } from "../../../../adapters/storage-contract/calls.ts";
import { logAll } from "../../../../adapters/storage-contract/log.ts";
import { subscriptionDraft } from "../../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { within } from "../../../support/within.ts";

const server = await database();
const passProcess = join(import.meta.dirname, `../../../support/pass-process${extname(import.meta.filename)}`);

/** Resolves when the server runs the statement. */
async function untilRunning(connection: PoolConnection, statement: string): Promise<void> {
  const sql = "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE ?";
  const pattern = `/* whodid:${statement} */%`;
  while ((await connection.query<RowDataPacket[]>(sql, [pattern]))[0].length === 0) await sleep(10);
}

/** Tries again when the locks of another pass were in the way for the whole time of a call. */
async function passAtLast(storage: Storage): Promise<unknown> {
  for (let tries = 0; tries < 4; tries++) {
    const passed = await storage.logChanges().catch(() => null);
    if (passed) return passed;
  }
  return "no pass";
}

databaseSuite({ name: "a process that stands still", atOnce: 2 }, server, (define) => {
  const test = testsOn(define, mysqlBy(server));
  for (const kind of ["URL", "pool"]) {
    test(`within a pass, on a storage of a ${kind}, soon lets others log changes`, async ({ storage, url, pool }) => {
      const connection = await pool.getConnection();
      await storage.putDefinition(subscriptionDraft());
      await createContact(storage);
      await logAll(storage);
      await recordEvent(storage);
      await connection.beginTransaction();
      await connection.query("SELECT id FROM whodid_outbox FOR UPDATE");
      const child = fork(passProcess, [url, kind], { execArgv: [] });
      try {
        await within(60_000, "the pass waiting for the row", untilRunning(connection, "deleteWaiting"));
        child.kill("SIGSTOP");
        await connection.rollback();
        assert.deepEqual(await passAtLast(storage), { logged: 1, more: false });
      } finally {
        child.kill("SIGKILL");
      }
    });
  }
});
