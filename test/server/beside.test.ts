import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPool, type RowDataPacket } from "mysql2/promise";
import { callCommand } from "../support/call-command.ts";
import { database, databaseSuite } from "../support/mysql.ts";
import { withServer } from "../support/server-process.ts";

const readme = readFileSync(join(import.meta.dirname, "../../../server/README.md"), "utf8");
const [, recipe = ""] = /^export DATABASE_URL=\S+ TABLE_PREFIX=did_\n([\s\S]*?)^```/m.exec(readme) ?? [];
const commands = recipe.trim().split("\n");

databaseSuite("the recipe of a server beside an existing MySQL", await database(), (test, { createDatabase }) => {
  test("makes its tables beside those that are there, and a key that opens the server", async () => {
    const url = await createDatabase();
    const pool = createPool({ uri: url });
    try {
      await pool.query("CREATE TABLE orders (id INT PRIMARY KEY)");
      await pool.query("INSERT INTO orders VALUES (1)");
      const environment = { DATABASE_URL: url, TABLE_PREFIX: "did_" };
      assert.deepEqual([commands.length, commands.pop()], [3, "npx whodid serve"]);
      let printed = "";
      for (const command of commands) {
        const { exitCode, stdout, stderr } = await callCommand(command.split(" ").slice(2), environment);
        assert.deepEqual([exitCode, stderr], [0, ""]);
        printed = stdout;
      }
      const body = '{"email":"ada@example.com"}';
      const headers = { Authorization: `Bearer ${printed.trim()}` };
      await withServer(async ({ ask }) => assert.equal((await ask({ body, headers })).status, 201), environment);
      const [rows] = await pool.query<RowDataPacket[]>("SHOW TABLES");
      const others = rows.flatMap((row) => Object.values(row) as string[]).filter((name) => !name.startsWith("did_"));
      assert.deepEqual(others, ["orders"]);
      const [orders] = await pool.query("SELECT id FROM orders");
      assert.deepEqual(orders, [{ id: 1 }]);
    } finally {
      await pool.end();
    }
  });
});
