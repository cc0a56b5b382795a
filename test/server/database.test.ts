import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "../../adapters/mysql/migrations/index.ts";
import { mysqlMigrations, mysqlStorage } from "../../adapters/mysql/index.ts";
import { generateApiKey } from "../../lib/api-keys.ts";
import { createTracker, type ApiKey } from "../../lib/index.ts";
import { callCommand } from "../support/call-command.ts";
import { database, databaseSuite, mysqlBy } from "../support/mysql.ts";
import { runCommand, withServer, type Finished } from "../support/server-process.ts";
import { suite } from "../support/suite.ts";
import { withoutPackage } from "../support/without-package.ts";

suite({ name: "the command migrate", atOnce: 3 }, (test) => {
  test("prints the SQL without a database", async () => {
    const { exitCode, stdout } = await callCommand(["migrate", "--print"], { TABLE_PREFIX: "w_" });
    assert.equal(exitCode, 0);
    assert.equal(stdout, `${mysqlMigrations({ tablePrefix: "w_" })}\n`);
  });

  test("says in a line how to install mysql2 where it is missing", async () => {
    const DATABASE_URL = "mysql://nobody@127.0.0.1:1/nowhere";
    const result = await runCommand(["migrate"], {
      DATABASE_URL,
      NODE_OPTIONS: `--import=${withoutPackage("mysql2")}`,
    });
    assert.deepEqual(result, {
      exitCode: 1,
      stdout: "",
      stderr: "whodid: needs the package mysql2 for a database URL: npm i mysql2\n",
    });
  });

  for (const [what, url, line] of [
    ["an SSL profile that there is not", "mysql://root:secret@127.0.0.1/w?ssl=nope", "Unknown SSL profile 'nope'."],
    ["a charset that there is not", "mysql://root:secret@127.0.0.1/w?charset=nope", "Unknown charset 'nope'."],
    ["a broken password", "mysql://root:secret%@127.0.0.1/w", "URI malformed."],
  ] as const) {
    test(`names in a line what is wrong with DATABASE_URL: ${what}`, async () => {
      const stderr = `whodid: needs a database URL that mysql2 takes: ${line}\n`;
      assert.deepEqual(await callCommand(["migrate"], { DATABASE_URL: url }), { exitCode: 1, stdout: "", stderr });
    });
  }

  test("names in a line which of several hosts is wrong", async () => {
    const stderr =
      "whodid: needs a host, or a host and a port, between the commas of a database URL; number 2 of 3 is neither.\n";
    const result = await callCommand(["migrate"], { DATABASE_URL: "mysql://root:secret@a,b:x,c/w" });
    assert.deepEqual(result, { exitCode: 1, stdout: "", stderr });
  });

  test("says in a line that a database cannot be reached, and does not repeat its URL", async () => {
    const result = await callCommand(["migrate"], { DATABASE_URL: "mysql://root:secret@127.0.0.1:1/whodid" });
    assert.deepEqual(result, {
      exitCode: 1,
      stdout: "",
      stderr: "whodid: DATABASE_URL: the database cannot be reached: ECONNREFUSED.\n",
    });
  });
});

databaseSuite({ name: "the command on a database", atOnce: 3 }, await database(), (test, server) => {
  const { createDatabase } = server;
  const onMysql = mysqlBy(server);
  type Command = (...args: string[]) => Promise<Finished>;
  const commandOn =
    (DATABASE_URL: string): Command =>
    (...args) =>
      callCommand(args, { DATABASE_URL });
  const onMigrated = (run: (command: Command) => Promise<void>): Promise<void> =>
    onMysql(({ url }) => run(commandOn(url)));
  const onFresh = async (run: (command: Command) => Promise<void>): Promise<void> =>
    run(commandOn(await createDatabase()));

  test("says that the password is wrong, as the storage does", async () => {
    const url = new URL(await createDatabase());
    url.password = "wrong";
    const said = "The database refuses the user or the password.";
    assert.deepEqual(await callCommand(["migrate"], { DATABASE_URL: url.href }), {
      exitCode: 1,
      stdout: "",
      stderr: `whodid: DATABASE_URL: ER_ACCESS_DENIED_ERROR: ${said}\n`,
    });
    const storage = mysqlStorage(url.href);
    try {
      await assert.rejects(storage.migrate(), { code: "internal", message: said });
    } finally {
      await storage.close();
    }
  });

  test("asks for migrate where a table is missing", () =>
    onFresh(async (command) => {
      const { exitCode, stderr } = await command("keys", "list");
      assert.deepEqual([exitCode, stderr], [1, "whodid: A table is missing: run `whodid migrate`.\n"]);
    }));

  test("says which migrations it ran, none of them twice", () =>
    onFresh(async (command) => {
      const last = migrations.length;
      for (const ran of [`Ran the migrations 1 to ${last}.\n`, ""]) {
        const stdout = `${ran}The tables are up to date.\n`;
        assert.deepEqual(await command("migrate"), { exitCode: 0, stdout, stderr: "" });
      }
      assert.deepEqual(await command("keys", "list"), { exitCode: 0, stdout: "", stderr: "" });
    }));

  test("makes views only with --views, which can be printed too", () =>
    onMigrated(async (command) => {
      const stdout = "The tables and views are up to date.\n";
      for (let time = 0; time < 2; time++)
        assert.deepEqual(await command("migrate", "--views"), { exitCode: 0, stdout, stderr: "" });
      assert.equal((await command("migrate", "--print", "--views")).stdout, `${mysqlMigrations({ views: true })}\n`);
      assert.equal((await command("migrate", "--view")).exitCode, 2);
    }));

  test("creates, lists and revokes keys, of one workspace", () =>
    onMigrated(async (command) => {
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

  test("lists workspaces, and deletes one with --yes, never the default", () =>
    onMysql(async ({ url: DATABASE_URL }) => {
      const command = commandOn(DATABASE_URL);
      for (const workspace of ["default", "acme"])
        await command("keys", "create", "--name", "a", "--workspace", workspace);
      assert.deepEqual((await command("workspaces", "list")).stdout, "acme\ndefault\n");
      assert.equal((await command("workspaces", "delete", "acme")).exitCode, 2);
      assert.deepEqual(await command("workspaces", "delete", "default", "--yes"), {
        exitCode: 1,
        stdout: "",
        stderr: "whodid: name: the workspace `default` cannot be deleted.\n",
      });
      // Waits for 20 s: in a process of its own it keeps no other command waiting.
      const deleted = await runCommand(["workspaces", "delete", "acme", "--yes"], { DATABASE_URL });
      assert.equal(deleted.stdout, "deleted acme with 0 contacts, 0 events, 0 definitions and 1 API keys\n");
      const listed = await command("workspaces", "list", "--json");
      assert.deepEqual(JSON.parse(listed.stdout), [{ name: "default", deletedAt: null }]);
      assert.deepEqual(await command("workspaces", "delete", "acme", "--yes"), {
        exitCode: 1,
        stdout: "",
        stderr: 'whodid: There is no workspace "acme": see `whodid workspaces list`.\n',
      });
    }));

  test("prints control characters and line breaks escaped", () =>
    onMigrated(async (command) => {
      const { stdout } = await command("keys", "create", "--name", "a\u001b[2J\u009b\nb\u2028");
      assert.match(stdout, /^sk_/);
      assert.match((await command("keys", "list")).stdout, /^[^\n]+ {2}a\\u001b\[2J\\u009b\\u000ab\\u2028\n$/);
      const listed = (await command("keys", "list", "--json")).stdout;
      assert.match(listed, /^[ -~…]+\n$/);
      assert.equal((JSON.parse(listed) as ApiKey[])[0]?.name, "a\u001b[2J\u009b\nb\u2028");
    }));

  test("takes no workspace of another form", () =>
    onMigrated(async (command) => {
      const { exitCode, stderr } = await command("keys", "list", "--workspace", "Acme");
      assert.equal(exitCode, 2);
      assert.match(stderr, /^whodid: A workspace's name is/);
    }));

  test("names what is wrong with an argument", () =>
    onMigrated(async (command) => {
      assert.equal((await command("keys", "create", "--name", " ")).stderr, "whodid: name: must not be blank.\n");
      const { exitCode, stderr } = await command("audiences", "count", "win-back");
      assert.deepEqual(
        [exitCode, stderr],
        [1, "whodid: key: must be a letter followed by letters, digits and underscores, of ASCII.\n"],
      );
    }));

  test("provisions a file, twice the same, and names what it refuses", () =>
    onMigrated(async (command) => {
      const folder = await mkdtemp(join(tmpdir(), "whodid-test-"));
      const file = join(folder, "definitions.json");
      try {
        await writeFile(file, '{"attributes":[{"key":"seats","type":"number"}]}');
        for (let time = 0; time < 2; time++) {
          const { stdout } = await command("provision", file);
          assert.equal(stdout, `${time === 0 ? "created" : "left"}  attribute seats\n`);
        }
        await writeFile(file, '{"attributes":[{"key":"seats","type":"text"}]}');
        const { exitCode, stderr } = await command("provision", file);
        assert.equal(exitCode, 1);
        assert.match(stderr, /The attribute "\w+" is defined with the type \w+\.\n$/);
      } finally {
        await rm(folder, { recursive: true });
      }
    }));

  test("lists and answers audiences and checklists, as text and as JSON", () =>
    onMysql(async ({ url, storage }) => {
      const tracker = createTracker({ storage, now: () => new Date("2026-01-31T09:00:00.000Z") });
      const rule = { kind: "has_done", eventKey: "step" } as const;
      await tracker.provision({
        audiences: [{ key: "doers", name: "Doers", rule }],
        checklists: [
          {
            key: "start",
            name: "Start",
            items: [
              { key: "one", name: "One", when: rule },
              { key: "two", name: "Two" },
              { key: "three", name: "Three" },
            ],
          },
        ],
      });
      const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
      await tracker.events.track({ externalId: "ada", eventKey: "step" });
      await tracker.checklists.complete("ada", "start", "two");
      const textOf = async (...args: string[]): Promise<string> =>
        (await callCommand(args, { DATABASE_URL: url })).stdout;
      const jsonOf = async (...args: string[]): Promise<unknown> => JSON.parse(await textOf(...args, "--json"));

      assert.equal(await textOf("audiences", "list"), 'doers  {"kind":"has_done","eventKey":"step"}  Doers\n');
      assert.equal(await textOf("audiences", "count", "doers"), "1\n");
      assert.equal(await textOf("audiences", "members", "doers"), `${contact.id}  ada  ada@example.com\n`);
      assert.equal(
        await textOf("audiences", "explain", "doers", "ada"),
        'a member\n  [x] {"kind":"has_done","eventKey":"step"}  1 times, first 2026-01-31T09:00:00.000Z, last 2026-01-31T09:00:00.000Z\n',
      );
      assert.equal(await textOf("checklists", "list"), "start  3 items  Start\n");
      assert.equal(
        await textOf("checklists", "progress", "ada"),
        [
          "start  2 of 3  Start",
          "  [x] one  One  2026-01-31T09:00:00.000Z",
          "  [x] two  Two  by hand  2026-01-31T09:00:00.000Z",
          "  [ ] three  Three  by hand",
          "",
        ].join("\n"),
      );

      await tracker.checklists.dismiss("ada", "start");
      assert.match(
        await textOf("checklists", "progress", "ada"),
        /^start {2}2 of 3 {2}Start {2}dismissed 2026-01-31T09:00:00\.000Z\n/,
      );

      assert.deepEqual(await jsonOf("audiences", "list"), await tracker.audiences.list());
      assert.deepEqual(await jsonOf("audiences", "count", "doers"), { count: 1 });
      assert.deepEqual(await jsonOf("audiences", "members", "doers"), contact);
      assert.deepEqual(
        await jsonOf("audiences", "explain", "doers", "ada"),
        await tracker.audiences.explain("doers", "ada"),
      );
      assert.deepEqual(await jsonOf("checklists", "list"), await tracker.checklists.list());
      assert.deepEqual(await jsonOf("checklists", "progress", "ada"), await tracker.checklists.progress("ada"));
      const { exitCode, stderr } = await callCommand(["audiences", "count", "nobody"], { DATABASE_URL: url });
      assert.deepEqual([exitCode, stderr], [1, 'whodid: There is no audience "nobody".\n']);
    }));

  test("says when it lets an API_KEY in, which may have been revoked, and not when that is there", async () => {
    const environment = { DATABASE_URL: await createDatabase(), API_KEY: generateApiKey() };
    const warning =
      /^\{"time":"[^"]+","event":"warning","message":"API_KEY was not in the database and is let in now; /m;
    const isWarned = async (): Promise<boolean> => {
      let warned = false;
      await withServer(async ({ output }) => void (warned = warning.test(output.stderr)), environment);
      return warned;
    };
    assert.deepEqual([await isWarned(), await isWarned()], [true, false]);
    const [key] = JSON.parse((await callCommand(["keys", "list", "--json"], environment)).stdout) as ApiKey[];
    assert.equal((await callCommand(["keys", "revoke", key!.id], environment)).exitCode, 0);
    assert.deepEqual([await isWarned(), await isWarned()], [true, false]);
  });

  test("serves what it kept when it served before, with the same key, and says how to make one", async () => {
    const environment = { DATABASE_URL: await createDatabase(), API_KEY: generateApiKey() };
    await withServer(async ({ ask, stop }) => {
      assert.equal((await ask({ body: '{"email":"ada@example.com"}' })).status, 201);
      assert.deepEqual((await stop()).exitCode, 0);
    }, environment);
    await withServer(async ({ ask }) => {
      assert.equal((await ask({ target: "/api/v1/contacts/ada@example.com" })).status, 200);
      assert.equal((await ask({ target: "/healthz" })).status, 200);
    }, environment);
    await withServer(
      async ({ output }) =>
        assert.match(output.stdout, /`whodid keys create --name NAME --access admin` makes one\.\n$/),
      { DATABASE_URL: environment.DATABASE_URL },
    );
  });
});
