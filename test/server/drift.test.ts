/** The command `provision` tells how a database differs from a file, and removes what the file does not name only with --yes. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTracker, type Comparison, type Tracker } from "../../lib/index.ts";
import { callCommand } from "../support/call-command.ts";
import { inFolder } from "../support/importing.ts";
import { database, databaseSuite, mysqlBy } from "../support/mysql.ts";
import type { Finished } from "../support/server-process.ts";

const bought = { kind: "has_done", eventKey: "order" };
const checklist = {
  key: "start",
  name: "Start",
  items: [
    { key: "order", name: "Order", when: bought },
    { key: "call", name: "Call" },
  ],
};
const before = {
  events: [{ key: "order" }],
  attributes: [{ key: "seats", type: "number" }],
  checklists: [checklist, { ...checklist, key: "old" }],
  audiences: [
    { key: "buyers", name: "Buyers", rule: bought },
    { key: "large", name: "Large", rule: { kind: "attribute", key: "seats", operator: "greater_than", value: 5 } },
  ],
};
/** A changed rule, a removed item, a renamed attribute. */
const after = {
  events: [{ key: "order" }],
  attributes: [{ key: "seat_count", type: "number" }],
  checklists: [{ ...checklist, items: checklist.items.slice(0, 1) }],
  audiences: [
    { ...before.audiences[0], rule: { kind: "count_greater_than", eventKey: "order", count: 1 } },
    { ...before.audiences[1], rule: { ...before.audiences[1]!.rule, key: "seat_count" } },
  ],
};

interface Drift {
  tracker: Tracker;
  command: (...args: string[]) => Promise<Finished>;
  write: (definitions: object) => Promise<void>;
  file: string;
}

databaseSuite({ name: "drift on a database", atOnce: 3 }, await database(), (test, server) => {
  const onMysql = mysqlBy(server);
  /** A database as `before` says, with a contact that has seats and completed an item of both checklists by hand. */
  const onDrift = (run: (drift: Drift) => Promise<void>, settings: NodeJS.ProcessEnv = {}): Promise<void> =>
    onMysql(({ url: DATABASE_URL, storage }) =>
      inFolder(async (folder) => {
        const file = join(folder, "definitions.json");
        const write = (definitions: object): Promise<void> => writeFile(file, JSON.stringify(definitions));
        const tracker = createTracker({ storage });
        await tracker.provision(before as never);
        await tracker.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 12 } });
        for (const key of ["start", "old"]) await tracker.checklists.complete("ada@example.com", key, "call");
        await write(after);
        const command = (...args: string[]): Promise<Finished> =>
          callCommand(["provision", ...args, file], { DATABASE_URL, ...settings });
        await run({ tracker, command, write, file });
      }),
    );

  test("--check prints what differs and exits 1, and exits 0 where nothing does", () =>
    onDrift(async ({ tracker, command, write, file }) => {
      const { exitCode, stdout, stderr } = await command("--check");
      assert.deepEqual(stdout.split("\n"), [
        "extra  attribute seats",
        "missing  attribute seat_count",
        "changed  checklist start",
        "  extra  item call",
        "extra  checklist old",
        "changed  audience buyers: rule.kind: has_done -> count_greater_than, rule.count: none -> 1",
        "changed  audience large: rule.key: seats -> seat_count",
        "",
      ]);
      assert.deepEqual([exitCode, stderr], [1, `whodid: The stored definitions are not those of ${file}.\n`]);
      const asJson = await command("--check", "--json");
      const compared = JSON.parse(asJson.stdout) as Comparison;
      assert.deepEqual([asJson.exitCode, compared], [1, await tracker.compare(after as never)]);
      await write(before);
      assert.deepEqual(await command("--check"), { exitCode: 0, stdout: "Nothing differs.\n", stderr: "" });
    }));

  test("provision prints what it created, changed and left, and warns of the items that a checklist loses", () =>
    onDrift(async ({ command }) => {
      const { exitCode, stdout } = await command();
      assert.deepEqual(stdout.split("\n"), [
        "left  event order",
        "not in the file  attribute seats",
        "created  attribute seat_count",
        "changed  checklist start",
        "  warning: lost  item call",
        "not in the file  checklist old",
        "changed  audience buyers: rule.kind: has_done -> count_greater_than, rule.count: none -> 1",
        "changed  audience large: rule.key: seats -> seat_count",
        "",
      ]);
      assert.equal(exitCode, 0);
    }));

  test("--prune removes nothing without --yes, and tells what it would", () =>
    onDrift(async ({ tracker, command }) => {
      const { exitCode, stdout, stderr } = await command("--prune");
      const told = ["checklist old: 2 items, 1 contacts", "attribute seats: 1 contacts"];
      assert.equal(stdout, told.map((line) => `to prune  ${line}\n`).join(""));
      assert.deepEqual([exitCode, stderr], [1, "whodid: Nothing was made or removed: --prune needs --yes.\n"]);
      assert.equal((await tracker.compare(before as never)).same, true);
      const pruned = await command("--prune", "--yes");
      assert.match(
        pruned.stdout,
        /\npruned {2}checklist old: 2 items, 1 contacts\npruned {2}attribute seats: 1 contacts\n$/,
      );
      assert.equal(pruned.exitCode, 0);
      assert.equal((await command("--check")).exitCode, 0);
    }));

  test("what an audience of the file names is not pruned, and then nothing is made either", () =>
    onDrift(async ({ tracker, command, write }) => {
      await write({ ...after, audiences: before.audiences });
      const { exitCode, stderr } = await command("--prune", "--yes");
      assert.equal(exitCode, 1);
      assert.match(stderr, /The attribute "seats" is used by audiences: "large"\.\n$/);
      assert.equal((await tracker.compare(before as never)).same, true);
    }));

  test("UNDEFINED_EVENTS=refuse refuses rules and items about events that the file and the database lack", () =>
    onDrift(
      async ({ command, write }) => {
        await write({ audiences: [{ key: "new", name: "New", rule: { kind: "has_done", eventKey: "Order" } }] });
        const { exitCode, stderr } = await command();
        assert.equal(exitCode, 1);
        assert.match(stderr, /: audiences\.0\.rule\.eventKey: not defined; [^\n]*\n$/);
      },
      { UNDEFINED_EVENTS: "refuse" },
    ));

  test("--check warns of a rule about an event that has no event type", () =>
    onDrift(async ({ command, write }) => {
      const audiences = [...before.audiences, { key: "new", name: "New", rule: { ...bought, eventKey: "Order" } }];
      await write({ ...before, audiences });
      const { exitCode, stdout } = await command();
      assert.match(stdout, /\nwarning: audience new: rule\.eventKey: not defined; [^\n]*\n$/);
      assert.equal(exitCode, 0);
      const checked = await command("--check");
      assert.match(checked.stdout, /^warning: audience new: rule\.eventKey: [^\n]*\nNothing differs\.\n$/);
      assert.equal(checked.exitCode, 0);
    }));
});
