import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mysqlMigrations } from "../../adapters/mysql/index.ts";
import { generateApiKey } from "../../lib/api-keys.ts";
import type { ApiKey } from "../../lib/types.ts";
import { database, databaseSuite } from "../support/mysql.ts";
import { runCommand, withServer, type Finished } from "../support/server-process.ts";
import { suite } from "../support/suite.ts";
import { withoutMysql2 } from "../support/without-mysql2.ts";

suite("the command migrate", (test) => {
  test("prints the SQL without a database", async () => {
    const { exitCode, stdout } = await runCommand(["migrate", "--print"], { TABLE_PREFIX: "w_" });
    assert.equal(exitCode, 0);
    assert.equal(stdout, `${mysqlMigrations({ tablePrefix: "w_" })}\n`);
  });

  test("says in a line how to install mysql2 where it is missing", async () => {
    const DATABASE_URL = "mysql://nobody@127.0.0.1:1/nowhere";
    const result = await runCommand(["migrate"], { DATABASE_URL, NODE_OPTIONS: `--import=${withoutMysql2}` });
    assert.deepEqual(result, {
      exitCode: 1,
      stdout: "",
      stderr: "whodid: needs the package mysql2 for a database URL: npm i mysql2\n",
    });
  });

  test("says in a line that a database cannot be reached, and does not repeat its URL", async () => {
    const result = await runCommand(["migrate"], { DATABASE_URL: "mysql://root:secret@127.0.0.1:1/whodid" });
    assert.deepEqual(result, {
      exitCode: 1,
      stdout: "",
      stderr: "whodid: DATABASE_URL: the database cannot be reached: ECONNREFUSED.\n",
    });
  });
});

databaseSuite("the command on a database", await database(), (test, { createDatabase }) => {
  const onFresh = async (
    run: (command: (...args: string[]) => Promise<Finished>) => Promise<void>,
    migrated = true,
  ): Promise<void> => {
    const DATABASE_URL = await createDatabase();
    const command = (...args: string[]): Promise<Finished> => runCommand(args, { DATABASE_URL });
    if (migrated) assert.equal((await command("migrate")).stderr, "");
    await run(command);
  };

  test("asks for migrate where a table is missing", () =>
    onFresh(async (command) => {
      const { exitCode, stderr } = await command("keys", "list");
      assert.deepEqual([exitCode, stderr], [1, "whodid: A table is missing: run `whodid migrate`.\n"]);
    }, false));

  test("migrates twice", () =>
    onFresh(async (command) => {
      assert.deepEqual(await command("migrate"), { exitCode: 0, stdout: "The tables are up to date.\n", stderr: "" });
    }));

  test("creates, lists and revokes keys, of one workspace", () =>
    onFresh(async (command) => {
      const created = await command("keys", "create", "--name", "backend", "--workspace", "acme");
      assert.match(created.stdout, /^sk_[A-Za-z0-9_-]{43}\n$/);
      assert.equal((await command("keys", "list")).stdout, "");
      const listed = await command("keys", "list", "--workspace", "acme", "--json");
      const [key, ...others] = JSON.parse(listed.stdout) as ApiKey[];
      assert.deepEqual([key?.name, key?.prefix, others], ["backend", created.stdout.slice(0, 12), []]);
      assert.match((await command("keys", "list", "--workspace", "acme")).stdout, /last used never {2}backend\n$/);
      assert.equal((await command("keys", "revoke", key!.id)).stderr, "whodid: There is no such API key.\n");
      assert.equal((await command("keys", "revoke", key!.id, "--workspace", "acme")).exitCode, 0);
      assert.equal((await command("keys", "list", "--workspace", "acme")).stdout, "");
    }));

  test("takes no workspace of another form", () =>
    onFresh(async (command) => {
      const { exitCode, stderr } = await command("keys", "list", "--workspace", "Acme");
      assert.equal(exitCode, 2);
      assert.match(stderr, /^whodid: A workspace's name is/);
    }));

  test("provisions a file, twice the same, and names what it refuses", () =>
    onFresh(async (command) => {
      const folder = await mkdtemp(join(tmpdir(), "whodid-test-"));
      const file = join(folder, "definitions.json");
      try {
        await writeFile(file, '{"attributes":[{"key":"seats","type":"number"}]}');
        for (let time = 0; time < 2; time++) {
          assert.equal((await command("provision", file)).stdout, "The definitions are made.\n");
        }
        await writeFile(file, '{"attributes":[{"key":"seats","type":"text"}]}');
        const { exitCode, stderr } = await command("provision", file);
        assert.equal(exitCode, 1);
        assert.match(stderr, /The attribute is defined with another type\.\n$/);
      } finally {
        await rm(folder, { recursive: true });
      }
    }));

  test("serves what it kept when it served before, with the same key, and says how to make one", async () => {
    const environment = { DATABASE_URL: await createDatabase(), API_KEY: generateApiKey() };
    await withServer(async ({ ask, stop }) => {
      assert.equal((await ask({ body: '{"email":"ada@example.com"}' })).status, 201);
      assert.deepEqual((await stop()).exitCode, 0);
    }, environment)();
    await withServer(async ({ ask }) => {
      assert.equal((await ask({ target: "/api/v1/contacts/ada@example.com" })).status, 200);
      assert.equal((await ask({ target: "/healthz" })).status, 200);
    }, environment)();
    await withServer(
      async ({ output }) => assert.match(output.stdout, /`whodid keys create --name NAME` makes one\.\n$/),
      { DATABASE_URL: environment.DATABASE_URL },
    )();
  });
});
