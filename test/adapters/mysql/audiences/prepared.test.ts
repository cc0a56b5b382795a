import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { contactDraft, eventDraft, workspace, wholeList } from "../../../../adapters/storage-contract/drafts.ts";
import type { Condition } from "../../../../lib/storage/rows.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { within } from "../../../support/within.ts";

const started = await database(["--max-prepared-stmt-count=200"]);

databaseSuite("a server that keeps 200 prepared statements", started, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test(
    "answers audiences of 400 shapes, and keeps none of their statements",
    async ({ storage, pool }) => {
      await storage.upsertContacts([contactDraft({ email: "ada@example.com" })]);
      await storage.recordEvents([eventDraft({ contact: { email: "ada@example.com" }, eventKey: "step" })]);
      const before = await preparedCount(pool);
      for (let shape = 0; shape < 400; shape++) {
        const condition = conditionOf(shape);
        for (const [asked, members] of [
          [condition, 1],
          [{ not: condition }, 0],
        ] as const) {
          assert.equal(await storage.countMembers(workspace, asked), members);
          assert.equal((await storage.listMembers(workspace, asked, wholeList)).rows.length, members);
        }
      }
      const kept = (await preparedCount(pool)) - before;
      assert.ok(kept < 20, `${kept} statements are kept`);
    },
    { connectionLimit: 2 },
  );

  test("makes a call storage_unavailable when it has no room, which frees what the call's connection kept", async (opened) => {
    const { url, pool, open } = opened;
    const storage = open({}, "?connectionLimit=1");
    // The driver closes the first of 16,001 statements by default: on a server that allows more, it would never be full.
    const other = await mysql.createConnection({ uri: url, maxPreparedStatements: 100_000 });
    await storage.findContact(workspace, { externalId: "ada@example.com" });
    await storage.listApiKeys(workspace);
    const full = await fill(other, pool);
    const refusal = await refusalOf(storage.listContacts(workspace, wholeList));
    assert.deepEqual([refusal.code, (refusal.cause as { errno?: number }).errno], ["storage_unavailable", 1461]);
    await within(5_000, "fewer statements", isBelow(pool, full - 1));
    assert.deepEqual((await storage.listContacts(workspace, wholeList)).rows, []);
    other.destroy();
  });
});

const count = (eventKey: string, from: number | null, to: number | null): Condition => ({
  eventKey,
  field: "count",
  from,
  to,
});
const parts = [count("step", 1, null), count("step", null, 9), { not: count("other", 1, null) }] as const;

/** True of whoever did "step" once and nothing else; of another shape for each number up to 728. */
function conditionOf(shape: number): Condition {
  const digits = Array.from({ length: 6 }, (_, place) => Math.floor(shape / 3 ** place) % 3);
  return { all: [parts[0], ...digits.map((digit) => parts[digit]!)] };
}

async function preparedCount(pool: Pool): Promise<number> {
  const [rows] = await pool.query<RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'");
  return Number(rows[0]!["Value"]);
}

/** Prepares until the server refuses; resolves with how many there then are. */
async function fill(connection: mysql.Connection, pool: Pool): Promise<number> {
  for (let n = 0; ; n++) {
    try {
      await connection.prepare(`SELECT ${n}`);
    } catch (error) {
      assert.equal((error as { errno?: number }).errno, 1461);
      return preparedCount(pool);
    }
  }
}

async function isBelow(pool: Pool, limit: number): Promise<void> {
  while ((await preparedCount(pool)) >= limit) await sleep(20);
}
