import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../../../adapters/mysql/index.ts";
import { start } from "../../../../adapters/storage-contract/pending.ts";
import { workspace, wholeList, rowsUpTo } from "../../../../adapters/storage-contract/drafts.ts";
import type { Condition } from "../../../../lib/storage/rows.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { suite, testsOn } from "../../../support/suite.ts";
import { within } from "../../../support/within.ts";

const started = await database();

const anyStep: Condition = { eventKey: "step", field: "count", from: 1, to: null };

suite("the time of an audience", (test) => {
  test("is an option from 1 to 3,600 seconds", () => {
    const withOption = (audienceTimeoutSeconds: number): MysqlStorage =>
      mysqlStorage("mysql://nobody@127.0.0.1:1/nowhere", { audienceTimeoutSeconds });
    for (const seconds of [0, 0.9, 3_601, NaN, -1]) assert.throws(() => withOption(seconds), RangeError);
    for (const seconds of [1, 1.5, 3_600]) withOption(seconds);
  });
});

databaseSuite({ name: "timeouts", atOnce: 6 }, started, (define, server) => {
  const test = testsOn(define, blocked);
  const onMysql = mysqlBy(server);
  /** Runs the test while a connection keeps every query of contacts and summaries waiting, until `release`. */
  function blocked(run: (opened: OpenedMysql, release: () => Promise<void>) => Promise<void>): Promise<void> {
    return onMysql(async (opened) => {
      const blocker = await opened.pool.getConnection();
      await blocker.query("LOCK TABLES whodid_contacts WRITE, whodid_summaries WRITE");
      const release = async (): Promise<void> => void (await blocker.query("UNLOCK TABLES"));
      await run(opened, release).finally(() => blocker.destroy());
    });
  }

  const options = { audienceTimeoutSeconds: 1 };
  for (const [what, openStorage] of Object.entries({
    "a pool that was given": ({ pool }: OpenedMysql) => mysqlStorage(pool, options),
    "a URL's pool": ({ open }: OpenedMysql) => open(options),
  })) {
    define(`eight audiences that take too long leave no query on the server: ${what}`, () =>
      onMysql(async (opened) => {
        const storage = openStorage(opened);
        await addSummaries(opened.pool);
        const counts = Array.from({ length: 8 }, () => refusalOf(storage.countMembers(workspace, slow)));
        const codes = (await within(15_000, "refusals", Promise.all(counts))).map(({ code }) => code);
        assert.deepEqual(new Set(codes), new Set(["storage_unavailable"]));
        await within(20_000, "no query left", noneIsRunning(opened.pool));
      }),
    );
  }

  test("an audience may take longer than another read", async ({ storage }, release) => {
    const count = start(storage.countMembers(workspace, anyStep));
    assert.equal((await refusalOf(storage.listContacts(workspace, wholeList))).code, "storage_unavailable");
    assert.equal(count.isSettled(), false);
    await release();
    assert.equal(await count.result, 0);
  });

  test("so may the usage of event keys", async ({ storage }, release) => {
    const usage = start(storage.listEventUsage(workspace, null, rowsUpTo(10)));
    assert.equal((await refusalOf(storage.listContacts(workspace, wholeList))).code, "storage_unavailable");
    assert.equal(usage.isSettled(), false);
    await release();
    assert.deepEqual(await usage.result, { rows: [], more: false });
  });

  test("the server ends a query, not the connection, whose owner's own limit stays", async ({ createPool }) => {
    const pool = createPool({ connectionLimit: 1 });
    // The server's limit is half a second shorter than the one that ends the connection, and a busy server is late.
    const storage = mysqlStorage(pool, { audienceTimeoutSeconds: 5 });
    const [found] = await pool.query<RowDataPacket[]>("SHOW VARIABLES LIKE 'max\\_%\\_time'");
    const name = String(found[0]!["Variable_name"]);
    await pool.query(`SET SESSION ${name} = 7777`);
    const ofSession = async (): Promise<unknown> =>
      (await pool.query(`SELECT CONNECTION_ID() AS id, @@SESSION.${name} AS time`))[0];
    const before = await ofSession();
    assert.equal((await refusalOf(storage.countMembers(workspace, anyStep))).code, "storage_unavailable");
    assert.deepEqual(await ofSession(), before);
  });

  test("a pool's owner may end it while an audience is read", async ({ url, pool }, release) => {
    const ending = mysql.createPool(url);
    const count = start(mysqlStorage(ending).countMembers(workspace, anyStep));
    await within(20_000, "a query", someAreRunning(pool));
    const ended = ending.end();
    await release();
    assert.equal(await count.result, 0);
    await ended;
  });

  test("an audience whose connection the server ends is asked again", async ({ storage, pool }, release) => {
    const count = start(storage.countMembers(workspace, anyStep));
    const ended: number[] = [];
    while (ended.length < 3) {
      // One that was ended is listed for a moment still.
      const [id] = await within(20_000, "a query", someAreRunning(pool, ended));
      await pool.query(`KILL ${id}`);
      ended.push(id!);
    }
    await release();
    assert.equal(await count.result, 0);
  });
});

/** Looks at 49 summaries of every contact who did "step": takes many seconds for 65,536 of them. */
const slow: Condition = {
  all: [anyStep, { not: { all: Array.from({ length: 49 }, (_, n) => ({ ...anyStep, eventKey: `other${n}` })) } }],
};

/** Of contacts that there are none of, which a count does not ask. */
async function addSummaries(pool: Pool): Promise<void> {
  const connection = await pool.getConnection();
  try {
    const columns = "contact_id, event_key, workspace, event_count, first_at, last_at";
    await connection.query("SET foreign_key_checks = 0");
    await connection.query(
      `INSERT INTO whodid_summaries (${columns}) VALUES (UNHEX(REPEAT('0', 32)), 'step', '${workspace}', 1, 0, 0)`,
    );
    for (let doubling = 0; doubling < 16; doubling++) {
      await connection.query(`INSERT INTO whodid_summaries (${columns})
SELECT UNHEX(LEFT(SHA2(CONCAT(HEX(contact_id), ${doubling}), 256), 32)), event_key, workspace, 1, 0, 0 FROM whodid_summaries`);
    }
  } finally {
    connection.destroy();
  }
}

/** The connections on which a query runs; the check of a new connection is not meant. */
async function idsOf(pool: Pool): Promise<number[]> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT ID AS id FROM information_schema.PROCESSLIST
     WHERE DB = DATABASE() AND INFO LIKE '/* whodid:%' AND INFO NOT LIKE '/* whodid:probe%'`,
  );
  return rows.map(({ id }) => Number(id));
}

async function noneIsRunning(pool: Pool): Promise<void> {
  while ((await idsOf(pool)).length > 0) await sleep(20);
}

async function someAreRunning(pool: Pool, except: readonly number[] = []): Promise<number[]> {
  for (;;) {
    const ids = (await idsOf(pool)).filter((id) => !except.includes(id));
    if (ids.length > 0) return ids;
    await sleep(20);
  }
}
