/** Statements of the caller's beside a call on the same connection of mysql2, and the end of the connection. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "mysql2";
import mysql, { type PoolConnection, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { createTracker, type InTransaction, type Tracker } from "../../../../lib/index.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { countPurchases, openShop, purchase } from "../../../support/shop.ts";
import { testsOn } from "../../../support/suite.ts";
import { startProxy } from "../../../support/proxy.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { within } from "../../../support/within.ts";

const server = await database();
const onMysql = mysqlBy(server);

interface Shop extends OpenedMysql {
  tracker: Tracker;
  connection: PoolConnection;
  inside: InTransaction;
  /** Tracks an event. */
  track(): Promise<unknown>;
  /** The number of events that the transaction sees. */
  count(): Promise<number>;
}

/** A shop, and an open transaction of the caller's. */
function inShop(run: (shop: Shop) => Promise<void>): Promise<void> {
  return onMysql(async (opened) => {
    const tracker = await openShop(opened);
    const connection = await opened.pool.getConnection();
    await connection.beginTransaction();
    const inside = tracker.within(connection);
    await run({
      ...opened,
      tracker,
      connection,
      inside,
      track: () => inside.events.track(purchase),
      async count() {
        const [[row]] = await connection.query<RowDataPacket[]>("SELECT COUNT(*) AS n FROM whodid_events");
        return row!["n"] as number;
      },
    });
  });
}

databaseSuite("the caller's statements beside a call", server, (define) => {
  const test = testsOn(define, inShop);
  test("run in the order of the calls, with every call whole", async ({ track, count, connection, tracker }) => {
    const answers = await Promise.all([count(), track(), count(), track(), track(), count(), connection.commit()]);
    assert.deepEqual([answers[0], answers[2], answers[5]], [0, 1, 3]);
    assert.equal(await countPurchases(tracker), 3);
  });

  test("wait if they are prepared, streamed, a ping or a reset", async ({ track, count, connection, tracker }) => {
    const statement = await connection.prepare("SELECT COUNT(*) AS n FROM whodid_events");
    const tracking = track();
    const prepared = statement.execute([]);
    const streamed = (connection.connection as unknown as Connection)
      .query("SELECT COUNT(*) AS n FROM whodid_events")
      .stream()
      .toArray();
    const others = Promise.all([connection.ping(), count(), connection.commit(), connection.reset()]);
    await tracking;
    assert.deepEqual((await prepared)[0], [{ n: 1 }]);
    assert.deepEqual(await streamed, [{ n: 1 }]);
    assert.equal((await others)[1], 1);
    assert.equal(await countPurchases(tracker), 1);
  });

  test("wait on the connection of a function too", async ({ tracker, pool }) => {
    const ending = tracker.transaction(async (tx, connection) => {
      const own = connection as PoolConnection;
      const tracking = tx.events.track(purchase);
      await Promise.all([tracking, own.query("ROLLBACK"), own.query("INSERT INTO orders VALUES (1)")]);
    });
    assert.equal((await refusalOf(ending)).code, "transaction_lost");
    assert.equal(await countPurchases(tracker), 0);
    const [summaries] = await pool.query("SELECT contact_id FROM whodid_summaries UNION ALL SELECT id FROM orders");
    assert.deepEqual(summaries, []);
  });

  test("wait for the calls of two copies of the package", async ({ track, count, connection, url }) => {
    const folder = mkdtempSync(join(import.meta.dirname, "copy-"));
    try {
      for (const part of ["adapters", "lib"]) {
        cpSync(join(import.meta.dirname, "../../../..", part), join(folder, part), { recursive: true });
      }
      const copied = (await import(join(folder, "adapters/mysql/index.js"))) as { mysqlStorage: typeof mysqlStorage };
      const other = createTracker({ storage: copied.mysqlStorage(url) });
      const trackThere = (): Promise<unknown> => other.within(connection).events.track(purchase);
      const answers = await Promise.all([track(), trackThere(), count(), track(), trackThere(), count()]);
      assert.deepEqual([answers[2], answers[5]], [2, 4]);
      assert.equal(Object.hasOwn(connection.connection, "addCommand"), false);
      await other.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("find the connection as it was after the call", async ({ track, connection }) => {
    const core = connection.connection as object;
    await Promise.all([track(), track()]);
    assert.equal(Object.hasOwn(core, "addCommand"), false);
    const { addCommand } = core as { addCommand: (...given: unknown[]) => unknown };
    const own = { value: addCommand.bind(core), configurable: true, enumerable: false, writable: true };
    Object.defineProperty(core, "addCommand", own);
    await track();
    assert.deepEqual(Object.getOwnPropertyDescriptor(core, "addCommand"), own);
  });
});

databaseSuite("a connection that ends during a call", server, (define) => {
  const test = testsOn(define, inShop);
  test("makes the call transaction_lost if it is destroyed, also if the server does not answer", async (opened) => {
    const { url, tracker, pool } = opened;
    const proxy = await startProxy(url);
    const connection = await mysql.createConnection(proxy.url);
    try {
      await connection.beginTransaction();
      const inside = tracker.within(connection);
      await inside.events.track(purchase);
      proxy.freeze();
      const tracking = refusalOf(inside.events.track(purchase));
      const waiting = connection.query("SELECT 1").catch((error: Error) => error);
      await new Promise(setImmediate);
      connection.destroy();
      assert.equal((await within(10_000, "the call", tracking)).code, "transaction_lost");
      assert.ok((await within(10_000, "the statement", waiting)) instanceof Error);
      assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_lost");
      const [rows] = await pool.query("SELECT contact_id FROM whodid_summaries");
      assert.deepEqual(rows, []);
    } finally {
      proxy.thaw();
      await proxy.close();
    }
  });

  test("makes the call transaction_lost if the server ends it, and the waiting statement fails", async (opened) => {
    const { connection, track, pool } = opened;
    const prepared = [await connection.prepare("SELECT 1"), await connection.prepare("SELECT 2")];
    const blocker = await pool.getConnection();
    await blocker.query("SELECT GET_LOCK('beside', 10)");
    const blocked = connection.query("SELECT GET_LOCK('beside', 30)").catch((error: Error) => error);
    const tracking = refusalOf(track());
    const waiting = connection.query("SELECT 1").catch((error: Error) => error);
    // They have no callback: a second error event that nobody listens to would end the process.
    const closing = Promise.all(prepared.map((statement) => statement.close()));
    await pool.query(`KILL ${connection.threadId}`);
    assert.equal((await within(20_000, "the call", tracking)).code, "transaction_lost");
    for (const statement of [blocked, waiting]) {
      assert.ok((await within(20_000, "the statement", statement)) instanceof Error);
    }
    await closing;
    await new Promise(setImmediate);
    blocker.destroy();
  });

  test("lets the call and the statements before its `end()` run first", async ({ url, tracker }) => {
    const connection = await mysql.createConnection(url);
    await connection.beginTransaction();
    const tracking = tracker.within(connection).events.track(purchase);
    const committing = connection.commit();
    const ending = connection.end();
    await assert.rejects(connection.query("SELECT 1"), /closed state/);
    await within(20_000, "the end", Promise.all([tracking, committing, ending]));
    assert.equal(await countPurchases(tracker), 1);
  });
});

databaseSuite("a connection that goes back to its pool", server, (test) => {
  test("refuses every later call, also in another's transaction", () =>
    inShop(async ({ tracker, url }) => {
      const pool = mysql.createPool({ uri: url, connectionLimit: 1 });
      const first = await pool.getConnection();
      await first.beginTransaction();
      const [late, core] = [tracker.within(first), tracker.within(first.connection)];
      await late.events.track(purchase);
      await first.rollback();
      first.release();
      const required = async (inside: InTransaction): Promise<void> =>
        assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_required");
      for (const inside of [late, core, tracker.within(first)]) await required(inside);

      const second = await pool.getConnection();
      assert.equal(second.connection, first.connection);
      assert.equal(Object.hasOwn(second.connection, "release"), false);
      await second.beginTransaction();
      for (const inside of [late, core, tracker.within(first)]) await required(inside);
      await tracker.within(second).events.track(purchase);
      await second.commit();
      second.release();
      assert.equal(await countPurchases(tracker), 1);
      await pool.end();
    }));

  test("refuses the calls that have not begun", () =>
    inShop(async ({ connection, track, tracker }) => {
      const begun = track();
      const waiting = refusalOf(track());
      const committing = connection.commit();
      connection.release();
      await begun;
      assert.equal((await waiting).code, "transaction_required");
      await committing;
      assert.equal(await countPurchases(tracker), 1);
    }));
});
