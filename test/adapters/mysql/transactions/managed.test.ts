import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import mysql from "mysql2";
import type { Connection, PoolConnection } from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../../../adapters/mysql/index.ts";
import { createTracker, type InTransaction, type Tracker } from "../../../../lib/index.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { proxiedBy, type Proxied } from "../../../support/proxied.ts";
import { read } from "../../../support/queries.ts";
import { countsOf, openShop, purchase } from "../../../support/shop.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { within } from "../../../support/within.ts";

const server = await database();
const proxied = proxiedBy(server);

interface Shop extends Proxied {
  /** Writes an order and its event, and whatever `more` does, in one transaction. */
  order(more?: (connection: Connection) => Promise<unknown>): Promise<string>;
  counts(): Promise<[orders: number, events: number]>;
}

function inShop(run: (shop: Shop) => Promise<void>): Promise<void> {
  return proxied(async (opened) => {
    await openShop(opened);
    const tracker = trackerOn(opened.through);
    await run({
      ...opened,
      order: (more = async () => {}) =>
        tracker.transaction(async (tx, connection) => {
          await connection.execute("INSERT INTO orders VALUES (?)", [null]);
          const { event } = await tx.events.track(purchase);
          await more(connection);
          return event.id;
        }),
      counts: () => countsOf(opened),
    });
  });
}

function trackerOn(storage: MysqlStorage): Tracker<Connection> {
  return createTracker({ storage });
}

databaseSuite({ name: "transactions that the storage begins and ends", atOnce: 4 }, server, (test) => {
  for (const sql of ["COMMIT", "ROLLBACK", "CREATE TABLE made (id INT)", "START TRANSACTION", "COMMIT AND CHAIN"]) {
    test(`a function that sends ${sql} is told transaction_lost`, () =>
      inShop(async ({ order }) => {
        const refused = order((connection) => connection.query(sql));
        const lost = await refusalOf(refused);
        assert.ok(lost.code === "transaction_lost" && lost.partial);
      }));
  }

  test("a function is run again after a deadlock, and after no commit of unknown outcome", () =>
    inShop(async ({ tracker, proxy, counts }) => {
      let runs = 0;
      const run = (): Promise<unknown> =>
        tracker.transaction(
          async (tx, connection) => {
            runs++;
            await (connection as Connection).query("INSERT INTO orders VALUES ()");
            await tx.events.track(purchase);
          },
          { tries: 3 },
        );
      proxy.instead.push({ of: "INSERT INTO whodid_events", send: "ROLLBACK", errno: 1213 });
      await run();
      assert.deepEqual([runs, await counts()], [2, [1, 1]]);
      proxy.next.push("lose answer");
      assert.equal((await refusalOf(run())).code, "storage_unavailable");
      assert.deepEqual([runs, await counts()], [3, [2, 2]]);
    }));

  for (const [name, swallowed] of Object.entries({
    "a call of whodid's": (shop: Shop, _: Connection, tx: InTransaction) => {
      shop.proxy.instead.push({ of: "INSERT INTO whodid_events", send: "ROLLBACK", errno: 1213 });
      return tx.events.track(purchase);
    },
    "the function's own statement": (shop: Shop, connection: Connection) => {
      shop.proxy.instead.push({ of: "DELETE FROM orders", send: "ROLLBACK", errno: 1213 });
      return connection.query("DELETE FROM orders WHERE id = 0");
    },
  })) {
    test(`after ${name} has met a deadlock nothing that the function writes is kept`, () =>
      inShop(async (shop) => {
        const refused = shop.tracker.transaction(async (tx, given) => {
          const connection = given as Connection;
          await connection.query("INSERT INTO orders VALUES ()");
          await swallowed(shop, connection, tx).catch(() => {});
          await connection.query("INSERT INTO orders VALUES ()");
          assert.equal((await refusalOf(tx.events.track(purchase))).code, "transaction_lost");
        });
        assert.equal((await refusalOf(refused)).code, "transaction_lost");
        assert.deepEqual([await shop.counts(), shop.proxy.instead], [[0, 0], []]);
      }));
  }

  test("the connection is of no use once the function has settled, and cannot be given back before", () =>
    inShop(async ({ counts, url }) => {
      const storage = mysqlStorage(`${url}?connectionLimit=2`);
      const tracker = trackerOn(storage);
      let kept: Connection | undefined;
      const late = tracker.transaction(async (tx, connection) => {
        kept = connection;
        assert.throws(() => (connection as unknown as PoolConnection).release(), TypeError);
        assert.throws(() => void connection.end(), TypeError);
        assert.throws(() => void connection.prepare("SELECT 1"), TypeError);
        await tx.events.track(purchase);
        throw new Error("timed out");
      });
      await assert.rejects(late, { message: "timed out" });
      assert.throws(() => kept!.query("INSERT INTO orders VALUES ()"), { code: "transaction_required" });
      assert.equal((await refusalOf(tracker.within(kept!).events.track(purchase))).code, "transaction_required");
      assert.deepEqual(await counts(), [0, 0]);
      await tracker.transaction(async (tx) => void (await tx.events.track(purchase)));
      assert.deepEqual(await counts(), [0, 1]);
      await storage.close();
    }));

  test("closing refuses the transaction that is under way, and does not wait for its function", () =>
    inShop(async ({ counts, tracker }) => {
      const refused = tracker.transaction(async (tx) => {
        await tx.events.track(purchase);
        await tracker.close();
        await new Promise(() => {});
      });
      assert.equal((await within(9_500, "a refusal", refusalOf(refused))).code, "storage_unavailable");
      assert.deepEqual(await counts(), [0, 0]);
    }));

  for (const of of ["SAVEPOINT whodid_call", "COMMIT AND NO CHAIN"]) {
    test(`after ${of} was refused by a read-only server, the next transaction has a new connection`, () =>
      inShop(async ({ order, counts, proxy }) => {
        await order();
        const { connections } = proxy.seen;
        proxy.instead.push({ of, send: "DO 0", errno: 1290 });
        assert.equal((await refusalOf(order())).code, "transaction_lost");
        await order();
        assert.ok(proxy.seen.connections > connections);
        assert.deepEqual(await counts(), [2, 2]);
      }));
  }

  test("a connection that is lost before the commit is transaction_lost", () =>
    inShop(async ({ order, counts, pool }) => {
      const refused = order((connection) => pool.query(`KILL ${connection.threadId}`).then(() => pause(50)));
      assert.equal((await refusalOf(refused)).code, "transaction_lost");
      assert.deepEqual(await counts(), [0, 0]);
      await order();
      assert.deepEqual(await counts(), [1, 1]);
    }));

  for (const [fate, n] of [
    ["lose commit", 0],
    ["lose answer", 1],
  ] as const) {
    test(`a connection that is lost during the commit is storage_unavailable, whatever became of it (${fate})`, () =>
      inShop(async ({ order, counts, proxy }) => {
        const refused = order(async () => void proxy.next.push(fate));
        assert.equal((await refusalOf(refused)).code, "storage_unavailable");
        await pause(100);
        assert.deepEqual(await counts(), [n, n]);
      }));
  }

  test("a transaction that the database does not begin within 5 s is storage_unavailable, and its function is not called", () =>
    inShop(async ({ tracker, proxy }) => {
      proxy.freeze();
      const refused = tracker.transaction(async () => assert.fail("called"));
      assert.equal((await within(9_500, "a refusal", refusalOf(refused))).code, "storage_unavailable");
    }));

  test("a transaction whose call gets no answer for 10 s is lost, and nothing is written", () =>
    inShop(async ({ counts, proxy, tracker }) => {
      const refused = tracker.transaction(async (tx) => {
        await tx.events.track(purchase);
        proxy.freeze();
        await tx.events.track(purchase);
      });
      assert.equal((await within(40_000, "a refusal", refusalOf(refused))).code, "transaction_lost");
      proxy.thaw();
      assert.deepEqual(await counts(), [0, 0]);
    }));

  test("a COMMIT that another node's transaction makes fail is transaction_lost", () =>
    inShop(async ({ order, counts, proxy }) => {
      proxy.instead.push({ of: "COMMIT AND NO CHAIN", send: "ROLLBACK", errno: 1213 });
      const lost = await refusalOf(order());
      assert.deepEqual([lost.code, (lost.cause as { errno: number }).errno], ["transaction_lost", 1213]);
      assert.deepEqual(await counts(), [0, 0]);
    }));

  test("a connection that fails before the function is called is replaced, and the function runs once", () =>
    inShop(async ({ order, counts, proxy, through }) => {
      await through.findContact("default", { externalId: "ada@example.com" });
      proxy.instead.push({ of: "START TRANSACTION", send: "DO 0", errno: 1290 });
      await order();
      assert.deepEqual([await counts(), proxy.instead], [[1, 1], []]);
    }));

  test("the function reads what others have committed, and has the server's limits", () =>
    inShop(async ({ order, pool }) => {
      const limits = "SELECT CONCAT(@@SESSION.innodb_lock_wait_timeout, ' ', @@GLOBAL.innodb_lock_wait_timeout)";
      const seen: unknown[] = [];
      await order(async (connection) => {
        seen.push(await read(connection, "SELECT COUNT(*) FROM orders"));
        await pool.query("INSERT INTO orders VALUES ()");
        seen.push(await read(connection, "SELECT COUNT(*) FROM orders"), await read(connection, limits));
      });
      assert.deepEqual(seen, [1, 2, "50 50"]);
    }));

  test("either kind of pool hands out a connection of mysql2/promise, and keeps its session settings", () =>
    inShop(async ({ url }) => {
      for (const pool of [mysql.createPool(url), mysql.createPool(url).promise()]) {
        const end = (): Promise<void> => ("promise" in pool ? pool.promise() : pool).end();
        const seen = await trackerOn(mysqlStorage(pool)).transaction(async (tx, connection) => {
          await tx.contacts.update("ada@example.com", { plan: "pro" });
          return read(connection, "SELECT @@SESSION.innodb_lock_wait_timeout");
        });
        assert.equal(seen, 50);
        await end();
      }
    }));

  test("a call by within on the connection waits for those of the transaction", () =>
    inShop(async ({ through, counts }) => {
      const tracker = trackerOn(through);
      await tracker.transaction(async (tx, connection) => {
        const others = tracker.within(connection);
        await Promise.all(
          Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? tx : others).events.track(purchase)),
        );
      });
      assert.deepEqual(await counts(), [0, 10]);
    }));

  test("transactions take at most half of the connections of a URL, and the next waits for a permit", () =>
    inShop(async ({ url }) => {
      const storage = mysqlStorage(`${url}?connectionLimit=4`);
      const tracker = trackerOn(storage);
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      let begun = 0;
      const all = Promise.all(
        [1, 2, 3].map(() =>
          tracker.transaction(async () => {
            begun++;
            await ended;
          }),
        ),
      );
      while (begun < 2) await pause(5);
      await tracker.events.track(purchase);
      await pause(100);
      const begunAtOnce = begun;
      end();
      await all;
      assert.deepEqual([begunAtOnce, begun], [2, 3]);
      await storage.close();
    }));

  test("a transaction that waits 5 s for a permit is storage_unavailable, and its function is not called", () =>
    inShop(async ({ url }) => {
      const storage = mysqlStorage(`${url}?connectionLimit=2`);
      const tracker = trackerOn(storage);
      await tracker.transaction(async () => {
        const nested = tracker.transaction(async () => assert.fail("called"));
        const refused = await refusalOf(nested);
        assert.deepEqual(
          [refused.code, (refused.cause as { code: string }).code],
          ["storage_unavailable", "no_connection"],
        );
      });
      await tracker.transaction(async (tx) => void (await tx.events.track(purchase)));
      await storage.close();
    }));
});
