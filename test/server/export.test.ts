import assert from "node:assert/strict";
import { createTracker, type ContactExport, type Tracker } from "../../lib/index.ts";
import { callCommand } from "../support/call-command.ts";
import { database, databaseSuite, mysqlBy } from "../support/mysql.ts";
import type { Finished } from "../support/server-process.ts";

type Rows = Record<string, unknown>[];

function rowsOf({ stdout }: Finished): Rows {
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Rows[0]);
}

databaseSuite({ name: "the commands export and contacts", atOnce: 3 }, await database(), (test, server) => {
  const onMysql = mysqlBy(server);
  const onTwo = (
    run: (command: (...args: string[]) => Promise<Finished>, tracker: Tracker) => Promise<void>,
  ): Promise<void> =>
    onMysql(async ({ url: DATABASE_URL, storage }) => {
      const tracker = createTracker({ storage });
      const done = { kind: "has_done", eventKey: "step" } as const;
      await tracker.audiences.define({ key: "doers", name: "Doers", rule: done });
      for (const name of ["ada", "bob"]) await tracker.contacts.upsert({ email: `${name}@example.com` });
      await tracker.events.track({ externalId: "ada@example.com", eventKey: "step", properties: { n: 1 } });
      await run((...args) => callCommand(args, { DATABASE_URL }), tracker);
    });

  test("each contact and each event is a line of JSON, and the sum stands on standard error", () =>
    onTwo(async (command) => {
      const contacts = await command("export", "contacts");
      assert.deepEqual(
        rowsOf(contacts).map(({ email, externalId }) => [email, externalId]),
        [
          ["ada@example.com", null],
          ["bob@example.com", null],
        ],
      );
      assert.match(contacts.stderr, /^2 contacts {2}\S+ MB\/s {2}0:0\d\n$/);
      const events = await command("export", "events");
      assert.deepEqual(
        rowsOf(events).map(({ externalId, eventKey, properties }) => [externalId, eventKey, properties]),
        [["ada@example.com", "step", { n: 1 }]],
      );
      assert.equal(events.exitCode, 0);
    }));

  test("an audience and a day leave out the others", () =>
    onTwo(async (command) => {
      const doers = rowsOf(await command("export", "contacts", "--audience", "doers"));
      assert.deepEqual(
        doers.map(({ email }) => email),
        ["ada@example.com"],
      );
      assert.equal(rowsOf(await command("export", "contacts", "--since", "2020-01-31")).length, 2);
      assert.equal(rowsOf(await command("export", "events", "--since", "2999-01-31T00:00:00Z")).length, 0);
      const unknown = await command("export", "contacts", "--audience", "nobody");
      assert.deepEqual([unknown.exitCode, unknown.stderr], [1, 'whodid: There is no audience "nobody".\n']);
      const never = await command("export", "contacts", "--since", "yesterday");
      assert.equal(never.exitCode, 2);
      assert.match(never.stderr, /^whodid: --since takes a day, such as 2026-01-31, or a date-time with a zone\.\n/);
    }));

  test("one contact is a JSON document, and deleting it prints the receipt", () =>
    onTwo(async (command, tracker) => {
      const { stdout } = await command("export", "contact", "ada@example.com");
      const exported = JSON.parse(stdout) as ContactExport;
      assert.deepEqual(exported, await tracker.contacts.export("ada@example.com"));
      const { id } = exported.contact;
      const deleted = await command("contacts", "delete", "ADA@example.com");
      assert.deepEqual(deleted, { exitCode: 0, stdout: `deleted ${id} with 1 events\n`, stderr: "" });
      const again = await command("contacts", "delete", "ada@example.com", "--json");
      assert.deepEqual(again, {
        exitCode: 1,
        stdout: "",
        stderr: "whodid: No contact has this identifier as its externalId or email.\n",
      });
      const { id: bob } = (await tracker.contacts.get("bob@example.com"))!;
      const last = await command("contacts", "delete", "bob@example.com", "--json");
      assert.deepEqual(JSON.parse(last.stdout), { contactId: bob, events: 0 });
    }));
});
