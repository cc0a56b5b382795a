import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { generateApiKey } from "../../lib/api-keys.ts";
import { createTracker, type Change, type Tracker } from "../../lib/index.ts";
import { callCommand } from "../support/call-command.ts";
import { database, databaseSuite, mysqlBy } from "../support/mysql.ts";
import { testsOn } from "../support/suite.ts";
import { startCommand, withServer, type ServerProcess } from "../support/server-process.ts";
import { within } from "../support/within.ts";

const changes = "/api/v1/subscriptions/contacts/changes";

type Environment = Record<string, string>;

/** The first lines that `subscriptions tail` prints, as changes. It must end when it is interrupted. */
async function tail(count: number, environment: Environment, ...args: string[]): Promise<Change[]> {
  const { child, output, ended } = startCommand(["subscriptions", "tail", "contacts", ...args], environment);
  try {
    const printed = async (): Promise<void> => {
      while (output.stdout.split("\n").length <= count) await sleep(50);
    };
    await within(120_000, "the changes being printed", printed());
    child.kill("SIGINT");
    const { exitCode, stdout, stderr } = await ended();
    assert.deepEqual([exitCode, stderr], [0, ""]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Change);
  } finally {
    child.kill("SIGKILL");
  }
}

databaseSuite({ name: "subscriptions of a server", atOnce: 3 }, await database(), (define, server) => {
  const onMysql = mysqlBy(server);
  /** Runs on a database with a subscription, which has no changes yet. */
  const onDatabase = (run: (tracker: Tracker, environment: Environment) => Promise<void>): Promise<void> =>
    onMysql(async ({ url: DATABASE_URL, storage }) => {
      // The failures of the handlers are reported.
      const tracker = createTracker({ storage, onError: () => {} });
      await tracker.subscriptions.define({ key: "contacts", on: { contacts: true } });
      await run(tracker, { DATABASE_URL });
    });
  const test = testsOn(define, onDatabase);
  const onServer = (
    settings: Record<string, string>,
    run: (served: ServerProcess, environment: Environment) => Promise<void>,
  ): Promise<void> =>
    onDatabase((_, environment) =>
      withServer((served) => run(served, environment), { ...settings, ...environment, API_KEY: generateApiKey() }),
    );

  test("the command lists them, logs changes, and prints them until interrupted", async (tracker, environment) => {
    const list = (...args: string[]) => callCommand(["subscriptions", "list", ...args], environment);
    assert.equal((await list()).stdout, 'contacts  {"contacts":true}  7 days\n');
    const listed = [{ key: "contacts", on: { contacts: true }, keepDays: 7 }];
    assert.deepEqual(JSON.parse((await list("--json")).stdout), listed);
    for (const name of ["ada", "bob"]) await tracker.contacts.upsert({ email: `${name}@example.com` });
    const { stdout } = await callCommand(["work", "--once"], environment);
    assert.equal(stdout, "logged 2 changes\n");
    const [first, second] = await tail(2, environment);
    assert.deepEqual([first?.kind, second?.kind], ["contact_created", "contact_created"]);
    assert.deepEqual(await tail(1, environment, "--after", first!.cursor), [second]);
  });

  test("the command refuses in a line an unknown subscription and a cursor not kept", async (_, environment) => {
    const refused = (...args: string[]) => callCommand(["subscriptions", "tail", ...args], environment);
    const unknown = await refused("other");
    assert.deepEqual([unknown.exitCode, unknown.stderr], [1, 'whodid: There is no subscription "other".\n']);
    const resumed = await callCommand(["subscriptions", "resume", "other", "--from", "now"], environment);
    assert.deepEqual([resumed.exitCode, resumed.stderr], [1, unknown.stderr]);
    const expired = await refused("contacts", "--after", Buffer.from("1").toString("base64url"));
    assert.equal(expired.exitCode, 1);
    assert.match(expired.stderr, /^whodid: The changes after this cursor are not all kept\. .*\n$/);
  });

  test("the command lists parked contacts, retries and drops each once, and resumes", async (tracker, environment) => {
    const run = (...args: string[]) => callCommand(["subscriptions", ...args], environment);
    for (const externalId of ["u_1", "u_2"]) {
      await tracker.contacts.upsert({ email: `${externalId}@example.com`, externalId });
      const options = { until: "caught-up", tries: 1 } as const;
      await tracker.subscriptions.consume("contacts", options, () => Promise.reject(new Error("no\nmail")));
    }
    const { items } = await tracker.subscriptions.parked("contacts");
    const listed = await run("parked", "contacts");
    assert.equal(
      listed.stdout,
      items
        .map(({ changeId, parkedAt }, index) => {
          const contact = ["u_1", "u_2"][index];
          return `${changeId}  contact_created  ${contact}  1 tries  parked ${parkedAt}  Error: no\\u000amail\n`;
        })
        .join(""),
    );
    const lines = (await run("parked", "contacts", "--json")).stdout.trim().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      items,
    );
    const [first, second] = items.map(({ changeId }) => changeId) as [string, string];
    assert.equal((await run("retry", "contacts", first)).stdout, "to be tried again\n");
    assert.equal((await run("drop", "contacts", second, "--json")).stdout, `{"dropped":"${second}"}\n`);
    const again = await run("drop", "contacts", second);
    assert.deepEqual([again.exitCode, again.stdout], [1, ""]);
    assert.match(again.stderr, /^whodid: No contact is parked at this change\. .*\n$/);
    const handled: string[] = [];
    await tracker.subscriptions.consume("contacts", { until: "caught-up" }, ({ id }) => void handled.push(id));
    assert.deepEqual(handled, [first]);
    assert.equal((await run("resume", "contacts", "--from", "now")).stdout, "resumed\n");
  });

  define("a server logs the changes", () =>
    onServer({}, async ({ ask }) => {
      assert.equal((await ask({ body: '{"email":"ada@example.com"}' })).status, 201);
      const { body } = await ask({ target: `${changes}?wait=25` });
      assert.equal((JSON.parse(body) as { items: Change[] }).items[0]?.kind, "contact_created");
    }),
  );

  define("a server with WORK=off logs only when a reader asks", () =>
    onServer({ WORK: "off" }, async ({ ask }, environment) => {
      assert.equal((await ask({ body: '{"email":"ada@example.com"}' })).status, 201);
      await sleep(1_500);
      assert.equal((await callCommand(["work", "--once"], environment)).stdout, "logged 1 changes\n");
      assert.equal((await ask({ body: '{"email":"bob@example.com"}' })).status, 201);
      const { body } = await ask({ target: `${changes}?wait=25` });
      assert.equal((JSON.parse(body) as { items: Change[] }).items.length, 2);
    }),
  );
});
