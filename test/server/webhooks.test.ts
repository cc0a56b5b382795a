import assert from "node:assert/strict";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { generateApiKey } from "../../lib/api-keys.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { listening } from "../support/loopback.ts";
import { database, databaseSuite, mysqlBy } from "../support/mysql.ts";
import { runCommand, startCommand, withServer } from "../support/server-process.ts";
import { testsOn } from "../support/suite.ts";
import { within } from "../support/within.ts";

interface Hooked {
  tracker: Tracker;
  environment: { DATABASE_URL: string; WEBHOOK_ALLOW: string };
  origin: string;
  /** The status of the next answers. */
  answer: { status: number };
  /** The `type` of each message. */
  types: string[];
}

databaseSuite({ name: "webhooks of a server", atOnce: 3 }, await database(), (define, server) => {
  const onMysql = mysqlBy(server);
  /** Runs with a webhook to a receiver of this machine, without a secret. */
  const onWebhook = (run: (hooked: Hooked) => Promise<void>): Promise<void> =>
    onMysql(async ({ url: DATABASE_URL, storage }) => {
      const answer = { status: 200 };
      const types: string[] = [];
      const receiver = createServer((request, response) => {
        void request.toArray().then((chunks: Buffer[]) => {
          types.push((JSON.parse(Buffer.concat(chunks).toString()) as { type: string }).type);
          response.writeHead(answer.status).end();
        });
      });
      await listening(receiver, async (port) => {
        const WEBHOOK_ALLOW = `127.0.0.1:${port}`;
        const origin = `http://${WEBHOOK_ALLOW}`;
        const tracker = createTracker({ storage, webhookAllow: [WEBHOOK_ALLOW] });
        await tracker.subscriptions.define({ key: "hook", on: { contacts: true }, url: `${origin}/in?token=4711` });
        await run({ tracker, environment: { DATABASE_URL, WEBHOOK_ALLOW }, origin, answer, types });
      });
    });
  const test = testsOn(define, onWebhook);

  test("the command shows origin and state, and makes, lists and deletes secrets", async ({ environment, origin }) => {
    const run = (...args: string[]) => runCommand(["subscriptions", ...args], environment);
    const shown = `hook  {"contacts":true}  7 days  ${origin}  `;
    assert.equal((await run("list")).stdout, `${shown}no_secret\n`);
    const { stdout } = await run("secret", "hook");
    assert.match(stdout, /^whsec_[A-Za-z0-9+/]{43}=\n$/);
    const second = JSON.parse((await run("secret", "hook", "--json")).stdout) as { id: string; secret: string };
    const third = await run("secret", "hook");
    assert.deepEqual([third.exitCode, third.stdout], [1, ""]);
    assert.match(third.stderr, /^whodid: The webhook has two secrets that sign\. .*\n$/);
    const listed = (await run("secrets", "hook")).stdout;
    assert.match(listed, new RegExp(`^${second.id}  created \\S+\n\\S+  created \\S+  signs until \\S+\n$`));
    assert.equal((await run("delete-secret", "hook", second.id)).stdout, "deleted\n");
    assert.equal((await run("delete-secret", "hook", second.id)).exitCode, 1);
    const json = (await run("list", "--json")).stdout;
    assert.deepEqual(
      (JSON.parse(json) as { url: string; webhook: { state: string } }[]).map(({ url, webhook }) => [
        url,
        webhook.state,
      ]),
      [[origin, "delivering"]],
    );
    for (const text of ["4711", "/in", "whsec_"]) assert.equal(`${json}${listed}`.includes(text), false, text);
  });

  test("the command sends a test, enables, and resumes from a time", async ({ environment, answer, types }) => {
    const run = (...args: string[]) => runCommand(["subscriptions", ...args], environment);
    const unsigned = await run("test", "hook");
    assert.deepEqual(unsigned, {
      exitCode: 1,
      stdout: "",
      stderr: "whodid: The test was not delivered. The webhook has no secret.\n",
    });
    await run("secret", "hook");
    assert.equal((await run("test", "hook")).stdout, "delivered\n");
    answer.status = 500;
    const failed = await run("test", "hook", "--json");
    assert.deepEqual([failed.exitCode, (JSON.parse(failed.stdout) as { status: number }).status], [1, 500]);
    assert.deepEqual(types, ["webhook.test", "webhook.test"]);
    const { WEBHOOK_ALLOW: _, ...refusing } = environment;
    assert.equal((await runCommand(["subscriptions", "test", "hook"], refusing)).exitCode, 1);
    assert.equal(types.length, 2);
    assert.equal((await run("enable", "hook")).stdout, "enabled\n");
    assert.equal((await run("resume", "hook", "--from", new Date().toISOString())).stdout, "resumed\n");
  });

  test("`work` sends messages, logs its start and its stop, and ends in peace", async (hooked) => {
    const { tracker, environment, answer, types } = hooked;
    await tracker.subscriptions.createSecret("hook");
    await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.equal((await runCommand(["work", "--once"], environment)).stdout, "logged 1 changes\n");
    assert.deepEqual(types, []);
    const { child, output, ended } = startCommand(["work"], environment);
    try {
      const delivered = async (): Promise<void> => {
        while (types.length === 0) await sleep(50);
        answer.status = 410;
        await tracker.contacts.upsert({ email: "bob@example.com" });
        while ((await tracker.subscriptions.webhook("hook")).state !== "disabled") await sleep(50);
      };
      await within(120_000, "the message", delivered());
      child.kill("SIGTERM");
      assert.equal((await ended()).exitCode, 0);
      assert.deepEqual(types, ["contact.created", "contact.created"]);
      const events = output.stderr.trim().split("\n");
      const [first, ...others] = events.map((line) => JSON.parse(line) as { event: string; signal?: string });
      assert.equal(first?.event, "start");
      assert.deepEqual([others.at(-1)?.event, others.at(-1)?.signal], ["stop", "SIGTERM"]);
      assert.equal(output.stderr.includes("4711"), false);
    } finally {
      child.kill("SIGKILL");
    }
    const list = await runCommand(["subscriptions", "list"], environment);
    assert.match(list.stdout, /  disabled since \S+: gone\n$/);
  });

  define("`work` says in a line that tables are missing", async () => {
    const { exitCode, stderr } = await runCommand(["work"], { DATABASE_URL: await server.createDatabase() });
    assert.deepEqual([exitCode, stderr], [1, "whodid: A table is missing: run `whodid migrate`.\n"]);
  });

  for (const WORK of ["on", "off"])
    test(`the metrics of a server with WORK=${WORK} ${WORK === "on" ? "count" : "leave out"} its messages`, async (hooked) => {
      const { tracker, environment, answer } = hooked;
      await tracker.subscriptions.createSecret("hook");
      await tracker.contacts.upsert({ email: "ada@example.com" });
      const settings = { ...environment, WORK, METRICS: "0", API_KEY: generateApiKey() };
      await withServer(async ({ output }) => {
        const [, port] = /127\.0\.0\.1:(\d+)\/metrics$/m.exec(output.stdout)!;
        const read = async (): Promise<string[]> => {
          const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
          return text.split("\n").filter((line) => line.startsWith("whodid_webhook"));
        };
        if (WORK === "off") return assert.deepEqual(await read(), []);
        const until = async (line: string): Promise<void> => {
          while (!(await read()).includes(line)) await sleep(100);
        };
        await until('whodid_webhook_tries_total{outcome="delivered"} 1');
        answer.status = 410;
        await tracker.contacts.upsert({ email: "bob@example.com" });
        await until('whodid_webhooks{state="disabled"} 1');
        const lines = await read();
        assert.ok(lines.includes('whodid_webhook_tries_total{outcome="failed"} 1'), lines.join());
        assert.ok(lines.includes('whodid_webhooks{state="down"} 0'), lines.join());
        assert.ok(lines.some((line) => Number(/^whodid_webhook_seconds_total (\S+)$/.exec(line)?.[1]) > 0));
      }, settings);
    });
});
