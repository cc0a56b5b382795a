import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { createPool as createCallbackPool } from "mysql2";
import mysql from "mysql2/promise";
import { mysqlStorage, type MysqlPool } from "../../../../adapters/mysql/index.ts";
import { start } from "../../../../adapters/storage-contract/pending.ts";
import { createTracker, TrackerError } from "../../../../lib/index.ts";
import { database, mysqlBy } from "../../../support/mysql.ts";
import { refusalOf, untyped } from "../../../support/stopped-tracker.ts";
import { suite, testsOn } from "../../../support/suite.ts";
import { within } from "../../../support/within.ts";
import { withoutPackage } from "../../../support/without-package.ts";

const execute = promisify(execFile);
const server = await database();

/** What the first use of a storage on the pool rejects with. */
async function refusalOfPool(pool: MysqlPool): Promise<string> {
  const rejected = await mysqlStorage(pool)
    .findContact("default", { externalId: "ada@example.com" })
    .then(
      () => "",
      (error: unknown) => String(error),
    );
  await new Promise<void>((resolve) => ("promise" in pool ? pool.end(() => resolve()) : void pool.end().then(resolve)));
  return rejected;
}

suite({ name: "mysql pools", atOnce: 18 }, (define) => {
  const test = testsOn(define, mysqlBy(server));
  define("a storage does nothing until it is used", async () => {
    const storage = mysqlStorage("mysql://nobody@127.0.0.1:1/nowhere");
    assert.equal((await refusalOf(storage.findContact("default", { externalId: "a" }))).code, "storage_unavailable");
    await storage.close();
    await mysqlStorage("mysql://nobody@127.0.0.1:1/nowhere").close();
  });

  define("a URL without the package mysql2 says in one line how to install it", async () => {
    const program = `
      import { mysqlStorage } from ${JSON.stringify(import.meta.resolve("../../../../adapters/mysql/index.js"))};
      const storage = mysqlStorage("mysql://nobody@127.0.0.1:1/nowhere");
      await storage.findContact("default", { externalId: "a" }).catch((error) => console.log(String(error)));
      await storage.close();`;
    const { stdout } = await execute(process.execPath, [
      "--import",
      withoutPackage("mysql2"),
      "--input-type=module",
      "--eval",
      program,
    ]);
    assert.equal(stdout, "Error: whodid needs the package mysql2 for a database URL: npm i mysql2\n");
  });

  for (const [what, given] of Object.entries({
    "a variable that is not set": undefined,
    "an empty text": "",
    "a host": "127.0.0.1",
    options: { host: "127.0.0.1" },
  })) {
    define(`anything but a URL or a pool is refused at first use, in one line: ${what}`, async () => {
      const storage = mysqlStorage(untyped(given));
      const message = "mysqlStorage takes a URL or a pool of mysql2.";
      await assert.rejects(storage.findContact("default", { externalId: "a" }), { name: "TypeError", message });
      await storage.close();
    });
  }

  define("a table prefix is letters, digits and underscores", () => {
    for (const tablePrefix of ["a b", "a`", "a;", "é", "a".repeat(41)]) {
      assert.throws(() => mysqlStorage("mysql://nobody@127.0.0.1:1/nowhere", { tablePrefix }), RangeError);
    }
  });

  define("a server that does not answer is storage_unavailable after 5 s", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    const pool = mysql.createPool(`mysql://nobody@127.0.0.1:${port}/nowhere`);
    const call = start(refusalOf(mysqlStorage(pool).findContact("default", { externalId: "a" })));
    await pause(4_900);
    assert.equal(call.isSettled(), false);
    assert.equal((await within(20_000, "a refusal", call.result)).code, "storage_unavailable");
    pool.pool.end(() => {});
    silent.close();
  });

  define("a storage is closed while a server still does not answer, whatever becomes of the connection", async () => {
    for (const isReset of [false, true]) {
      const accepted: Socket[] = [];
      const silent = createServer((socket) => void accepted.push(socket.resume())).listen(0, "127.0.0.1");
      await once(silent, "listening");
      const { port } = silent.address() as { port: number };
      const storage = mysqlStorage(`mysql://nobody@127.0.0.1:${port}/nowhere`);
      assert.equal((await refusalOf(storage.findContact("default", { externalId: "a" }))).code, "storage_unavailable");
      const closing = storage.close();
      if (isReset) for (const socket of accepted) socket.resetAndDestroy();
      await closing.finally(() => silent.close());
    }
  });

  if (!server) return;

  test("a pool with and without promises, and a URL, keep the same contacts", async ({ url, pool }) => {
    const callbackPool = createCallbackPool(url);
    for (const storage of [mysqlStorage(pool), mysqlStorage(callbackPool), mysqlStorage(url)]) {
      const tracker = createTracker({ storage });
      await tracker.contacts.upsert({ email: "ada@example.com" });
      assert.equal((await tracker.contacts.list()).items.length, 1);
      await tracker.close();
    }
    callbackPool.end(() => {});
  });

  test("a pool that was given stays open, and a URL's connections are ended", async ({ url, pool, storage }) => {
    const other = mysqlStorage(url);
    await other.findContact("default", { externalId: "a" });
    const connections = async (): Promise<number> => {
      const [rows] = await pool.query("SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE DB = DATABASE()");
      return (rows as { n: number }[])[0]!.n;
    };
    const before = await connections();
    await other.close();
    while ((await connections()) >= before) await new Promise((resolve) => setTimeout(resolve, 10));
    await storage.close();
    await pool.query("SELECT 1");
  });

  test("a call on a full pool that was given is storage_unavailable after 5 s, also behind another one", async (opened) => {
    const { url, storage } = opened;
    const pool = mysql.createPool({ uri: url, connectionLimit: 1 });
    const tracker = createTracker({ storage: mysqlStorage(pool) });
    await createTracker({ storage }).contacts.upsert({ email: "ada@example.com" });
    const connection = await pool.getConnection();
    const calls: (() => Promise<unknown>)[] = [
      () => tracker.checklists.list(),
      () => tracker.events.track({ externalId: "ada@example.com", eventKey: "step" }),
      () => tracker.contacts.upsert({ email: "bob@example.com" }),
      () => tracker.contacts.update("ada@example.com", { plan: "pro" }),
      () => tracker.transaction(async () => {}),
    ];
    const all: ReturnType<typeof refusalOf>[] = [];
    for (let round = 0; round < 3; round++) {
      all.push(...calls.map((call) => refusalOf(call())));
      await pause(500);
    }
    // If each waited for the one before it, they would take a minute.
    for (const { code } of await within(30_000, "all refusals", Promise.all(all)))
      assert.equal(code, "storage_unavailable");
    connection.release();
    await pool.end();
  });

  test("many updates that wait for a full pool set a few timers each", async ({ url }) => {
    const pool = mysql.createPool({ uri: url, connectionLimit: 1 });
    const tracker = createTracker({ storage: mysqlStorage(pool) });
    const connection = await pool.getConnection();
    const original = globalThis.setTimeout;
    let timers = 0;
    globalThis.setTimeout = ((...args: Parameters<typeof original>) => (
      timers++,
      original(...args)
    )) as typeof original;
    try {
      const names = Array.from({ length: 150 }, (_, index) => [`${index}@example.com`, "ada@example.com"]).flat();
      const updates = names.map((name) => refusalOf(tracker.contacts.update(name, { plan: "pro" })));
      for (const { code } of await Promise.all(updates)) assert.equal(code, "storage_unavailable");
    } finally {
      globalThis.setTimeout = original;
      connection.release();
      await pool.end();
    }
    assert.ok(timers < 300 * 10, String(timers));
  });

  test("two prefixes keep two sets of tables in one schema", async ({ storage, pool }) => {
    const other = mysqlStorage(pool, { tablePrefix: "other_" });
    await other.migrate();
    await createTracker({ storage }).contacts.upsert({ email: "ada@example.com" });
    assert.equal(await other.findContact("default", { externalId: "ada@example.com" }), null);
  });

  test("a pool that is not utf8mb4 is refused at first use, in one line", async ({ url }) => {
    const line = "Error: whodid needs connections whose charset is utf8mb4; this pool's is another.";
    assert.equal(await refusalOfPool(createCallbackPool({ uri: url, charset: "latin1" })), line);
    assert.equal(await refusalOfPool(mysql.createPool({ uri: url, charset: "UTF8_GENERAL_CI" })), line);
    const renamed = mysql.createPool(url);
    renamed.pool.on("connection", (connection) => connection.query("SET NAMES latin1"));
    assert.equal(await refusalOfPool(renamed), line);
  });

  test("a pool with autocommit off is refused at first use, in one line", async ({ url }) => {
    const pool = mysql.createPool(url);
    pool.pool.on("connection", (connection) => connection.query("SET autocommit = 0"));
    const line = "Error: whodid needs a pool whose connections have autocommit on; this one's have it off.";
    assert.equal(await refusalOfPool(pool), line);
  });

  test("a pool without a free connection is storage_unavailable after 5 s, and a late one goes back", async (opened) => {
    const { url } = opened;
    const pool = mysql.createPool({ uri: url, connectionLimit: 1 });
    const storage = mysqlStorage(pool);
    const taken = await pool.getConnection();
    assert.equal((await refusalOf(storage.findContact("default", { externalId: "a" }))).code, "storage_unavailable");
    taken.release();
    assert.equal(await storage.findContact("default", { externalId: "a" }), null);
    await pool.end();
  });

  test("connections that the server has ended do not fail a call", async ({ url, pool }) => {
    const tracker = createTracker({ storage: mysqlStorage(url) });
    await Promise.all(Array.from({ length: 10 }, (_, n) => tracker.contacts.upsert({ email: `${n}@example.com` })));
    const [rows] = await pool.query(
      "SELECT ID AS id FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()",
    );
    for (const { id } of rows as { id: number }[]) await pool.query(`KILL ${id}`).catch(() => {});
    await Promise.all(Array.from({ length: 10 }, (_, n) => tracker.contacts.upsert({ email: `${n}@example.com` })));
    assert.equal((await tracker.contacts.list()).items.length, 10);
    await tracker.close();
  });

  test("an error of the database keeps its code, errno and sqlState, and no value and no SQL", async (opened) => {
    const { storage, pool } = opened;
    await pool.query("DROP TABLE whodid_api_keys");
    const error = await refusalOf(storage.findApiKey("5e".repeat(32)));
    assert.ok(error instanceof TrackerError);
    assert.deepEqual([error.code, error.message], ["internal", "A table is missing: call the storage's migrate()."]);
    const cause = error.cause as Error;
    assert.deepEqual(Object.fromEntries(Object.entries(cause)), {
      code: "ER_NO_SUCH_TABLE",
      errno: 1146,
      sqlState: "42S02",
    });
    assert.equal(cause.message, "ER_NO_SUCH_TABLE");
  });
});
