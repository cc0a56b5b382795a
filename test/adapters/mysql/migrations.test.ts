import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import mysql from "mysql2/promise";
import { mysqlMigrations, mysqlStorage, type MysqlStorage } from "../../../adapters/mysql/index.ts";
import { migrations } from "../../../adapters/mysql/migrations/index.ts";
import { version01 } from "../../../adapters/mysql/migrations/version-0-1.ts";
import { version02 } from "../../../adapters/mysql/migrations/version-0-2.ts";
import { version03 } from "../../../adapters/mysql/migrations/version-0-3.ts";
import { createTracker } from "../../../lib/index.ts";
import { database } from "../../support/mysql.ts";
import { startProxy } from "../../support/proxy.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { within } from "../../support/within.ts";

const server = await database();

/** A pool on an empty schema. */
async function onEmpty(run: (pool: mysql.Pool, url: URL) => Promise<void>): Promise<void> {
  const url = new URL(await server!.createDatabase());
  const pool = mysql.createPool({ uri: url.href, multipleStatements: true });
  try {
    await run(pool, url);
  } finally {
    await pool.query(`DROP DATABASE ${url.pathname.slice(1)}`);
    await pool.end();
  }
}

/** Runs with a storage whose user may read and write rows, and has these other rights alone. */
async function withRightsOnRows(
  pool: mysql.Pool,
  url: URL,
  run: (storage: MysqlStorage) => Promise<void>,
  more = "",
): Promise<void> {
  const schema = url.pathname.slice(1);
  const limited = new URL(url);
  limited.username = `u${schema.slice(-20)}`;
  limited.password = "only-rows";
  const user = `'${limited.username}'@'127.0.0.1'`;
  await pool.query(`CREATE USER ${user} IDENTIFIED BY '${limited.password}'`);
  const storage = mysqlStorage(limited.href);
  try {
    await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE${more} ON ${schema}.* TO ${user}`);
    await run(storage);
  } finally {
    await storage.close();
    await pool.query(`DROP USER ${user}`);
  }
}

/** Resolves once a connection of a migration waits in such a statement. */
async function isRunning(pool: mysql.Pool, like: string): Promise<void> {
  const found = async (): Promise<void> => {
    const running = "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE ?";
    while ((await pool.query<mysql.RowDataPacket[]>(running, [`/* whodid:migrate */ ${like}`]))[0].length === 0)
      await sleep(20);
  };
  await within(8_000, `a connection waiting in ${like}`, found());
}

async function schemaOf(pool: mysql.Pool): Promise<unknown> {
  const [tables] = await pool.query(
    "SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1",
  );
  const schema: unknown[] = [];
  for (const { name } of tables as { name: string }[]) {
    const [created] = await pool.query(`SHOW CREATE TABLE ${name}`);
    schema.push(created);
  }
  const [numbers] = await pool.query("SELECT number FROM whodid_migrations ORDER BY 1");
  return [schema, numbers];
}

const tables = [
  "api_key_uses",
  "api_keys",
  "change_heads",
  "changes",
  "completions",
  "contacts",
  "definitions",
  "dismissals",
  "events",
  "memberships",
  "migrations",
  "outbox",
  "salts",
  "slots",
  "subscriptions",
  "summaries",
  "waiting",
  "watches",
  "webhook_secrets",
  "webhooks",
  "workspaces",
];

suite("migrations", (define) => {
  const test = testsOn(define, onEmpty);
  define("the SQL can be had without a database, with any prefix", () => {
    const sql = mysqlMigrations({ tablePrefix: "acme_" });
    assert.deepEqual(
      new Set([...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name)),
      new Set(tables.map((name) => `acme_${name}`)),
    );
    assert.ok(!sql.includes("whodid"));
  });

  test("the versions number the migrations from 1, each number once", async () => {
    const numbers = [version01, version02, version03].flatMap((version) => Object.keys(version).map(Number));
    assert.deepEqual(
      numbers,
      migrations.map((_, index) => index + 1),
    );
  });

  if (!server) return;

  test("an empty schema gets its tables, and a second run changes nothing", async (pool) => {
    const storage = mysqlStorage(pool);
    await storage.migrate();
    const schema = await schemaOf(pool);
    await storage.migrate();
    assert.deepEqual(await schemaOf(pool), schema);
    assert.deepEqual((schema as [unknown[], unknown[]])[0].length, tables.length);
  });

  test("the printed SQL makes the same schema", (pool) =>
    onEmpty(async (other) => {
      await mysqlStorage(pool).migrate();
      await other.query(mysqlMigrations());
      assert.deepEqual(await schemaOf(other), await schemaOf(pool));
    }));

  test("ten runners at once converge", async (pool, url) => {
    const storages = Array.from({ length: 10 }, () => mysqlStorage(url.href));
    await Promise.all(storages.map((storage) => storage.migrate()));
    await Promise.all(storages.map((storage) => storage.close()));
    assert.equal(((await schemaOf(pool)) as [unknown[]])[0].length, tables.length);
  });

  test("a migration that was interrupted anywhere is finished by the next run", (pool) =>
    onEmpty(async (other) => {
      await mysqlStorage(pool).migrate();
      const whole = await schemaOf(pool);
      const statements = mysqlMigrations()
        .split(";\n")
        .filter((statement) => statement.trim() !== "");
      for (let done = 0; done <= statements.length; done++) {
        for (const statement of statements.slice(0, done)) await other.query(statement);
        await mysqlStorage(other).migrate();
        assert.deepEqual(await schemaOf(other), whole);
        await other.query(
          `SET foreign_key_checks = 0; DROP TABLE ${tables.map((name) => `whodid_${name}`).join(", ")}`,
        );
      }
    }));

  test("a runner waits for another that brings the schema up to date", async (pool, url) => {
    const holder = await pool.getConnection();
    // Held, so that the first runner stays at the note of its first migration.
    await holder.query("CREATE TABLE whodid_migrations (number INT NOT NULL PRIMARY KEY) ENGINE=InnoDB");
    await holder.beginTransaction();
    await holder.query("INSERT INTO whodid_migrations VALUES (1)");
    const runners = mysql.createPool(url.href);
    const migrate = (): Promise<unknown> =>
      mysqlStorage(runners)
        .migrate()
        .then(
          () => "migrated",
          (error: unknown) => error,
        );
    try {
      const first = migrate();
      await isRunning(pool, "INSERT INTO whodid_migrations%");
      const second = migrate();
      await isRunning(pool, "SELECT GET_LOCK(%");
      await holder.rollback();
      assert.deepEqual(await Promise.all([first, second]), ["migrated", "migrated"]);
      assert.equal(((await schemaOf(pool)) as [unknown[]])[0].length, tables.length);
    } finally {
      holder.destroy();
      await runners.end();
    }
  });

  test("an item completed by hand before times were kept stays completed, without a time", async (pool) => {
    const [before] = mysqlMigrations().split("ALTER TABLE whodid_completions");
    await pool.query(before!);
    const storage = mysqlStorage(pool);
    const tracker = createTracker({ storage });
    const items = [{ key: "call", name: "Take the call" }];
    await pool.query(
      "INSERT INTO whodid_definitions VALUES (UNHEX(REPLACE(UUID(), '-', '')), 'default', 'checklist', 'start', ?, 1)",
      [JSON.stringify({ name: "Start", items })],
    );
    await pool.query(
      `INSERT INTO whodid_contacts (id, workspace, email, attributes, created_at, updated_at)
VALUES (UNHEX(REPLACE(UUID(), '-', '')), 'default', 'ada@example.com', '{}', 1, 1)`,
    );
    await pool.query(
      "INSERT INTO whodid_completions SELECT c.id, d.id, 'call' FROM whodid_contacts c, whodid_definitions d",
    );
    await storage.migrate();
    const shown = { itemKey: "call", name: "Take the call", description: null, href: null };
    const item = { ...shown, automatic: false, completed: true, completedAt: null };
    assert.deepEqual((await tracker.checklists.progress("ada@example.com"))[0]!.items, [item]);
    const again = await tracker.checklists.complete("ada@example.com", "start", "call");
    assert.deepEqual(again.items, [item]);
  });

  test("consumers handle the changes of a subscription from before there were consumers", async (pool) => {
    const storage = mysqlStorage(pool);
    await storage.migrate();
    const tracker = createTracker({ storage });
    await tracker.subscriptions.define({ key: "crm", on: { contacts: true } });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await pool.query("DELETE FROM whodid_slots");
    await pool.query(/INSERT IGNORE INTO whodid_slots[^;]*/.exec(mysqlMigrations())![0]);
    const handled: string[] = [];
    await tracker.subscriptions.consume("crm", { until: "caught-up" }, ({ kind }) => void handled.push(kind));
    assert.deepEqual(handled, ["contact_created"]);
    await tracker.close();
  });

  test("an earlier version deletes a contact that dismissed a checklist", async (pool) => {
    const storage = mysqlStorage(pool);
    await storage.migrate();
    const tracker = createTracker({ storage });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "call", name: "Call" }] });
    await tracker.checklists.dismiss("ada@example.com", "start");
    // It deletes the rows of the tables that it knows, which are none here, and the contact.
    await pool.query("DELETE FROM whodid_contacts");
    const [rows] = await pool.query("SELECT * FROM whodid_dismissals");
    assert.deepEqual(rows, []);
  });

  test("a query finds contacts from before there were queries, and those that an earlier version still writes", async (pool) => {
    const [before] = mysqlMigrations().split("ALTER TABLE whodid_contacts\n  ADD COLUMN folded_external_id");
    await pool.query(before!);
    const columns = "id, workspace, email, external_id, name, attributes, created_at, updated_at";
    const insert = (n: number): Promise<unknown> =>
      pool.query(
        `INSERT INTO whodid_contacts (${columns}) VALUES (UNHEX(REPLACE(UUID(), '-', '')), 'default', ?, ?, ?, '{}', ?, ?)`,
        [`${n}@example.com`, `EXT_${n}`, `Ñame ${n}`, n, n],
      );
    await insert(1);
    const storage = mysqlStorage(pool);
    await storage.migrate();
    await insert(2);
    const { contacts } = createTracker({ storage });
    const found = async (query: string): Promise<number> => (await contacts.list({ query })).items.length;
    assert.deepEqual([await found("ext_"), await found("ÑAME"), await found("ñame")], [2, 2, 0]);
    await pool.query("UPDATE whodid_contacts SET name = 'Grace' WHERE email = '1@example.com'");
    assert.deepEqual([await found("grace"), await found("Ñame")], [1, 1]);
  });

  test("an earlier version goes on with the wider index of events, and its events are counted", async (pool) => {
    const [before, migration] = mysqlMigrations().split(/(?=ALTER TABLE whodid_events\n {2}DROP KEY)/);
    await pool.query(before!);
    const insert = (n: number): Promise<unknown> =>
      pool.query(
        `INSERT INTO whodid_events (id, workspace, contact_id, event_key, properties, created_at)
SELECT UNHEX(REPLACE(UUID(), '-', '')), 'default', id, 'step', '{}', ? FROM whodid_contacts`,
        [n],
      );
    await pool.query(
      `INSERT INTO whodid_contacts (id, workspace, email, attributes, created_at, updated_at)
VALUES (UNHEX(REPLACE(UUID(), '-', '')), 'default', 'ada@example.com', '{}', 1, 1)`,
    );
    await insert(1);
    const list = `SELECT e.created_at FROM whodid_events e FORCE INDEX (by_creation)
WHERE e.workspace = 'default' ORDER BY e.created_at DESC, e.id DESC LIMIT 2`;
    // The earlier version has prepared it before the migration.
    await pool.execute(list);
    const storage = mysqlStorage(pool);
    assert.deepEqual(await storage.migrate(), [31]);
    assert.match(migration!, /\bwhodid_migrations\b.*\(31\)/);
    await insert(2);
    assert.deepEqual((await pool.execute(list))[0], [{ created_at: 2 }, { created_at: 1 }]);
    const span = { from: 0, to: 3 };
    const counted = { events: 2, contacts: 1, newContacts: 1 };
    assert.deepEqual(await storage.countActivity("default", null, [span], 0), [counted]);
  });

  test("a statement that meets another node's is run again", async (pool, url) => {
    const proxy = await startProxy(url.href);
    const storage = mysqlStorage(proxy.url);
    try {
      for (const errno of [1213, 1317]) {
        for (const of of ["SELECT MAX(number)", "CREATE TABLE whodid_events", "INSERT INTO whodid_migrations"])
          proxy.instead.push({ of, send: "ROLLBACK", errno });
      }
      await storage.migrate();
      assert.deepEqual(proxy.instead, []);
      assert.equal(((await schemaOf(pool)) as [unknown[]])[0].length, tables.length);
    } finally {
      await storage.close();
      await proxy.close();
    }
  });

  test("an empty schema needs no other rights than those that the guide to a deployment names", (pool, url) => {
    const guide = readFileSync(join(import.meta.dirname, "../../../../examples/deploy/README.md"), "utf8");
    const needed = /migrate` needs ([A-Z, and]+) too.* with `--views` also ([A-Z, and]+)\./.exec(guide) ?? [];
    const makeTables = async (storage: MysqlStorage): Promise<void> =>
      assert.ok((await storage.migrate({ views: true })).length > 0);
    return withRightsOnRows(pool, url, makeTables, `, ${needed.slice(1).join(", ").replaceAll(" and ", ", ")}`);
  });

  test("a current schema needs rights on rows alone", async (pool, url) => {
    await mysqlStorage(pool).migrate();
    await withRightsOnRows(pool, url, async (storage) => {
      await storage.migrate();
      assert.equal(await storage.findContact("default", { externalId: "a" }), null);
    });
  });

  test("so does the schema of a newer version", async (pool, url) => {
    await mysqlStorage(pool).migrate();
    await pool.query("INSERT INTO whodid_migrations SELECT MAX(number) + 1 FROM whodid_migrations");
    await withRightsOnRows(pool, url, async (storage) => {
      await storage.migrate();
      assert.equal(await storage.findContact("default", { externalId: "a" }), null);
    });
  });
});
