import assert from "node:assert/strict";
import { createPool } from "mysql2";
import { createConnection, type PoolConnection } from "mysql2/promise";
import { eventDraft } from "../../../../adapters/storage-contract/drafts.ts";
import type { Tracker } from "../../../../lib/index.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { countPurchases, countsOf, openShop, purchase } from "../../../support/shop.ts";
import { testsOn } from "../../../support/suite.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { within } from "../../../support/within.ts";

const server = await database();
const onMysql = mysqlBy(server);

interface Shop extends OpenedMysql {
  tracker: Tracker;
  connection: PoolConnection;
}

/** A shop, and an open transaction of the caller's. */
function inShop(run: (shop: Shop) => Promise<void>): Promise<void> {
  return onMysql(async (opened) => {
    const tracker = await openShop(opened);
    const connection = await opened.pool.getConnection();
    await connection.beginTransaction();
    await run({ ...opened, tracker, connection });
  });
}

databaseSuite("within a caller's transaction", server, (define) => {
  const test = testsOn(define, inShop);
  test("a connection of mysql2 without promises will do, and a pool will not", async (opened) => {
    const { tracker, connection, url, storage } = opened;
    await tracker.within(connection.connection).events.track(purchase);
    await connection.commit();
    assert.equal(await countPurchases(tracker), 1);
    const pool = createPool(url);
    for (const odd of [pool, pool.promise(), {}]) assert.throws(() => storage.within(odd), TypeError);
    pool.end();
  });

  test("a connection with placeholders by name will do", async ({ tracker, url }) => {
    const connection = await createConnection({ uri: url, namedPlaceholders: true });
    await connection.beginTransaction();
    await tracker.within(connection).events.track(purchase);
    await connection.commit();
    await connection.end();
    assert.equal(await countPurchases(tracker), 1);
  });

  test("without a BEGIN every call is refused and nothing is written", async ({ tracker, connection }) => {
    await connection.commit();
    const inside = tracker.within(connection);
    assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_required");
    assert.equal((await refusalOf(inside.contacts.get("ada@example.com"))).code, "transaction_required");
    assert.equal(await countPurchases(tracker), 0);
  });

  test("a read-only transaction refuses writes by a sentence of its own, and reads", async (opened) => {
    const { tracker, connection } = opened;
    await connection.commit();
    await connection.query("START TRANSACTION READ ONLY");
    const inside = tracker.within(connection);
    for (const write of [() => inside.events.track(purchase), () => inside.contacts.delete("ada@example.com")]) {
      const { code, message } = await refusalOf(write());
      assert.equal(code, "transaction_required");
      assert.equal(message, "The transaction is read-only: begin one that may write.");
    }
    assert.equal((await inside.contacts.get("ada@example.com"))?.email, "ada@example.com");
    assert.equal(await countPurchases(tracker), 0);
  });

  test("a connection with autocommit off has a transaction open at all times", async ({ tracker, connection }) => {
    await connection.commit();
    await connection.query("SET autocommit = 0");
    await tracker.within(connection).events.track(purchase);
    assert.equal(await countPurchases(tracker), 0);
    await connection.commit();
    assert.equal(await countPurchases(tracker), 1);
  });

  test("a wait for a lock ends after 5 s, and the caller's own statements still wait as long as before", async (opened) => {
    const { tracker, connection, pool } = opened;
    const other = await pool.getConnection();
    await other.beginTransaction();
    await tracker.within(other).events.track(purchase);
    await connection.query("SET SESSION innodb_lock_wait_timeout = 40");
    const refused = refusalOf(tracker.within(connection).events.track(purchase));
    assert.equal((await within(20_000, "a refusal", refused)).code, "storage_unavailable");
    const [limit] = await connection.query("SELECT @@SESSION.innodb_lock_wait_timeout AS seconds");
    assert.deepEqual(limit, [{ seconds: 40 }]);
    other.destroy();
  });

  test("a row that changed since the snapshot is transaction_lost where the database says 1020", async (opened) => {
    const { tracker, connection } = opened;
    const isolated = await connection.query("SET SESSION innodb_snapshot_isolation = ON").catch(() => null);
    // MySQL has no such thing.
    if (!isolated) return;
    await connection.query("SELECT * FROM whodid_contacts");
    await connection.query("INSERT INTO orders VALUES (1)");
    await tracker.contacts.update("ada@example.com", { name: "Ada" });
    const inside = tracker.within(connection);
    const lost = await refusalOf(inside.events.track(purchase));
    assert.deepEqual([lost.code, (lost.cause as { errno: number }).errno], ["transaction_lost", 1020]);
    // Another handle, on what the database would answer.
    const again = tracker.within(connection).contacts.get("ada@example.com");
    assert.equal((await refusalOf(again)).code, "transaction_lost");
    await connection.rollback();
    await connection.beginTransaction();
    await tracker.within(connection).events.track(purchase);
    await connection.commit();
    assert.deepEqual(await countsOf(opened), [0, 1]);
  });

  test("a lost connection is transaction_lost", async ({ tracker, connection, pool }) => {
    const inside = tracker.within(connection);
    await inside.events.track(purchase);
    await pool.query(`KILL ${connection.threadId}`);
    assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_lost");
    assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_lost");
    assert.equal(await countPurchases(tracker), 0);
  });

  test("a contact that was created after the caller's snapshot is found", async ({ tracker, connection }) => {
    await connection.query("SELECT * FROM whodid_contacts");
    await tracker.contacts.upsert({ email: "bob@example.com" });
    await tracker.contacts.put("u_1", { email: "cy@example.com" });
    const inside = tracker.within(connection);
    assert.equal((await inside.contacts.put("u_1", { name: "Cy" })).created, false);
    await inside.events.track({ externalId: "bob@example.com", eventKey: "step" });
    assert.equal((await inside.contacts.update("bob@example.com", { name: "Bob" })).name, "Bob");
    const { created } = await inside.contacts.upsert({ email: "bob@example.com", plan: "pro" });
    assert.equal(created, false);
    await connection.commit();
    assert.equal((await tracker.contacts.get("bob@example.com"))?.plan, "pro");
  });

  test("a value of an attribute that was defined after the caller's snapshot is in the answer", async (opened) => {
    const { tracker, connection } = opened;
    // MariaDB 11.8 otherwise refuses a row that was changed since the snapshot.
    await connection.query("SET @unused = 1 /*M!110602 , SESSION innodb_snapshot_isolation = 0 */");
    await connection.query("SELECT * FROM whodid_contacts");
    await tracker.attributes.define({ key: "mark", type: "number" });
    await tracker.contacts.update("ada@example.com", { customAttributes: { mark: 7 } });
    const { customAttributes } = await tracker.within(connection).contacts.update("ada@example.com", { name: "Ada" });
    assert.deepEqual(customAttributes, { mark: 7 });
  });

  test("an externalId that was taken, or given up, after the caller's snapshot is decided as it is now", async (opened) => {
    const { tracker, connection } = opened;
    await tracker.contacts.upsert({ email: "bob@example.com", externalId: "u_1" });
    await connection.query("SELECT * FROM whodid_contacts");
    await tracker.contacts.update("u_1", { externalId: "u_2" });
    const inside = tracker.within(connection);
    const taken = inside.contacts.update("ada@example.com", { externalId: "u_2" });
    assert.equal((await refusalOf(taken)).code, "external_id_taken");
    assert.equal((await inside.contacts.update("ada@example.com", { externalId: "u_1" })).externalId, "u_1");
    await connection.commit();
    assert.equal((await tracker.contacts.get("u_1"))?.email, "ada@example.com");
  });

  test("new contacts in two open transactions do not wait for each other", async ({ tracker, connection, pool }) => {
    const other = await pool.getConnection();
    await other.beginTransaction();
    const [one, two] = [tracker.within(connection), tracker.within(other)];
    // In turns, into one gap of the index: a lock on what is not there would make them wait for each other.
    for (const n of [1, 2, 3]) {
      await one.contacts.upsert({ email: `one${n}@example.com` });
      await two.contacts.upsert({ email: `two${n}@example.com` });
    }
    await Promise.all([connection.commit(), other.commit()]);
    other.release();
    assert.equal((await tracker.contacts.list()).items.length, 7);
  });

  test("a deletion inside takes all events with it, or none", async ({ tracker, connection, storage }) => {
    const drafts = Array.from({ length: 1_500 }, () => eventDraft({ workspace: "default" }));
    await storage.recordEvents(drafts);
    assert.equal((await tracker.within(connection).contacts.delete("ada@example.com")).events, 1_500);
    await connection.rollback();
    assert.equal(
      (await storage.findSummaries("default", (await tracker.contacts.get("ada@example.com"))!.id))[0]?.count,
      1_500,
    );
    await connection.beginTransaction();
    assert.equal((await tracker.within(connection).contacts.delete("ada@example.com")).events, 1_500);
    await connection.commit();
    assert.equal(await tracker.contacts.get("ada@example.com"), null);
  });
});
