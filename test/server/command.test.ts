import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/server-process.ts";
import { suite } from "../support/suite.ts";

suite("the command whodid", (test) => {
  test("prints a well-formed key, another each time", async () => {
    const keys = new Set<string>();
    for (let n = 0; n < 2; n++) {
      const { exitCode, stdout, stderr } = await runCommand(["keys", "generate"]);
      assert.match(stdout, /^sk_[A-Za-z0-9_-]{43}\n$/);
      assert.deepEqual([exitCode, stderr], [0, ""]);
      keys.add(stdout);
    }
    assert.equal(keys.size, 2);
  });

  test("exits 1 when what it prints cannot be written", () => {
    const program = join(import.meta.dirname, "../../server/main.js");
    const unwritable = openSync(program, "r");
    const { status, stderr } = spawnSync(process.execPath, [program, "keys", "generate"], {
      stdio: ["ignore", unwritable, "pipe"],
      encoding: "utf8",
    });
    closeSync(unwritable);
    assert.deepEqual([status, stderr], [1, "whodid: Cannot write the output: EBADF.\n"]);
  });

  test("ends without a word when nobody reads what it prints any more", () => {
    const program = join(import.meta.dirname, "../../server/main.js");
    const { stdout, stderr } = spawnSync(
      "sh",
      ["-c", '("$0" "$1" openapi; echo "exit $?" >&2) | true', process.execPath, program],
      {
        encoding: "utf8",
      },
    );
    assert.deepEqual([stdout, stderr], ["", "exit 0\n"]);
  });

  test("prints a key also when the settings are wrong, for it touches nothing", async () => {
    const { exitCode } = await runCommand(["keys", "generate"], { PORT: "x", API_KEY: "x", DATABASE_URL: "x" });
    assert.equal(exitCode, 0);
  });

  for (const args of [
    [],
    ["help"],
    ["--help"],
    ["Serve"],
    ["serve", "now"],
    ["serve", "--port=80"],
    ["keys"],
    ["keys", "generate", "2"],
    ["keys", "make"],
    ["provision"],
    ["provision", "a.json", "b.json"],
    ["migrate", "now"],
    ["keys", "revoke"],
    ["audiences"],
    ["audiences", "list", "buyers"],
    ["audiences", "count"],
    ["audiences", "explain", "buyers"],
    ["audiences", "toString"],
    ["checklists"],
    ["checklists", "progress"],
    ["checklists", "complete", "ada"],
    ["openapi", "3.0"],
    ["toString"],
  ]) {
    test(`shows its usage on standard error and exits 2: whodid ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await runCommand(args);
      assert.match(stderr, /^usage: whodid serve /);
      assert.deepEqual([exitCode, stdout], [2, ""]);
    });
  }

  for (const args of [
    ["migrate"],
    ["provision", "definitions.json"],
    ["keys", "create", "--name", "backend"],
    ["keys", "list"],
    ["keys", "revoke", "0199"],
    ["audiences", "list"],
    ["checklists", "progress", "ada"],
  ]) {
    test(`asks for a database in a line, and exits 1: whodid ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await runCommand(args);
      assert.match(stderr, /^whodid: Set DATABASE_URL: .*\n$/);
      assert.deepEqual([exitCode, stdout], [1, ""]);
    });
  }
});
