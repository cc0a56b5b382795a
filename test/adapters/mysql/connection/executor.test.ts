import assert from "node:assert/strict";
import { createConnection, createPool } from "mysql2";
import { createPool as createPromisePool } from "mysql2/promise";
import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromTypeorm,
  mysqlStorage,
  type Executor,
} from "../../../../adapters/mysql/index.ts";
import { createTracker } from "../../../../lib/index.ts";
import { callsOnContactsAndEvents } from "../../../../adapters/storage-contract/calls.ts";
import { database as startDatabase, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { refusalOf, untyped } from "../../../support/stopped-tracker.ts";
import { suite, testsOn } from "../../../support/suite.ts";

const server = await startDatabase();
const unused = mysqlStorage("mysql://nobody@127.0.0.1:1/nothing");

function sentenceFor(given: unknown): string {
  try {
    unused.within(untyped(given));
  } catch (error) {
    assert.ok(error instanceof TypeError);
    return error.message;
  }
  throw new Error("it was not refused");
}

suite("what within is given", (test) => {
  test("a pool is refused with what to do with it", () => {
    const pool = createPool({});
    const promisePool = createPromisePool({});
    for (const given of [pool, promisePool]) {
      assert.match(sentenceFor(given), /^This is a pool: begin a transaction on a connection of it\. within takes /);
    }
    pool.end();
    void promisePool.end();
  });

  test("nothing, and what is no transaction, is refused with what within takes", () => {
    for (const given of [undefined, null, 5, "trx", {}, [], () => {}, { execute: 5 }, Promise.resolve()]) {
      assert.match(sentenceFor(given), /^This is no transaction\. within takes a connection of mysql2 .* fromDrizzle/);
    }
  });

  test("an object of a class that has an execute is no executor", () => {
    class Database {
      execute(): void {}
    }
    assert.match(sentenceFor(new Database()), /^This is no transaction\./);
  });

  test("an object of another ORM is refused with what to pass for it, though its connection is of mysql2", () => {
    const connection = createConnection({});
    connection.on("error", () => {});
    assert.match(sentenceFor({ connection, sequelize: {} }), /^This is of Sequelize: pass \{ execute \} with the/);
    connection.destroy();
    assert.match(sentenceFor({ $queryRawUnsafe() {} }), /^This is of Prisma: pass \{ execute \} on the tx/);
    assert.match(
      sentenceFor({ getUnitOfWork() {}, getConnection() {} }),
      /^This is of MikroORM: pass \{ execute \} on/,
    );
  });

  test("an executor and a connection are taken", () => {
    const connection = createConnection({});
    connection.on("error", () => {});
    unused.within(connection);
    unused.within({ execute: async () => [] });
    connection.destroy();
  });

  test("each from… refuses nothing, and what is not its ORM's, with the name of what it takes", () => {
    for (const given of [undefined, null, {}, () => {}, { execute: async () => [] }]) {
      const wrong = untyped(given);
      assert.throws(
        () => fromDrizzle(wrong, wrong),
        /^TypeError: fromDrizzle takes the tx that db\.transaction passes/,
      );
      assert.throws(() => fromKnex(wrong), /^TypeError: fromKnex takes the trx of knex\.transaction/);
      assert.throws(() => fromKysely(wrong), /^TypeError: fromKysely takes the trx of db\.transaction or/);
      assert.throws(() => fromTypeorm(wrong), /^TypeError: fromTypeorm takes the manager that dataSource\.transaction/);
    }
  });

  test("a transaction has one executor, so that its calls stay in one queue", () => {
    const trx = { isCompleted: () => false, raw: async () => [] };
    assert.equal(fromKnex(trx), fromKnex(trx));
    assert.notEqual(fromKnex(trx), fromKnex({ ...trx }));
  });
});

databaseSuite("the statements of a caller's transaction", server, (define, database) => {
  const test = testsOn(define, mysqlBy(database));
  test("are refused by a sentence where the server cannot prepare what an execute prepares", async (opened) => {
    const { pool, storage } = opened;
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    const inside = createTracker({ storage }).within({
      async execute(sql: string, values: readonly unknown[]) {
        // The answer of MySQL.
        if (sql.startsWith("SAVEPOINT")) throw Object.assign(new Error("unsupported"), { errno: 1295 });
        return (await connection.query(sql, [...values]))[0] as object[];
      },
    });
    const refused = await refusalOf(inside.contacts.get("ada@example.com"));
    assert.equal(refused.message, "whodid needs an `execute` that sends statements without values as text.");
  });

  test("have a question mark for each value and no other, as ORMs look for them without reading SQL", async (opened) => {
    const { pool, storage } = opened;
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    const sent: Parameters<Executor["execute"]>[] = [];
    const executor: Executor = {
      async execute(sql, values) {
        sent.push([sql, values]);
        return (await connection.query(sql, [...values]))[0] as Awaited<ReturnType<Executor["execute"]>>;
      },
    };
    const inside = storage.within(executor);
    for (const call of callsOnContactsAndEvents(inside)) await call();
    const { contacts, events } = createTracker({ storage }).within(executor);
    const emails = ["ada@example.com", "bob@example.com"];
    for (const email of emails) await contacts.upsert({ email, externalId: email.slice(0, 3) });
    await events.track({ externalId: "ada", eventKey: "step" }, { idempotencyKey: "k" });
    const { nextCursor } = await contacts.list({ limit: 1 });
    await contacts.list({ limit: 1, cursor: nextCursor! });
    await events.list("ada", { eventKey: "step", limit: 1 });
    await contacts.delete("bob");
    assert.ok(sent.length > 50);
    for (const [sql, values] of sent) {
      assert.equal(sql.split("?").length - 1, values.length, sql);
      assert.ok(!/\?\?|\\|(?<!\/\* whodid):\w|\$\d/.test(sql), sql);
    }
    // Escaped on the client, the limit of a page would be a text, which the server refuses there.
    assert.ok(sent.some(([sql]) => /LIMIT \d/.test(sql)));
  });
});
