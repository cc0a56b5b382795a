import assert from "node:assert/strict";
import mysql, { type Pool, type RowDataPacket } from "mysql2/promise";
import { createTracker } from "../../../../lib/index.ts";
import type { Database } from "../../../support/database.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const started = await database(["--general-log=ON", "--log-output=TABLE", "--performance-schema=ON"]);
const logs = started !== null && (await keepsLog(started));
if (started !== null && !logs) {
  const wanted = "general_log and performance_schema ON and log_output TABLE";
  process.once("exit", () => console.log(`STATEMENTS NOT TESTED: the server at MYSQL_URL must have ${wanted}`));
}

databaseSuite("a server that keeps a log of its statements", logs ? started : null, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("is told the name of each, in a comment before it", async ({ pool, open }) => {
    const tracker = createTracker({ storage: open() });
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 12 } });
    await tracker.events.track({ externalId: "ada@example.com", eventKey: "step" }, { idempotencyKey: "k1" });
    await tracker.contacts.list();
    await tracker.events.list("ada@example.com");
    await tracker.audiences.members({ kind: "has_not_done", eventKey: "step" });
    await tracker.audiences.count({ kind: "has_done", eventKey: "step" });
    await tracker.apiKeys.create({ name: "backend" });
    await tracker.contacts.delete("ada@example.com");
    const prepared = await textsOf(pool);
    const names = prepared.map((sql) => /^\/\* whodid:(\w+) \*\/ (?=\S)/.exec(sql)?.[1] ?? sql);
    for (const name of ["migrate", "probe", "upsertContacts", "recordEvents", "listOthers", "countCandidates"]) {
      assert.ok(names.includes(name), name);
    }
    assert.deepEqual(
      names.filter((name) => name.includes(" ")),
      [],
    );
  });

  test("is told once how long a statement may take by a pool made here, and that a migration may take longer", async (opened) => {
    const { open, pool } = opened;
    const storage = open();
    const tracker = createTracker({ storage });
    await pool.query("TRUNCATE mysql.general_log");
    await storage.migrate();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.audiences.count({ kind: "has_done", eventKey: "step" });
    const [sessions] = await pool.query(
      "SELECT DISTINCT CAST(argument AS CHAR) AS argument FROM mysql.general_log WHERE argument LIKE 'SET SESSION innodb_lock%'",
    );
    assert.match((sessions as { argument: string }[])[0]?.argument ?? "", /max_statement_time = 4\.5/);
    const limits = new Map(
      (await textsOf(pool)).map((sql) => [/whodid:(\w+)/.exec(sql)?.[1], /max_statement_time=([\d.]+)/.exec(sql)?.[1]]),
    );
    const told = (name: string): string | undefined => (assert.ok(limits.has(name), name), limits.get(name));
    assert.deepEqual(["migrate", "upsertContacts", "countCandidates"].map(told), ["0", undefined, "29.5"]);
  });

  test("is told the program's name by a pool made here, unless the URL names it", async ({ open, pool }) => {
    const named = `?connectAttributes=${encodeURIComponent('{"program_name":"shop"}')}`;
    const storages = [open(), open({}, named)];
    for (const storage of storages) await storage.findContact("default", { externalId: "ada@example.com" });
    const [rows] = await pool.query(
      `SELECT a.ATTR_VALUE AS name FROM performance_schema.session_connect_attrs a
JOIN information_schema.PROCESSLIST p ON p.ID = a.PROCESSLIST_ID
WHERE a.ATTR_NAME = 'program_name' AND p.DB = DATABASE() ORDER BY 1`,
    );
    assert.deepEqual(
      (rows as { name: string }[]).map(({ name }) => name),
      ["shop", "whodid"],
    );
  });
});

/** Not true of every server at `MYSQL_URL`. */
async function keepsLog({ url }: Database): Promise<boolean> {
  const connection = await mysql.createConnection(url);
  try {
    const [rows] = await connection.query<RowDataPacket[]>(
      "SELECT @@general_log AND FIND_IN_SET('TABLE', @@log_output) AND @@performance_schema AS logs",
    );
    return Number(rows[0]!["logs"]) === 1;
  } finally {
    await connection.end();
  }
}

/** What the server was asked to prepare, but for the schemas that the tests make. */
async function textsOf(pool: Pool): Promise<string[]> {
  const [rows] = await pool.query(
    "SELECT CAST(argument AS CHAR) AS argument FROM mysql.general_log WHERE command_type = 'Prepare' AND argument NOT LIKE 'CREATE DATABASE%'",
  );
  return (rows as { argument: string }[]).map(({ argument }) => argument);
}
