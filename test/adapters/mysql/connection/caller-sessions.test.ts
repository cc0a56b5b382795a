import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { PoolConnection } from "mysql2";
import type { Connection } from "mysql2/promise";
import { resetOwn } from "../../../../adapters/mysql/connection/session-reset.ts";
import { mysqlStorage, type MysqlStorage } from "../../../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../../../lib/index.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { read } from "../../../support/queries.ts";
import { countPurchases, openShop, purchase } from "../../../support/shop.ts";
import { until } from "../../../support/within.ts";

const server = await database();
const onMysql = mysqlBy(server);

interface Shop extends OpenedMysql {
  tracker: Tracker<Connection>;
  /** Another schema with the same tables. */
  other: OpenedMysql;
}

/** Opens the storage of a test: on a URL, or on a pool. */
type Open = (opened: OpenedMysql) => MysqlStorage;

const kinds: Record<string, Open> = {
  "a URL": ({ open }) => open({}, "?connectionLimit=3"),
  "a given pool": ({ createPool }) => mysqlStorage(createPool({ connectionLimit: 2 })),
};

function inShop(openStorage: Open, run: (shop: Shop) => Promise<void>): Promise<void> {
  return onMysql((opened) =>
    onMysql(async (other) => {
      await openShop(opened);
      const tracker = createTracker({ storage: openStorage(opened) });
      await run({ ...opened, tracker, other });
      await tracker.close();
    }),
  );
}

/** Calls of each kind, more than there are connections. */
async function callEverything(tracker: Tracker<Connection>): Promise<void> {
  const calls = Array.from({ length: 12 }, async (_, index) => {
    if (index % 3 === 0) await tracker.events.track(purchase);
    if (index % 3 === 1) await tracker.contacts.upsert({ email: `${index}é@example.com`, name: "é" });
    if (index % 3 === 2) assert.notEqual(await tracker.contacts.get("ada@example.com"), null);
  });
  await Promise.all(calls);
  await tracker.transaction(async (tx, connection) => {
    await connection.execute("INSERT INTO orders VALUES ()");
    await tx.events.track(purchase);
  });
}

const leavings: Record<string, (shop: Shop) => string> = {
  "another database": ({ other }) => `USE ${new URL(other.url).pathname.slice(1)}`,
  "its access mode read-only": () => "SET SESSION TRANSACTION READ ONLY",
  "another character set": () => "SET NAMES latin1",
  "a setting that statements cannot work with": () => "SET SESSION sql_select_limit = 0",
  "the table locked": () => "LOCK TABLES orders WRITE",
};

databaseSuite({ name: "the session of a transaction's function", atOnce: 4 }, server, (test) => {
  for (const [kind, open] of Object.entries(kinds)) {
    for (const [what, statement] of Object.entries(leavings)) {
      for (const end of ["resolves", "rejects"]) {
        test(`affects no other call on ${kind} if the function leaves ${what} and ${end}`, () =>
          inShop(open, async (shop) => {
            const { tracker, other } = shop;
            const ended = tracker.transaction(async (_, connection) => {
              await connection.query(statement(shop));
              if (end === "rejects") throw new Error("no stock");
            });
            await ended.catch(() => {});
            for (let round = 0; round < 3; round++) await callEverything(tracker);
            assert.equal(await countPurchases(tracker), 15);
            assert.equal((await tracker.contacts.get("1é@example.com"))?.name, "é");
            assert.deepEqual((await createTracker({ storage: other.storage }).contacts.list()).items, []);
          }));
      }
    }
  }

  test("is not used again if mysql2 reports a lost connection by an event of the command", async () => {
    const command = new EventEmitter();
    const isReset = resetOwn({ changeUser: () => command } as unknown as PoolConnection);
    command.emit("error", new Error("Can't write in closed state"));
    await assert.rejects(isReset, /closed state/);
  });

  test("is new for the next function on a URL", () =>
    inShop(kinds["a URL"]!, async ({ tracker }) => {
      const leave = ["SET @mine = 1", "CREATE TEMPORARY TABLE mine (id INT)", "SET SESSION sql_mode = ''"];
      const settings =
        "SELECT CONCAT_WS(' ', IFNULL(@mine, 'none'), @@sql_mode, @@autocommit, @@innodb_lock_wait_timeout, @@character_set_client)";
      const threads = new Set<number>();
      const seen: string[] = [];
      for (let round = 0; round < 3; round++) {
        await tracker.transaction(async (tx, connection) => {
          threads.add(connection.threadId);
          seen.push(String(await read(connection, settings)));
          for (const sql of leave) await connection.query(sql);
          await tx.events.track(purchase);
        });
      }
      assert.match(seen[0]!, /^none .+ (?:0|OFF) 50 utf8mb4$/);
      assert.deepEqual(seen, [seen[0], seen[0], seen[0]]);
      assert.equal(threads.size, 1);
    }));

  test("is not lent again after the server has ended it", async () => {
    let storage: MysqlStorage | undefined;
    const open: Open = (opened) => (storage = kinds["a URL"]!(opened));
    await inShop(open, async ({ tracker, pool }) => {
      const thread = (): Promise<number> => tracker.transaction(async (_, { threadId }) => threadId);
      const ended = await thread();
      const { open: count } = storage!.stats().pool;
      await pool.query(`KILL ${ended}`);
      await until(() => storage!.stats().pool.open < count);
      const before = storage!.stats().retries;
      assert.notEqual(await thread(), ended);
      assert.deepEqual(storage!.stats().retries, before);
    });
  });
});
