import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import mysql, { type RowDataPacket } from "mysql2/promise";
import type { Tracker } from "../../lib/index.ts";
import type { Database } from "../support/database.ts";
import { callsBeside, ends, prepareBeside, tryEveryMoment } from "../support/beside.ts";
import { mysqlBy, type OpenedMysql } from "../support/mysql.ts";
import { countsOf, openShop, purchase } from "../support/shop.ts";
import { refusalOf } from "../support/stopped-tracker.ts";
import { begin } from "./contract.ts";
import { installs } from "./installs.ts";
import type { OpenedOrm, Orm, OrmTransaction } from "./orm.ts";

interface Shop extends OpenedMysql {
  tracker: Tracker;
  opened: OpenedOrm;
  /** How many orders and events there are. */
  counts(): Promise<[orders: number, events: number]>;
}

const stop = new Error("stop");

/** Texts that a client which escapes, or looks for placeholders of its own, may change. */
const hostileTexts = [
  "'",
  '"',
  "\\",
  "\\'",
  "''",
  "?",
  "??",
  "\\?",
  ":name",
  "$1",
  "@x",
  "{0}",
  "%s",
  "🦊",
  "'; --",
  "*/",
  "\0",
  "\u001a",
];

type TestOf = (subject: string, name: string, run: () => Promise<void>) => void;

/** What the contract does not ask: the ORM's own statements and nested transactions, its objects and settings. */
export function own(test: TestOf, orm: Orm, database: Database): void {
  const inShop = (run: (shop: Shop) => Promise<void>, setting?: string): Promise<void> =>
    runInShop(orm, database, run, setting);

  test("commit", "the example runs, and what it asserts holds", () =>
    runExample(join(installs, "out/examples", orm.example), database),
  );

  test("commit", "a call of each kind reads its rows as they were written", () =>
    inShop(({ opened, tracker }) => opened.transaction((transaction) => useAll(tracker.within(transaction.executor)))),
  );

  if (orm.nests) nested(test, inShop);

  test("deadlock", "over the caller's own rows is transaction_lost, and the next transaction works", () =>
    inShop(async ({ opened, tracker, pool, counts }) => {
      await pool.query("INSERT INTO orders VALUES (1)");
      const other = await pool.getConnection();
      await other.beginTransaction();
      await tracker.within(other).events.track(purchase);
      // More written, so that the database gives up the other one.
      await other.query("INSERT INTO orders VALUES (2), (3), (4), (5), (6), (7), (8), (9)");
      const { transaction, rollback } = await begin(opened);
      await transaction.run("SELECT * FROM orders WHERE id = 1 FOR UPDATE");
      const blocked = other.query("UPDATE orders SET id = 10 WHERE id = 1");
      const inside = tracker.within(transaction.executor);
      const lost = await refusalOf(inside.events.track(purchase));
      assert.deepEqual([lost.code, (lost.cause as { errno?: number }).errno], ["transaction_lost", 1213]);
      assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_lost");
      await blocked;
      await other.commit();
      other.release();
      await rollback().catch(() => {});
      await opened.transaction(async (next) => void (await tracker.within(next.executor).events.track(purchase)));
      assert.deepEqual(await counts(), [9, 2]);
    }),
  );

  test("deadlock", "a lost connection is transaction_lost", () =>
    inShop(async ({ opened, tracker, pool, counts }) => {
      const { transaction, rollback } = await begin(opened);
      const inside = tracker.within(transaction.executor);
      await inside.events.track(purchase);
      await transaction.run("INSERT INTO orders VALUES (CONNECTION_ID())");
      await killOrdering(pool);
      assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_lost");
      assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_lost");
      await rollback().catch(() => {});
      assert.deepEqual(await counts(), [0, 0]);
    }),
  );

  if (orm.waits) endedBeside(test, orm, database);

  test("wrong object", "each is refused with the sentence that names the function", () =>
    inShop(async ({ opened, storage }) => {
      for (const [name, { pass, sentence }] of Object.entries(orm.wrong(opened))) {
        const passed = (async () => pass((given) => storage.within(given as object)))();
        const refusal = await passed.then(
          () => null,
          (error: unknown) => error,
        );
        assert.ok(refusal instanceof TypeError, `${name}: ${String(refusal)}`);
        assert.match(refusal.message, sentence, name);
      }
    }),
  );

  for (const end of ["commit", "rollback"] as const) {
    test("wrong object", `after its ${end} a transaction is refused, and nothing is written`, () =>
      inShop(async ({ opened, tracker, counts }) => {
        const begun = await begin(opened);
        const inside = tracker.within(begun.transaction.executor);
        await inside.contacts.get("ada@example.com");
        await begun[end]();
        const { ownEnd } = orm;
        if (ownEnd) await assert.rejects(inside.events.track(purchase), (error: Error) => ownEnd.test(error.message));
        else assert.equal((await refusalOf(inside.events.track(purchase))).code, "transaction_required");
        assert.deepEqual(await counts(), [0, 0]);
      }),
    );
  }

  for (const [setting, sentence] of Object.entries(orm.settings)) {
    test("renaming", `${setting} ${sentence ? "is refused by its sentence" : "does no harm"}`, () =>
      inShop(async ({ opened, tracker, counts }) => {
        const tracking = opened.transaction(async (transaction) => {
          const inside = tracker.within(transaction.executor);
          if (sentence) await inside.events.track(purchase);
          else await useAll(inside);
        });
        if (sentence) await assert.rejects(tracking, (error: Error) => sentence.test(error.message));
        else await tracking;
        assert.deepEqual(await counts(), [0, sentence ? 0 : 1]);
      }, setting),
    );
  }

  test("renaming", `NO_BACKSLASH_ESCAPES ${orm.escapes ? "is refused" : "does no harm"}`, () =>
    inShop(async ({ opened, tracker, counts }) => {
      const tracking = opened.transaction(async (transaction) => {
        await transaction.run("SET SESSION sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')");
        await tracker.within(transaction.executor).events.track(purchase);
      });
      if (orm.escapes) await assert.rejects(tracking, /sql_mode without NO_BACKSLASH_ESCAPES/);
      else await tracking;
      assert.deepEqual(await counts(), [0, orm.escapes ? 0 : 1]);
    }),
  );

  test("renaming", "hostile texts arrive unchanged", () =>
    inShop(async ({ opened, tracker }) => {
      await opened.transaction(async (transaction) => {
        const inside = tracker.within(transaction.executor);
        for (const text of hostileTexts) {
          await inside.contacts.update("ada@example.com", { name: text });
          assert.equal((await inside.contacts.get("ada@example.com"))?.name, text);
          await inside.events.track({ ...purchase, properties: { text } });
        }
      });
      const { items } = await tracker.events.list("ada@example.com", { limit: 100 });
      const told = items.map(({ properties }) => properties["text"]);
      assert.deepEqual(new Set(told), new Set(hostileTexts));
    }),
  );
}

function nested(test: TestOf, inShop: (run: (shop: Shop) => Promise<void>) => Promise<void>): void {
  test("nested", "what is in a nested transaction that commits is committed with the outer one", () =>
    inShop(async ({ opened, tracker, counts }) => {
      await opened.transaction(async (transaction) => {
        await tracker.within(transaction.executor).events.track(purchase);
        await transaction.nested!(async (inner) => {
          await order(inner, 1);
          await tracker.within(inner.executor).events.track(purchase);
        });
        await tracker.within(transaction.executor).events.track(purchase);
      });
      assert.deepEqual(await counts(), [1, 3]);
    }),
  );

  test("nested", "what is in a nested transaction that is rolled back is gone, and the outer one goes on", () =>
    inShop(async ({ opened, tracker, counts }) => {
      await opened.transaction(async (transaction) => {
        await order(transaction, 1);
        await tracker.within(transaction.executor).events.track(purchase);
        const failing = transaction.nested!(async (inner) => {
          await order(inner, 2);
          await tracker.within(inner.executor).events.track(purchase);
          throw stop;
        });
        await assert.rejects(failing, stop);
        await tracker.within(transaction.executor).events.track(purchase);
      });
      assert.deepEqual(await counts(), [1, 2]);
    }),
  );
}

function endedBeside(test: TestOf, orm: Orm, database: Database): void {
  for (const name of Object.keys(callsBeside)) {
    for (const end of ends) {
      test("ended beside", `${name} leaves all or nothing, whenever the caller says ${end}`, () =>
        mysqlBy(database)(async (mine) => {
          const opened = await orm.open(mine.url);
          try {
            await tryEveryMoment(await prepareBeside(mine), opened.transaction, name, end);
          } finally {
            await opened.close();
          }
        }),
      );
    }
  }
}

/** Each kind of call, so that each kind of row is read. */
async function useAll(inside: ReturnType<Tracker["within"]>): Promise<void> {
  const { contact } = await inside.contacts.upsert({ email: "ada@example.com", name: "Ada", signedUpAt: new Date(0) });
  assert.deepEqual([contact.name, contact.signedUpAt], ["Ada", "1970-01-01T00:00:00.000Z"]);
  const { event } = await inside.events.track(purchase, { idempotencyKey: "k" });
  const again = await inside.events.track(purchase, { idempotencyKey: "k" });
  assert.deepEqual(again.event, event);
  assert.deepEqual((await inside.events.list("ada@example.com")).items, [{ ...event, properties: {} }]);
  assert.deepEqual((await inside.contacts.list()).items, [contact]);
  await inside.contacts.upsert({ email: "bob@example.com" });
  assert.equal((await inside.contacts.delete("bob@example.com")).events, 0);
}

async function order(transaction: OrmTransaction, id: number): Promise<void> {
  await transaction.run(`INSERT INTO orders VALUES (${id})`);
}

function runInShop(orm: Orm, database: Database, run: (shop: Shop) => Promise<void>, setting?: string): Promise<void> {
  return mysqlBy(database)(async (mine) => {
    const tracker = await openShop(mine);
    const opened = await orm.open(mine.url, setting);
    try {
      await run({ ...mine, opened, tracker, counts: () => countsOf(mine) });
    } finally {
      await opened.close().catch(() => {});
    }
  });
}

/** Ends the connection that has inserted its number as the only order, and has not committed it. */
async function killOrdering(pool: mysql.Pool): Promise<void> {
  const connection = await pool.getConnection();
  await connection.query("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
  const [[row]] = await connection.query<RowDataPacket[]>("SELECT id FROM orders");
  await connection.query(`KILL ${String(row!["id"])}`);
  connection.release();
}

/** Runs the ORM's example, which asserts itself. */
async function runExample(path: string, database: Database): Promise<void> {
  const env = { ...process.env, DATABASE_URL: await database.createDatabase() };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], { env, timeout: 120_000 });
  assert.match(stdout, /^order-1 and its event are there; of order-2 nothing is$/m);
  assert.equal(stderr, "");
}
