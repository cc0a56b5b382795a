import assert from "node:assert/strict";
import { mysqlMigrations } from "../../../adapters/mysql/index.ts";
import { database, databaseSuite } from "../../support/mysql.ts";
import { plainSqlCases } from "../../support/plain-sql.ts";
import { suite } from "../../support/suite.ts";

databaseSuite({ name: "views for plain SQL", atOnce: 3 }, await database(), plainSqlCases);

suite("the SQL of the views", (test) => {
  test("has the prefix everywhere, and is printed only if asked for", () => {
    const sql = mysqlMigrations({ tablePrefix: "acme_", views: true });
    assert.deepEqual(
      Array.from(sql.matchAll(/CREATE OR REPLACE SQL SECURITY INVOKER VIEW (\w+)/g), ([, name]) => name),
      ["acme_v_contacts", "acme_v_events", "acme_v_summaries", "acme_v_attributes"],
    );
    assert.ok(!sql.includes("whodid"));
    assert.ok(!mysqlMigrations().includes("VIEW"));
  });
});
