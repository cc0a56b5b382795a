import assert from "node:assert/strict";
import mysql from "mysql2/promise";
import type { InTransaction } from "../../../../lib/index.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { proxiedBy, type Proxied } from "../../../support/proxied.ts";
import { countsOf, openShop, purchase } from "../../../support/shop.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";

const server = await database();
const proxied = proxiedBy(server);

interface Shop extends Proxied {
  connection: mysql.Connection;
  /** How many orders and events there are, once the caller has said COMMIT. */
  afterCommit(): Promise<[orders: number, events: number]>;
}

/** A caller's connection by the proxy, on which a transaction has been begun and an order written. */
function inShop(run: (shop: Shop) => Promise<void>): Promise<void> {
  return proxied(async (opened) => {
    await openShop(opened);
    const connection = await mysql.createConnection(opened.proxy.url);
    try {
      await connection.query("SET SESSION innodb_lock_wait_timeout = 37");
      await begin(connection);
      await run({
        ...opened,
        connection,
        async afterCommit() {
          await connection.commit();
          return countsOf(opened);
        },
      });
    } finally {
      connection.destroy();
    }
  });
}

async function begin(connection: mysql.Connection): Promise<void> {
  await connection.beginTransaction();
  await connection.query("INSERT INTO orders VALUES ()");
}

/** The statements of one call, in order, each by a part of its text that no earlier one has. */
const statements = {
  "the beginning of the call": "whodid:beginCall",
  "the savepoint": "SAVEPOINT whodid_call",
  "the reading of the contact": "FROM whodid_contacts",
  "the counting": "INSERT INTO whodid_summaries",
  "the event": "INSERT INTO whodid_events",
  "the savepoint's release": "RELEASE SAVEPOINT whodid_call",
};

databaseSuite("a caller's transaction that the database has ended", server, (test) => {
  for (const [name, of] of Object.entries(statements)) {
    test(`is lost, whole, when ${name} is answered 1213`, () =>
      inShop(async (shop) => {
        // A member of Galera whose transaction another has aborted rolls back, and goes on in autocommit.
        shop.proxy.instead.push({ of, send: "ROLLBACK", errno: 1213 });
        await assertLost(shop);
      }));
  }

  test("is lost, whole, when the savepoint's release is answered outside of a transaction", () =>
    inShop(async (shop) => {
      shop.proxy.instead.push({ of: statements["the savepoint's release"], send: "ROLLBACK" });
      await assertLost(shop);
    }));

  for (const name of ["the beginning of the call", "the savepoint"] as const) {
    test(`is required when ${name} is answered outside of a transaction`, () =>
      inShop(async ({ tracker, connection, proxy, afterCommit }) => {
        proxy.instead.push({ of: statements[name], send: "ROLLBACK" });
        assert.equal((await refusalOf(tracker.within(connection).events.track(purchase))).code, "transaction_required");
        assert.deepEqual(await afterCommit(), [0, 0]);
      }));
  }

  for (const after of ["FOR UPDATE", "INSERT INTO whodid_summaries", "INSERT INTO whodid_events"]) {
    test(`is lost, whole, when it ends after ${after} and nothing reports it`, () =>
      inShop(async ({ tracker, connection, pool, afterCommit }) => {
        const [[row]] = await pool.query<mysql.RowDataPacket[]>("SELECT VERSION() AS version");
        // Galera does so; MySQL reports it.
        if (!String(row!["version"]).includes("MariaDB")) return;
        const silent = {
          async execute(sql: string, values: readonly (string | number | null)[]) {
            const [answer] =
              values.length > 0 ? await connection.execute(sql, [...values]) : await connection.query(sql);
            if (sql.includes(after)) await connection.rollback();
            return answer as mysql.RowDataPacket[];
          },
        };
        assert.equal((await refusalOf(tracker.within(silent).events.track(purchase))).code, "transaction_lost");
        assert.deepEqual(await afterCommit(), [0, 0]);
        const [[counted]] = await pool.query<mysql.RowDataPacket[]>("SELECT COUNT(*) AS n FROM whodid_summaries");
        assert.equal(counted!["n"], 0);
      }));
  }

  for (const [after, call, partial] of [
    ["SAVEPOINT whodid_call", (inside) => inside.contacts.get("ada@example.com"), false],
    ["INSERT INTO whodid_summaries", (inside) => inside.events.track(purchase), true],
    ["INSERT INTO whodid_events", (inside) => inside.events.track(purchase), true],
  ] as [string, (inside: InTransaction) => Promise<unknown>, boolean][]) {
    test(`is ${partial ? "" : "not "}partly lost if an execute cannot hold the caller's COMMIT after ${after}`, () =>
      inShop(async ({ tracker, connection, pool }) => {
        const beside = {
          async execute(sql: string, values: readonly (string | number | null)[]) {
            const [answer] = await connection.query(sql, [...values]);
            if (sql.includes(after) && !sql.startsWith("RO")) {
              await connection.commit();
              await begin(connection);
            }
            return answer as mysql.RowDataPacket[];
          },
        };
        const lost = await refusalOf(call(tracker.within(beside)));
        assert.ok(lost.code === "transaction_lost");
        assert.equal(lost.partial, partial);
        await connection.rollback();
        const [kept] = await pool.query<mysql.RowDataPacket[]>("SELECT contact_id FROM whodid_summaries");
        assert.equal(kept.length > 0, partial);
      }));
  }

  for (const errno of [1020, 1030, 1047, 1180, 1290, 1836, 3101]) {
    test(`is lost, whole, when a statement is answered ${errno}, though the database has not ended it`, () =>
      inShop(async (shop) => {
        shop.proxy.instead.push({ of: statements["the event"], send: "DO 0", errno });
        await assertLost(shop);
      }));
  }

  test("is lost when going back to the savepoint says so, and tells its error", () =>
    inShop(async (shop) => {
      shop.proxy.instead.push(
        { of: statements["the event"], send: "DO 0", errno: 1205 },
        { of: "ROLLBACK TO SAVEPOINT", send: "ROLLBACK", errno: 1213 },
      );
      await assertLost(shop);
    }));

  test("is lost when the waiting for a lock is what the server ends it for", () =>
    inShop(async (shop) => {
      // As with `innodb_rollback_on_timeout`.
      shop.proxy.instead.push({ of: statements["the event"], send: "ROLLBACK", errno: 1205 });
      await assertLost(shop, 1305);
    }));

  test("goes on after a lock wait timeout, without the call's rows", () =>
    inShop(async ({ tracker, connection, proxy, afterCommit }) => {
      proxy.instead.push({ of: statements["the event"], send: "DO 0", errno: 1205 });
      const inside = tracker.within(connection);
      assert.equal((await refusalOf(inside.events.track(purchase))).code, "storage_unavailable");
      await assertOwnLimit(connection);
      await inside.events.track(purchase);
      assert.deepEqual(await afterCommit(), [1, 1]);
    }));

  test("takes three round trips beside those of its work", () =>
    inShop(async ({ tracker, connection, proxy }) => {
      const inside = tracker.within(connection);
      await inside.events.track(purchase);
      const { queried, executed } = proxy.seen;
      await inside.contacts.get("ada@example.com");
      assert.deepEqual([proxy.seen.queried - queried, proxy.seen.executed - executed], [3, 1]);
    }));
});

async function assertOwnLimit(connection: mysql.Connection): Promise<void> {
  const [limit] = await connection.query("SELECT @@SESSION.innodb_lock_wait_timeout AS seconds");
  assert.deepEqual(limit, [{ seconds: 37 }]);
}

/** The call is refused, the next one too, and of the transaction there is nothing; the connection's next one works. */
async function assertLost({ tracker, connection, proxy, afterCommit }: Shop, errno?: number): Promise<void> {
  const replaced = proxy.instead.at(-1)!;
  const inside = tracker.within(connection);
  const lost = await refusalOf(inside.events.track(purchase));
  assert.ok(lost.code === "transaction_lost" && !lost.partial);
  const told = errno ?? replaced.errno;
  if (told !== undefined) assert.equal((lost.cause as { errno?: number }).errno, told);
  assert.deepEqual(proxy.instead, []);
  assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_lost");
  await assertOwnLimit(connection);
  assert.deepEqual(await afterCommit(), [0, 0]);

  await begin(connection);
  await tracker.within(connection).events.track(purchase);
  assert.deepEqual(await afterCommit(), [1, 1]);
}
