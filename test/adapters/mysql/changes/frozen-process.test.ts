import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RowDataPacket } from "mysql2/promise";
import { createContact, recordEvent } from "../../../../adapters/storage-contract/calls.ts";
import { logAll } from "../../../../adapters/storage-contract/log.ts";
import { subscriptionDraft, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import { idsOf, progressOf, take } from "../../../../adapters/storage-contract/taking.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { until } from "../../../support/within.ts";

const server = await database();
const triesMax = 5;
const callProcess = join(import.meta.dirname, `../../../support/call-process${extname(import.meta.filename)}`);

/**
 * Stops a process amid a call, when the server is in the state `at` or runs the statement of that name. Then runs `run`. On a busy
 * machine the call can have gone on before the process stands still; then another process makes it.
 */
async function whileStopped(
  { url, pool }: OpenedMysql,
  kind: string,
  { method, args, at }: { method: keyof Storage; args: readonly unknown[]; at: string },
  run: () => Promise<void>,
): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const sql = "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND (STATE = ? OR INFO LIKE ?)";
    const [rows] = await pool.query<RowDataPacket[]>(sql, [at, `/* whodid:${at} */%`]);
    return rows.length > 0;
  };
  let isInTime = false;
  for (let tries = 0; !isInTime; tries++) {
    assert.ok(tries < triesMax, "a process was stopped in time");
    const child = fork(callProcess, [url, kind, method, JSON.stringify(args)], { execArgv: [] });
    try {
      await until(async () => child.exitCode !== null || (await isThere()));
      child.kill("SIGSTOP");
      isInTime = await isThere();
      if (isInTime) await run();
    } finally {
      child.kill("SIGKILL");
    }
  }
}

/** Tries again when the locks of another pass were in the way for the whole time of a call. */
async function passAtLast(storage: Storage): Promise<unknown> {
  for (let tries = 0; tries < 4; tries++) {
    const passed = await storage.logChanges().catch(() => null);
    if (passed) return passed;
  }
  return "no pass";
}

/** The ids of the changes that can be taken, once there are some. */
async function takenAtLast(storage: Storage): Promise<string[]> {
  for (let tries = 0; tries < 100; tries++, await sleep(200)) {
    const ids = idsOf(await take(storage));
    if (ids.length > 0) return ids;
  }
  return [];
}

databaseSuite({ name: "a process that stands still", atOnce: 6 }, server, (define) => {
  const test = testsOn(define, mysqlBy(server));
  for (const kind of ["URL", "pool"]) {
    test(`within a pass, on a storage of a ${kind}, soon lets others log changes`, async (opened) => {
      const { storage, pool } = opened;
      const connection = await pool.getConnection();
      await storage.putDefinition(subscriptionDraft());
      await createContact(storage);
      await logAll(storage);
      await recordEvent(storage);
      await connection.beginTransaction();
      await connection.query("SELECT id FROM whodid_outbox FOR UPDATE");
      await whileStopped(opened, kind, { method: "logChanges", args: [], at: "deleteWaiting" }, async () => {
        await connection.rollback();
        assert.deepEqual(await passAtLast(storage), { logged: 1, more: false });
      });
    });

    for (const doing of ["taking changes", "renewing a lease"]) {
      test(`while ${doing}, on a storage of a ${kind}, soon lets others take them`, async (opened) => {
        const { storage, pool } = opened;
        await storage.putDefinition(subscriptionDraft());
        await createContact(storage);
        const request = { token: "a", leaseMs: 0, limit: 1, maxBytes: 1_000 };
        const taken = await take(storage, request);
        // The process is stopped in these seconds.
        await pool.query(
          `CREATE TRIGGER slow BEFORE UPDATE ON whodid_slots FOR EACH ROW
SET @slept = SLEEP(IF(NEW.slot = ${taken.slots[0]!.slot}, 3, 0))`,
        );
        const call =
          doing === "taking changes"
            ? ({ method: "takeChanges", args: [workspace, "all", request] } as const)
            : ({ method: "acknowledge", args: [workspace, [progressOf(taken, "a", { leaseMs: 0 })]] } as const);
        await whileStopped(opened, kind, { ...call, at: "User sleep" }, async () => {
          assert.deepEqual(await takenAtLast(storage), idsOf(taken));
        });
      });
    }
  }
});
