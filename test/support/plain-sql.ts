import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import mysql from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import type { Database } from "./database.ts";
import type { Test } from "./suite.ts";

interface Opened {
  tracker: Tracker;
  pool: mysql.Pool;
  url: URL;
  rows(sql: string): Promise<object[]>;
  at(time: string): void;
  migrate(): Promise<unknown>;
}

/** The tests of the views, for every server that they must work on. */
export function plainSqlCases(test: Test, server: Database): void {
  test("a view of contacts has every field, with times in UTC whatever the session's time zone", () =>
    onViews(server, async ({ tracker, rows, at, pool }) => {
      at("2026-03-29T01:30:00.123Z");
      const { contact } = await tracker.contacts.upsert({
        email: "ada@example.com",
        externalId: "Üser-😀",
        name: "Ada",
        phone: "+49 1",
        avatarUrl: "https://example.com/a.png",
        role: "admin",
        plan: "pro",
        signedUpAt: "0001-01-01T00:00:00.001Z",
      });
      await tracker
        .workspace("acme")
        .contacts.upsert({ email: "bo@example.com", signedUpAt: "9999-12-31T23:59:59.999Z" });
      const expected = [
        {
          id: contact.id,
          workspace: "default",
          external_id: "Üser-😀",
          email: "ada@example.com",
          name: "Ada",
          phone: "+49 1",
          avatar_url: "https://example.com/a.png",
          role: "admin",
          plan: "pro",
          signed_up_at: "0001-01-01 00:00:00.001",
          created_at: "2026-03-29 01:30:00.123",
          updated_at: "2026-03-29 01:30:00.123",
        },
      ];
      const select = `SELECT ${Object.keys(expected[0]!).join(", ")} FROM whodid_v_contacts WHERE workspace = 'default'`;
      for (const zone of ["+00:00", "-11:00", "+12:45"]) {
        await pool.query(`SET SESSION time_zone = '${zone}'`);
        assert.deepEqual(await rows(select), expected);
      }
      assert.deepEqual(
        await rows("SELECT external_id, name, signed_up_at FROM whodid_v_contacts WHERE workspace = 'acme'"),
        [{ external_id: "bo@example.com", name: null, signed_up_at: "9999-12-31 23:59:59.999" }],
      );
      assert.deepEqual(
        await rows("SELECT workspace_bytes, external_id_bytes FROM whodid_v_contacts ORDER BY workspace"),
        [
          { workspace_bytes: Buffer.from("acme"), external_id_bytes: Buffer.from("bo@example.com") },
          { workspace_bytes: Buffer.from("default"), external_id_bytes: Buffer.from("Üser-😀") },
        ],
      );
    }));

  test("views of events and summaries show their contact, key and times", () =>
    onViews(server, async ({ tracker, rows, at }) => {
      const { contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
      at("2026-01-02T03:04:05.678Z");
      const { event } = await tracker.events.track({
        externalId: "ada@example.com",
        eventKey: "Größe",
        properties: { total: 12 },
      });
      assert.deepEqual(
        await rows(
          "SELECT id, workspace, contact_id, external_id, event_key, properties, created_at FROM whodid_v_events",
        ),
        [
          {
            id: event.id,
            workspace: "default",
            contact_id: contact.id,
            external_id: "ada@example.com",
            event_key: "Größe",
            properties: '{"total":12}',
            created_at: "2026-01-02 03:04:05.678",
          },
        ],
      );
      assert.deepEqual(
        await rows("SELECT contact_id, external_id, event_key, event_count, first_at, last_at FROM whodid_v_summaries"),
        [
          {
            contact_id: contact.id,
            external_id: "ada@example.com",
            event_key: "Größe",
            event_count: 1,
            first_at: "2026-01-02 03:04:05.678",
            last_at: "2026-01-02 03:04:05.678",
          },
        ],
      );
    }));

  test("a view of attributes has a row for each value, of every type, with its key", () =>
    onViews(server, async ({ tracker, rows }) => {
      const long = `"quoted" \\ 😀\n${"é".repeat(2_000)}`;
      for (const [key, type] of [
        ["seats", "number"],
        ["trial", "boolean"],
        ["note", "text"],
        ["unset", "text"],
        ["ends", "date"],
        ["began", "date"],
      ] as const)
        await tracker.attributes.define({ key, type });
      const { contact } = await tracker.contacts.upsert({
        email: "ada@example.com",
        customAttributes: {
          seats: -0.5,
          trial: false,
          note: long,
          ends: "2026-11-30T00:00:00.123Z",
          began: "0001-01-01",
        },
      });
      await tracker.workspace("acme").attributes.define({ key: "seats", type: "number" });
      await tracker.workspace("acme").contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 7 } });
      const row = { workspace: "default", contact_id: contact.id, external_id: "ada@example.com", date_value: null };
      const date = { type: "date", value: "-62135596800000", date_value: "0001-01-01 00:00:00.000" };
      const began = { attribute_key: "began", ...date };
      const ends = { attribute_key: "ends", ...date, value: "1795996800123", date_value: "2026-11-30 00:00:00.123" };
      assert.deepEqual(
        await rows(
          `SELECT workspace, contact_id, external_id, attribute_key, type, value, date_value FROM whodid_v_attributes
WHERE workspace = 'default' ORDER BY attribute_key`,
        ),
        [
          { ...row, ...began },
          { ...row, ...ends },
          { ...row, attribute_key: "note", type: "text", value: long },
          { ...row, attribute_key: "seats", type: "number", value: "-0.5" },
          { ...row, attribute_key: "trial", type: "boolean", value: "false" },
        ],
      );
      assert.deepEqual(await rows("SELECT value + 0 AS seats FROM whodid_v_attributes WHERE workspace = 'acme'"), [
        { seats: 7 },
      ]);
    }));

  test("a view refuses a user without rights on the tables", () =>
    onViews(server, async ({ pool, url }) => {
      const schema = url.pathname.slice(1);
      const limited = new URL(url);
      limited.username = `v${schema.slice(-20)}`;
      limited.password = "only-views";
      const user = `'${limited.username}'@'127.0.0.1'`;
      await pool.query(`CREATE USER ${user} IDENTIFIED BY '${limited.password}'`);
      try {
        for (const view of views) await pool.query(`GRANT SELECT ON ${schema}.whodid_v_${view} TO ${user}`);
        const connection = await mysql.createConnection(limited.href);
        for (const view of views) await assert.rejects(connection.query(`SELECT * FROM whodid_v_${view}`), isRefusal);
        for (const table of ["contacts", "events", "summaries", "definitions"])
          await pool.query(`GRANT SELECT ON ${schema}.whodid_${table} TO ${user}`);
        for (const view of views) await connection.query(`SELECT * FROM whodid_v_${view}`);
        await connection.end();
      } finally {
        await pool.query(`DROP USER ${user}`);
      }
    }));

  test("a dropped or changed view is replaced", () =>
    onViews(server, async ({ pool, rows, migrate }) => {
      await pool.query("DROP VIEW whodid_v_events");
      await pool.query("CREATE OR REPLACE VIEW whodid_v_contacts AS SELECT 1 AS other");
      await migrate();
      assert.deepEqual(await rows("SELECT id FROM whodid_v_events"), []);
      assert.deepEqual(await rows("SELECT id FROM whodid_v_contacts"), []);
    }));

  test("text compares by its bytes, whatever the collation of the other column", () =>
    onViews(server, async (opened) => {
      await fill(opened);
      assert.deepEqual(
        await opened.rows(
          "SELECT external_id FROM whodid_v_contacts c JOIN users u ON u.id = c.external_id WHERE c.workspace = 'default'",
        ),
        [{ external_id: "u_1" }, { external_id: "u_2" }],
      );
      assert.deepEqual(
        await opened.rows("SELECT external_id FROM whodid_v_events GROUP BY external_id ORDER BY external_id"),
        [{ external_id: "U_1" }, { external_id: "u_1" }, { external_id: "u_2" }, { external_id: "u_9" }],
      );
    }));

  test("the statements of the README answer months, steps and users", () =>
    onViews(server, async (opened) => {
      await fill(opened);
      const readme = await readFile(join(import.meta.dirname, "../../../adapters/mysql/README.md"), "utf8");
      const statements = Array.from(readme.matchAll(/^```sql\n([\s\S]*?)^```/gm), ([, sql]) => sql!);
      assert.deepEqual(await Promise.all(statements.map(opened.rows)), [
        [
          { month: "2025-12", active: 1 },
          { month: "2026-01", active: 2 },
          { month: "2026-02", active: 1 },
        ],
        [{ signed_up: 3, created: "2", ordered: "1" }],
        [
          { id: "u_1", country: "GB", orders: 2, last_order: "2026-02-03 00:00:00.000" },
          { id: "u_2", country: "DE", orders: null, last_order: null },
          { id: "u_9", country: "FR", orders: null, last_order: null },
        ],
      ]);
    }));
}

/** MariaDB answers 1356, that the invoker of a view lacks rights; MySQL names the table or column. */
function isRefusal({ errno }: { errno: number }): boolean {
  return [1356, 1142, 1143].includes(errno);
}

const views = ["contacts", "events", "summaries", "attributes"];

/** A migrated schema with its views. The pool has one connection, so that a setting of its session stays. */
async function onViews(server: Database, run: (opened: Opened) => Promise<void>): Promise<void> {
  const url = new URL(await server.createDatabase());
  const pool = mysql.createPool({ uri: url.href, connectionLimit: 1, dateStrings: true });
  const storage = mysqlStorage(url.href);
  let now = new Date("2026-01-01T00:00:00Z");
  try {
    await storage.migrate({ views: true });
    await run({
      tracker: createTracker({ storage, now: () => now }),
      pool,
      url,
      rows: async (sql) => (await pool.query<mysql.RowDataPacket[]>(sql))[0].map((row) => ({ ...row })),
      at: (time) => void (now = new Date(time)),
      migrate: () => storage.migrate({ views: true }),
    });
  } finally {
    await storage.close();
    await pool.query(`DROP DATABASE ${url.pathname.slice(1)}`);
    await pool.end();
  }
}

/** Four contacts, one of them of another workspace, and the users of an app. */
async function fill({ tracker, pool, at }: Opened): Promise<void> {
  await pool.query(
    `CREATE TABLE users (id VARCHAR(50) NOT NULL PRIMARY KEY, country CHAR(2)) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
  );
  await pool.query("INSERT INTO users VALUES ('u_1', 'GB'), ('u_2', 'DE'), ('u_9', 'FR')");
  const days: [string, string, string][] = [
    ["u_1", "signup_completed", "2026-01-01"],
    ["u_2", "signup_completed", "2026-01-02"],
    ["u_1", "project_created", "2026-01-31"],
    ["u_2", "project_created", "2026-01-31"],
    ["u_1", "order_completed", "2026-02-01"],
    ["u_1", "order_completed", "2026-02-03"],
    // Signed up after the first project.
    ["U_1", "project_created", "2025-12-01"],
    ["U_1", "signup_completed", "2025-12-02"],
  ];
  for (const [externalId, eventKey, day] of days) {
    at(`${day}T00:00:00Z`);
    await tracker.contacts.upsert({ email: `${externalId === "U_1" ? "other" : externalId}@example.com`, externalId });
    await tracker.events.track({ externalId, eventKey });
  }
  const acme = tracker.workspace("acme");
  await acme.contacts.upsert({ email: "cy@example.com", externalId: "u_9" });
  await acme.events.track({ externalId: "u_9", eventKey: "order_completed" });
}
