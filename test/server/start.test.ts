import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { assertRefusesToStart } from "../support/call-command.ts";
import { listening } from "../support/loopback.ts";
import { withServer } from "../support/server-process.ts";
import { suite, testsOn } from "../support/suite.ts";

const wellFormed = `sk_${"Ab3-_".repeat(9)}`.slice(0, 46);
const target = "/api/v1/contacts/nobody";

suite({ name: "the server's start", atOnce: 3 }, (define) => {
  const test = testsOn(define, withServer);
  test("prints the address, one key, and how to try it", async ({ port, key, output, ask }) => {
    assert.ok(port > 0);
    assert.match(key, /^sk_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(new Set(output.stdout.match(/sk_[\w-]+/g)), new Set([key]));
    assert.equal(output.stdout.split("\n")[0], `whodid answers at http://127.0.0.1:${port}/api/v1`);
    assert.equal((await ask({ target })).status, 404);
  });

  test("prints a curl that works when pasted", async ({ output }) => {
    if (spawnSync("curl", ["--version"]).error) return console.log("skipped: there is no curl here");
    const [, pasted = ""] = /Try it:\n\n(.*?)\n\n/s.exec(output.stdout) ?? [];
    assert.match(pasted, /^ *curl /);
    const { status, stdout } = spawnSync("sh", ["-c", pasted], { encoding: "utf8", timeout: 60_000 });
    const { success, contact } = JSON.parse(stdout) as { success: boolean; contact: { email: string } };
    assert.deepEqual([status, success, contact.email], [0, true, "ada@example.com"]);
  });

  test(
    "warns if the system allows few open files, and keeps 100 fewer connections",
    async ({ connect, ask, output }) => {
      const message = /"warning","message":"This process may open 300 files, so it keeps at most 200 connections: /;
      assert.match(output.stderr, message);
      for (let n = 0; n < 350; n++) await connect();
      assert.equal((await ask({ target })).status, 404);
    },
    {},
    "ulimit -n 300",
  );

  define("makes another key each time", async () => {
    const keys = new Set<string>();
    for (let n = 0; n < 2; n++) await withServer(async ({ key }) => void keys.add(key));
    assert.equal(keys.size, 2);
  });

  test(
    "takes an API_KEY, and does not print it",
    async ({ ask, output }) => {
      assert.equal((await ask({ target })).status, 404);
      assert.equal((await ask({ target, headers: { Authorization: "Bearer x" } })).status, 401);
      assert.equal((output.stdout + output.stderr).includes(wellFormed), false);
    },
    { API_KEY: wellFormed },
  );

  for (const [name, value] of [
    ["without its prefix", wellFormed.slice(3)],
    ["cut short", wellFormed.slice(0, -1)],
    ["with a character more", `${wellFormed}A`],
    ["with a line break after it", `${wellFormed}\n`],
    ["in quotes", `"${wellFormed}"`],
    ["with another character", wellFormed.replace("3", "=")],
    ["that is a blank", " "],
  ] as const) {
    define(`refuses an API_KEY ${name}, in a line that does not repeat it`, async () => {
      await assertRefusesToStart({ API_KEY: value }, /^whodid: API_KEY must be sk_ and 43 base64url characters\b/);
    });
  }

  for (const [variable, value] of [
    ["PORT", "http"],
    ["RATE_LIMIT", "none"],
    ["DATABASE_URL", "mysql://root:secret@localhost/whodid"],
  ] as const) {
    define(`refuses a bad ${variable} in a line that names it and does not repeat it`, async () => {
      await assertRefusesToStart({ [variable]: value }, new RegExp(`^whodid: ${variable}\\b(?!.*${value})`));
    });
  }

  define("refuses a HOST that there is not, in a line", async () => {
    await assertRefusesToStart({ HOST: "256.0.0.1" }, /^whodid: .*256\.0\.0\.1/);
  });

  define("refuses a PORT in use, in a line that says where", async () => {
    await listening(createServer(), async (port) => {
      const line = new RegExp(`^whodid: .*127\\.0\\.0\\.1:${port}\\b.*EADDRINUSE`);
      await assertRefusesToStart({ PORT: String(port) }, line);
    });
  });

  test(
    "takes another RATE_LIMIT",
    async ({ connect, toText }) => {
      const connection = await connect();
      // A new minute may begin between two of them, but not twice.
      const answers = [];
      for (let n = 0; n < 5; n++) {
        connection.write(toText({ target }));
        answers.push(await connection.next());
      }
      assert.deepEqual(new Set(answers.map(({ headers }) => headers.get("x-ratelimit-limit"))), new Set(["2"]));
      assert.equal(
        answers.some(({ status }) => status === 429),
        true,
      );
    },
    { RATE_LIMIT: "2" },
  );

  test(
    "takes RATE_LIMIT=off, and then says nothing of one",
    async ({ connect, toText }) => {
      const connection = await connect();
      for (let n = 0; n < 120; n++) {
        connection.write(toText({ target }));
        const { status, headers } = await connection.next();
        assert.deepEqual([status, headers.has("x-ratelimit-limit")], [404, false]);
      }
    },
    { RATE_LIMIT: "off" },
  );
});
