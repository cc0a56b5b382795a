import assert from "node:assert/strict";
import mysql from "mysql2/promise";
import { mysqlMigrations, mysqlStorage } from "../../adapters/mysql/index.ts";
import { database } from "../support/mysql.ts";
import { suite } from "../support/suite.ts";

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
  "completions",
  "contacts",
  "definitions",
  "events",
  "migrations",
  "summaries",
];

suite("migrations", (test) => {
  test("the SQL can be had without a database, with any prefix", () => {
    const sql = mysqlMigrations({ tablePrefix: "acme_" });
    assert.deepEqual(
      new Set([...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name)),
      new Set(tables.map((name) => `acme_${name}`)),
    );
    assert.ok(!sql.includes("whodid"));
  });

  if (!server) return;

  test("an empty schema gets its tables, and a second run changes nothing", () =>
    onEmpty(async (pool) => {
      const storage = mysqlStorage(pool);
      await storage.migrate();
      const schema = await schemaOf(pool);
      await storage.migrate();
      assert.deepEqual(await schemaOf(pool), schema);
      assert.deepEqual((schema as [unknown[], unknown[]])[0].length, tables.length);
    }));

  test("the printed SQL makes the same schema", () =>
    onEmpty((pool) =>
      onEmpty(async (other) => {
        await mysqlStorage(pool).migrate();
        await other.query(mysqlMigrations());
        assert.deepEqual(await schemaOf(other), await schemaOf(pool));
      }),
    ));

  test("ten runners at once converge", () =>
    onEmpty(async (pool, url) => {
      const storages = Array.from({ length: 10 }, () => mysqlStorage(url.href));
      await Promise.all(storages.map((storage) => storage.migrate()));
      await Promise.all(storages.map((storage) => storage.close()));
      assert.equal(((await schemaOf(pool)) as [unknown[]])[0].length, tables.length);
    }));

  test("a migration that was interrupted anywhere is finished by the next run", () =>
    onEmpty((pool) =>
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
      }),
    ));

  test("a current schema needs no right to make tables", () =>
    onEmpty(async (pool, url) => {
      await mysqlStorage(pool).migrate();
      const schema = url.pathname.slice(1);
      const user = `u${schema.slice(-20)}`;
      await pool.query(`CREATE USER '${user}'@'127.0.0.1' IDENTIFIED BY 'only-rows'`);
      await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.* TO '${user}'@'127.0.0.1'`);
      const limited = new URL(url);
      limited.username = user;
      limited.password = "only-rows";
      const storage = mysqlStorage(limited.href);
      await storage.migrate();
      assert.equal(await storage.findContact("default", "a"), null);
      await storage.close();
      await pool.query(`DROP USER '${user}'@'127.0.0.1'`);
    }));
});
