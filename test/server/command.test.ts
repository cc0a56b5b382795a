import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/server-process.ts";
import { suite } from "../support/suite.ts";

suite({ name: "the command whodid", atOnce: 3 }, (test) => {
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

  for (const args of [["help", "keys"], ["--help"], ["serve", "--help"], ["keys", "create", "-h"]]) {
    test(`shows its usage on standard output, and exits 0: whodid ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await runCommand(args);
      assert.match(stdout, /^usage: whodid serve /);
      assert.deepEqual([exitCode, stderr], [0, ""]);
    });
  }

  test("prints the version of the package", async () => {
    const manifest = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
    const { version } = JSON.parse(manifest) as { version: string };
    assert.deepEqual(await runCommand(["--version"]), { exitCode: 0, stdout: `${version}\n`, stderr: "" });
  });

  for (const [args, named] of [
    [["Serve"], '"Serve"'],
    [["toString"], '"toString"'],
    [["keys", "make"], '"keys make"'],
    [["audiences", "toString"], '"audiences toString"'],
    [["checklists", "complete", "ada"], '"checklists complete"'],
    [["contacts", "list"], '"contacts list"'],
    [["subscriptions", "delete"], '"subscriptions delete"'],
    [["subscriptions", "toString"], '"subscriptions toString"'],
    [["\u001b[2J\u009b"], '"\\u001b[2J\\u009b"'],
  ] as const) {
    test(`names a command that there is not: ${named}`, async () => {
      const { exitCode, stdout, stderr } = await runCommand(args);
      assert.ok(stderr.startsWith(`whodid: There is no command ${named}.\nusage: whodid serve `), stderr);
      assert.deepEqual([exitCode, stdout], [2, ""]);
    });
  }

  for (const args of [
    [],
    ["serve", "now"],
    ["serve", "--port=80"],
    ["keys"],
    ["keys", "generate", "2"],
    ["provision"],
    ["provision", "a.json", "b.json"],
    ["provision", "a.json", "--check", "--prune"],
    ["provision", "a.json", "--yes"],
    ["keys", "list", "--yes"],
    ["migrate", "now"],
    ["keys", "revoke"],
    ["audiences"],
    ["audiences", "list", "buyers"],
    ["audiences", "count"],
    ["audiences", "explain", "buyers"],
    ["checklists"],
    ["checklists", "progress"],
    ["export"],
    ["export", "toString"],
    ["export", "contacts", "ada"],
    ["export", "contact"],
    ["contacts", "delete"],
    ["subscriptions", "tail"],
    ["subscriptions", "list", "--after", "x"],
    ["subscriptions", "parked"],
    ["subscriptions", "parked", "all", "--from", "now"],
    ["subscriptions", "retry", "all"],
    ["subscriptions", "drop", "all"],
    ["subscriptions", "resume", "--from", "now"],
    ["subscriptions", "resume", "all"],
    ["subscriptions", "resume", "all", "--from", "then"],
    ["work"],
    ["work", "--once", "--json"],
    ["openapi", "3.0"],
  ]) {
    test(`shows its usage on standard error and exits 2: whodid ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await runCommand(args);
      assert.match(stderr, /^(?:whodid: [^\n]+\n)?usage: whodid serve /);
      assert.deepEqual([exitCode, stdout], [2, ""]);
    });
  }

  test("takes no notice of the settings of serve where it does not serve", async () => {
    const { stderr } = await runCommand(["keys", "list"], { PORT: "x", API_KEY: "x", RATE_LIMIT: "x" });
    assert.match(stderr, /^whodid: Set DATABASE_URL: .*\n$/);
  });

  for (const args of [
    ["migrate"],
    ["provision", "definitions.json"],
    ["keys", "create", "--name", "backend"],
    ["keys", "list"],
    ["keys", "revoke", "0199"],
    ["audiences", "list"],
    ["checklists", "progress", "ada"],
    ["export", "events"],
    ["export", "contact", "ada"],
    ["contacts", "delete", "ada"],
    ["subscriptions", "tail", "all"],
    ["subscriptions", "resume", "all", "--from", "now"],
    ["work", "--once"],
  ]) {
    test(`asks for a database in a line, and exits 1: whodid ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await runCommand(args);
      assert.match(stderr, /^whodid: Set DATABASE_URL: .*\n$/);
      assert.deepEqual([exitCode, stdout], [1, ""]);
    });
  }
});
