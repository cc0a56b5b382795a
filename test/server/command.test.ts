import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callCommand } from "../support/call-command.ts";
import { runCommand } from "../support/server-process.ts";
import { suite } from "../support/suite.ts";

const everyCommand = [
  ..."serve migrate keys visitor-secrets provision audiences checklists subscriptions work import export prune contacts workspaces openapi".split(
    " ",
  ),
  "--help",
];

suite({ name: "the command whodid", atOnce: 3 }, (test) => {
  for (const [command, start] of [
    ["keys", "sk"],
    ["visitor-secrets", "vs"],
  ] as const) {
    test(`${command} generate prints a well-formed text, another each time`, async () => {
      const texts = new Set<string>();
      for (let n = 0; n < 2; n++) {
        const { exitCode, stdout, stderr } = await runCommand([command, "generate"]);
        assert.match(stdout, new RegExp(`^${start}_[A-Za-z0-9_-]{43}\n$`));
        assert.deepEqual([exitCode, stderr], [0, ""]);
        texts.add(stdout);
      }
      assert.equal(texts.size, 2);
    });
  }

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
    const { exitCode } = await callCommand(["keys", "generate"], { PORT: "x", API_KEY: "x", DATABASE_URL: "x" });
    assert.equal(exitCode, 0);
  });

  for (const args of [["help", "keys"], ["--help"], ["serve", "--help"], ["keys", "create", "-h"]]) {
    test(`shows its usage on standard output, and exits 0: whodid ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await callCommand(args);
      assert.match(stdout, /^usage: whodid serve /);
      assert.deepEqual([exitCode, stderr], [0, ""]);
    });
  }

  test("prints the version of the package", async () => {
    const manifest = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
    const { version } = JSON.parse(manifest) as { version: string };
    assert.deepEqual(await callCommand(["--version"]), { exitCode: 0, stdout: `${version}\n`, stderr: "" });
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
      const { exitCode, stdout, stderr } = await callCommand(args);
      assert.ok(stderr.startsWith(`whodid: There is no command ${named}.\nusage: whodid `), stderr);
      assert.deepEqual([exitCode, stdout], [2, ""]);
    });
  }

  for (const [args, wrong] of [
    [[], "A command is missing."],
    [["serve", "now"], 'There is an argument too many: "now".'],
    [["serve", "--port=80"], "Unknown option '--port'"],
    [["keys"], "A command is missing after keys."],
    [["keys", "generate", "2"], 'There is an argument too many: "2".'],
    [["visitor-secrets", "list"], 'There is no command "visitor-secrets list".'],
    [["keys", "list", "--yes"], "Unknown option '--yes'"],
    [["keys", "create"], "keys create needs --name."],
    [["keys", "create", "--name", "--limit"], "Option '--name' argument is ambiguous. Did you forget"],
    [["keys", "revoke"], "The argument ID is missing."],
    [["provision"], "The argument FILE is missing."],
    [["provision", "a.json", "b.json"], 'There is an argument too many: "b.json".'],
    [["provision", "a.json", "--check", "--prune"], "--check changes nothing: leave out --prune and --yes."],
    [["provision", "a.json", "--yes"], "--yes goes with --prune."],
    [["prune", "--yes"], "prune needs --before DATE."],
    [["prune", "2026-01-31"], 'There is an argument too many: "2026-01-31".'],
    [["migrate", "now"], 'There is an argument too many: "now".'],
    [["audiences"], "A command is missing after audiences."],
    [["audiences", "list", "buyers"], 'There is an argument too many: "buyers".'],
    [["audiences", "explain", "buyers"], "The argument EXTERNAL_ID is missing."],
    [["checklists", "progress"], "The argument EXTERNAL_ID is missing."],
    [["export"], "A command is missing after export."],
    [["export", "toString"], 'There is no command "export toString".'],
    [["export", "contact", "--since", "2026-01-31"], "Unknown option '--since'"],
    [["import", "people", "rows.csv"], 'There is no command "import people".'],
    [["contacts", "delete"], "The argument ID is missing."],
    [["subscriptions", "list", "--after", "x"], "Unknown option '--after'"],
    [["subscriptions", "parked", "all", "--from", "now"], "Unknown option '--from'"],
    [["subscriptions", "drop", "all"], "The argument CHANGE is missing."],
    [["subscriptions", "resume", "all"], "subscriptions resume needs --from oldest, --from now or --from TIME."],
    [["subscriptions", "resume", "all", "--from", "then"], "--from takes a day, such as 2026-01-31, or a date-time"],
    [["subscriptions", "delete-secret", "all"], "The argument ID is missing."],
    [["work", "now"], 'There is an argument too many: "now".'],
    [["work", "--once", "--json"], "Unknown option '--json'"],
    [["workspaces", "list", "--yes"], "Unknown option '--yes'"],
    [["workspaces", "delete"], "The argument NAME is missing."],
    [["openapi", "3.0"], 'There is an argument too many: "3.0".'],
  ] as const) {
    test(`says what was wrong, shows the usage of that command alone, and exits 2: whodid ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await callCommand(args);
      const [first = "", ...usage] = stderr.split("\n");
      assert.ok(first.startsWith(`whodid: ${wrong}`), first);
      assert.match(usage[0]!, /^usage: whodid /);
      const shown = usage.flatMap((line) => /^.{7}whodid (\S+)/.exec(line)?.[1] ?? []);
      assert.deepEqual([...new Set(shown)], args.length > 0 ? [args[0]] : everyCommand);
      assert.deepEqual([exitCode, stdout], [2, ""]);
    });
  }

  test("takes no notice of the settings of serve where it does not serve", async () => {
    const { stderr } = await callCommand(["keys", "list"], { PORT: "x", API_KEY: "x", RATE_LIMIT: "x" });
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
    ["work"],
    ["work", "--once"],
  ]) {
    test(`asks for a database in a line, and exits 1: whodid ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await callCommand(args);
      assert.match(stderr, /^whodid: Set DATABASE_URL: .*\n$/);
      assert.deepEqual([exitCode, stdout], [1, ""]);
    });
  }
});
