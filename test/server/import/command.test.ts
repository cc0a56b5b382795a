import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTracker, type Contact, type Tracker } from "../../../lib/index.ts";
import { callCommand } from "../../support/call-command.ts";
import { inFolder, toNdjson } from "../../support/importing.ts";
import { database, databaseSuite, mysqlBy } from "../../support/mysql.ts";
import { runCommand, startCommand } from "../../support/server-process.ts";
import { suite } from "../../support/suite.ts";
import { within } from "../../support/within.ts";

const nowhere = { DATABASE_URL: "mysql://root:secret@127.0.0.1:1/whodid" };

suite({ name: "the command import", atOnce: 3 }, (test) => {
  for (const [args, line] of [
    [["events"], /^whodid: The argument FILE is missing\.\nusage: whodid import /],
    [
      ["events", "rows.csv", "other.csv"],
      /^whodid: There is an argument too many: "other\.csv"\.\nusage: whodid import /,
    ],
    [["events", "rows.txt"], /^whodid: The name of a source ends in /],
    [["events", "-"], /^whodid: Standard input needs --source NAME\.\n/],
    [["events", "rows.csv", "--format", "csv"], /^whodid: --format takes segment, posthog, mixpanel\.\n/],
    [["events", "rows.csv", "--map", "total=Total"], /^whodid: --map: events have the fields /],
  ] as const) {
    test(`is told how it is used: whodid import ${args.join(" ")}`, async () => {
      const { exitCode, stdout, stderr } = await callCommand(["import", ...args], nowhere);
      assert.match(stderr, line);
      assert.deepEqual([exitCode, stdout], [2, ""]);
    });
  }

  test("says in a line that there is no such file", async () => {
    const { exitCode, stderr } = await callCommand(["import", "events", "missing.csv"], nowhere);
    assert.deepEqual([exitCode, stderr], [1, "whodid: Cannot read missing.csv: ENOENT.\n"]);
  });
});

databaseSuite({ name: "import and export on a database", atOnce: 3 }, await database(), (test, server) => {
  const onMysql = mysqlBy(server);
  const onFresh = (run: (tracker: Tracker, url: string, folder: string) => Promise<void>): Promise<void> =>
    onMysql(({ url, storage }) => inFolder((folder) => run(createTracker({ storage }), url, folder)));

  test("prints what became of the rows, lists those it refuses, and exits 1 for them", () =>
    onFresh(async (tracker, DATABASE_URL, folder) => {
      await tracker.contacts.upsert({ email: "ada@example.com" });
      const file = join(folder, "rows.csv");
      await writeFile(file, "Who,What,Total\nada@example.com,order,12\neve@example.com,order,9\n");
      const mistyped = await callCommand(["import", "events", file, "--map", "externalId=Whom"], { DATABASE_URL });
      const { exitCode, stdout, stderr } = mistyped;
      assert.match(stdout, /^0 rows /);
      assert.deepEqual([exitCode, stderr], [1, 'whodid: --map: the header has no column "Whom".\n']);
      const args = ["import", "events", file, "--map", "externalId=Who,eventKey=What"];
      const first = await callCommand(args, { DATABASE_URL });
      assert.match(
        first.stdout,
        /^2 rows in 0:0\d, [\d,]+\/s\n {2}1 recorded\n {2}1 refused, listed in .*rows\.csv\.refused\.ndjson\n {4}1 contact_not_found\n {2}values left out\n {4}2 Total\n$/,
      );
      assert.deepEqual([first.exitCode, first.stderr], [1, ""]);
      const refused = await readFile(`${file}.refused.ndjson`, "utf8");
      assert.deepEqual(JSON.parse(refused), {
        line: 3,
        code: "contact_not_found",
        message:
          "No contact has this externalId. Create the contact first. One with an externalId of its own is not found by its email.",
        row: { Who: "eve@example.com", What: "order", Total: "9" },
      });
      await tracker.contacts.upsert({ email: "eve@example.com" });
      const again = await callCommand([...args, "--json"], { DATABASE_URL });
      assert.equal(again.exitCode, 0);
      const { rows, done } = JSON.parse(again.stdout) as { rows: number; done: unknown };
      assert.deepEqual([rows, done], [2, { "recorded before": 1, recorded: 1 }]);
    }));

  test("two imports of a file at once list their refused rows in a file each", () =>
    onFresh(async (_tracker, DATABASE_URL, folder) => {
      const file = join(folder, "rows.ndjson");
      await writeFile(file, '{"email":"x"}\n'.repeat(1_000));
      const runs = [1, 2].map(() => runCommand(["import", "contacts", file, "--json"], { DATABASE_URL }));
      for (const { stdout } of await Promise.all(runs)) assert.match(stdout, /"refused":1000\b/);
      const all = Array.from({ length: 1_000 }, (_, n) => n + 1);
      assert.deepEqual(await refusedLines(`${file}.refused.ndjson`), all);
      assert.deepEqual(await refusedLines(`${file}.refused-2.ndjson`), all);
    }));

  test("stops in a line at the first refused row that cannot be listed", () =>
    onFresh(async (tracker, DATABASE_URL) => {
      const { child, ended } = startCommand(["import", "contacts", "-", "--source", `${"x".repeat(250)}.ndjson`], {
        DATABASE_URL,
      });
      const rows = Array.from({ length: 100_000 }, (_, n) => ({ email: n === 0 ? "x" : `${n}@b.c` }));
      child.stdin!.on("error", () => {}).end(toNdjson(rows));
      const { exitCode, stdout, stderr } = await ended();
      // A slow machine prints its progress first.
      assert.match(stderr, /^(?:\d.*\n)*whodid: Cannot write x+\.ndjson\.refused\.ndjson: ENAMETOOLONG\.\n$/);
      assert.match(stdout, /^[\d,]+ rows (?:.*\n)* {2}1 refused\n/);
      assert.equal(exitCode, 1);
      assert.ok((await tracker.contacts.count()) < 50_000);
    }));

  test("counts every row that it wrote, and lists whole rows, if the file of refused rows cannot grow any more", () =>
    onFresh(async (tracker, DATABASE_URL, folder) => {
      const file = join(folder, "rows.ndjson");
      const rows = Array.from({ length: 1_000 }, (_, n) => ({
        email: n % 2 ? "x" : `${n}@b.c`,
        name: "x".repeat(777),
      }));
      await writeFile(file, toNdjson(rows));
      // Coverage would be cut too.
      const environment = { DATABASE_URL, NODE_V8_COVERAGE: "" };
      const { exitCode, stdout, stderr } = await runCommand(["import", "contacts", file], environment, "ulimit -f 20");
      assert.match(stderr, /^whodid: Cannot write .*rows\.ndjson\.refused\.ndjson: EFBIG\.\n$/);
      assert.equal(exitCode, 1);
      const sum = /^([\d,]+) rows .*\n {2}(\d+) created\n {2}(\d+) refused, (\d+) of them listed in /.exec(stdout);
      assert.ok(sum, stdout);
      const [imported, created, refused, listed] = sum.slice(1).map((count) => Number(count.replace(",", "")));
      assert.deepEqual([created! + refused!, created], [imported, await tracker.contacts.count()]);
      const first = Array.from({ length: listed! }, (_, n) => 2 * n + 2);
      assert.deepEqual(await refusedLines(`${file}.refused.ndjson`), first);
    }));

  test("an import that is killed five times and run again records each event once", () =>
    onFresh(async (tracker, DATABASE_URL) => {
      for (const name of ["ada", "bob"]) await tracker.contacts.upsert({ email: `${name}@example.com` });
      const rows = Array.from({ length: 3_000 }, (_, n) => ({
        externalId: n % 3 === 0 ? "ada@example.com" : "bob@example.com",
        eventKey: "step",
        createdAt: "2024-01-31T09:00:00Z",
      }));
      const args = ["import", "events", "-", "--source", "rows.ndjson"];
      let last = 0;
      for (let time = 1; time <= 5; time++) {
        const { child, ended } = startCommand(args, { DATABASE_URL });
        child.stdin!.write(toNdjson(rows.slice(0, time * 500)));
        last = await growth(tracker, last);
        child.kill("SIGKILL");
        assert.equal((await ended()).exitCode, null);
      }
      const { child, ended } = startCommand(args, { DATABASE_URL });
      child.stdin!.end(toNdjson(rows));
      const { exitCode, stdout } = await ended();
      assert.equal(exitCode, 0, stdout);
      const { items } = await tracker.eventTypes.usage();
      assert.deepEqual(
        items.map(({ count }) => count),
        [3_000],
      );
      assert.equal((await tracker.contacts.export("ada@example.com")).events.length, 1_000);
      assert.equal((await tracker.contacts.export("bob@example.com")).events.length, 2_000);
    }));

  test("a signal stops the import, also while it waits for rows, and a second run goes on", () =>
    onFresh(async (tracker, DATABASE_URL) => {
      await tracker.contacts.upsert({ email: "ada@example.com" });
      const row = { externalId: "ada@example.com", eventKey: "step" };
      const args = ["import", "events", "-", "--source", "rows.ndjson"];
      const { child, ended } = startCommand(args, { DATABASE_URL });
      child.stdin!.write(toNdjson(Array.from({ length: 100 }, () => row)));
      await growth(tracker, 99);
      child.kill("SIGINT");
      const stopped = await ended();
      assert.equal(stopped.exitCode, 1);
      assert.match(
        stopped.stdout,
        /^100 rows .*\n {2}100 recorded\n {2}stopped: run it again to go on, nothing is recorded twice\n$/,
      );
      const again = startCommand(args, { DATABASE_URL });
      again.child.stdin!.end(toNdjson(Array.from({ length: 101 }, () => row)));
      assert.match((await again.ended()).stdout, /^101 rows .*\n {2}100 recorded before\n {2}1 recorded\n$/);
    }));

  test("what is exported and imported into an empty database answers alike", () =>
    onFresh((from, fromUrl, folder) =>
      onFresh(async (to, toUrl) => {
        for (const tracker of [from, to]) await define(tracker);
        await fill(from);
        for (const kind of ["contacts", "events"]) {
          const exported = await callCommand(["export", kind], { DATABASE_URL: fromUrl });
          await writeFile(join(folder, `${kind}.ndjson`), exported.stdout);
          const run = () => callCommand(["import", kind, join(folder, `${kind}.ndjson`)], { DATABASE_URL: toUrl });
          const imported = await run();
          assert.deepEqual([imported.exitCode, imported.stderr], [0, ""], imported.stdout);
          assert.equal((await run()).exitCode, 0);
        }
        assert.deepEqual(await answersOf(to), await answersOf(from));
      }),
    ));
});

/** The lines that a file of refused rows names. */
async function refusedLines(file: string): Promise<number[]> {
  const rows = (await readFile(file, "utf8")).trimEnd().split("\n");
  return rows.map((row) => (JSON.parse(row) as { line: number }).line).sort((one, other) => one - other);
}

/** Waits until there are more than so many events; resolves with their number. */
function growth(tracker: Tracker, than: number): Promise<number> {
  const grown = async (): Promise<number> => {
    for (;;) {
      const { items } = await tracker.eventTypes.usage();
      const count = items.reduce((sum, usage) => sum + usage.count, 0);
      if (count > than) return count;
      await sleep(20);
    }
  };
  return within(120_000, "the number of events growing", grown());
}

async function define(tracker: Tracker): Promise<void> {
  await tracker.provision({
    events: [{ key: "order", properties: { total: "number" } }],
    attributes: [
      { key: "seats", type: "number" },
      { key: "note", type: "text" },
    ],
    audiences: [
      { key: "buyers", name: "Buyers", rule: { kind: "count_greater_than", eventKey: "order", count: 1 } },
      { key: "callers", name: "Callers", rule: { kind: "checklist_completed", checklistKey: "start" } },
    ],
    checklists: [
      {
        key: "start",
        name: "Start",
        items: [
          { key: "buy", name: "Buy", when: { kind: "has_done", eventKey: "order" } },
          { key: "call", name: "Call" },
        ],
      },
    ],
  });
}

async function fill(tracker: Tracker): Promise<void> {
  const note = 'Zoë 😀 "quoted", \n line \u2028 {"a":1} \\ 012';
  await tracker.contacts.upsert({
    email: "ada@example.com",
    externalId: "ada",
    customAttributes: { seats: -0.5, note },
  });
  await tracker.contacts.upsert({ email: "bob@example.com", name: "", plan: "1", signedUpAt: "0001-01-01T00:00:00Z" });
  await tracker.contacts.upsert({ email: "eve@example.com", externalId: "eve@example.com" });
  await tracker.checklists.complete("ada", "start", "call");
  await tracker.checklists.complete("bob@example.com", "start", "call");
  await tracker.checklists.dismiss("bob@example.com", "start");
  const at = "2024-01-31T09:00:00.123Z";
  const events = [
    { externalId: "ada", eventKey: "order", properties: { total: 1e-7 }, createdAt: at },
    { externalId: "ada", eventKey: "Ünï \u00e9", properties: { __proto: true, text: note, empty: "" }, createdAt: at },
    { externalId: "ada", eventKey: "order", properties: { total: 2 ** 53 - 1 } },
    { externalId: "ada", eventKey: "order", properties: { total: 0 }, createdAt: "0001-01-01T00:00:00Z" },
    { externalId: "bob@example.com", eventKey: "order", properties: { total: 1 } },
    { externalId: "ada", eventKey: "order", properties: { total: 3 }, createdAt: at },
  ];
  for (const event of events) await tracker.events.track(event);
}

/** What a database answers of its contacts, without what an import makes anew. */
async function answersOf(tracker: Tracker): Promise<unknown> {
  const contacts = (await tracker.contacts.list()).items;
  const withoutIds = ({ id: _id, createdAt: _created, updatedAt: _updated, ...contact }: Contact): unknown => contact;
  const membersOf = async (key: string): Promise<unknown> =>
    (await tracker.audiences.members(key)).items.map(withoutIds);
  const ofEach = await Promise.all(
    contacts.map(async ({ externalId }) => {
      const { events, eventSummaries, completions, dismissals } = await tracker.contacts.export(externalId);
      const shown = events.map(({ eventKey, createdAt, properties }) => ({ eventKey, createdAt, properties }));
      return {
        shown,
        eventSummaries,
        completions,
        dismissals,
        progress: await tracker.checklists.progress(externalId),
      };
    }),
  );
  // Who has no externalId of their own is found by another email afterwards, and by the old one no more.
  await tracker.contacts.update("bob@example.com", { email: "new-bob@example.com" });
  await tracker.contacts.update("eve@example.com", { email: "new-eve@example.com" });
  const found = await Promise.all(["bob@example.com", "eve@example.com"].map((id) => tracker.contacts.get(id)));
  return {
    contacts: contacts.map(withoutIds),
    ofEach,
    buyers: await membersOf("buyers"),
    callers: await membersOf("callers"),
    found: found.map((contact) => contact?.email),
  };
}
