import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import express from "express";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { metrics } from "../../adapters/metrics/index.ts";
import { metricList } from "../../adapters/metrics/list.ts";
import { toListener } from "../../adapters/node-http.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { listening } from "../support/loopback.ts";
import { database, databaseSuite } from "../support/mysql.ts";
import { familiesOf, samplesOf } from "../support/prometheus.ts";
import { proxiedBy } from "../support/proxied.ts";
import { untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";
import { until } from "../support/within.ts";

const ofWebhooks = ["whodid_webhook_tries_total", "whodid_webhook_seconds_total", "whodid_webhooks"];
const ofStorage = [
  "whodid_batches_total",
  "whodid_batch_items_total",
  "whodid_queue_items",
  "whodid_queue_bytes",
  "whodid_retries_total",
  "whodid_pool_connections",
  "whodid_pool_waiting",
  "whodid_changes_logged_total",
];
const ofDatabase = [
  "whodid_outbox_changes",
  "whodid_outbox_oldest_seconds",
  "whodid_backlog_changes",
  "whodid_backlog_oldest_seconds",
  "whodid_parked_contacts",
];

interface Mounted {
  health(): Promise<{ status: number; body: unknown }>;
  metrics(): Promise<string>;
}

/** An Express app with the tracker mounted in it. */
async function mounted(tracker: Tracker, run: (app: Mounted) => Promise<void>): Promise<void> {
  const app = express().use("/api/v1", toListener(tracker));
  app.get("/healthz", async (_, response) => {
    const health = await tracker.health();
    response.status(health.ok ? 200 : 503).json(health);
  });
  app.get("/metrics", async (_, response) => {
    response.type("text/plain").send(await metrics(tracker));
  });
  await listening(createServer(app), async (port) => {
    const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
    await run({
      async health() {
        const answer = await get("/healthz");
        return { status: answer.status, body: await answer.json() };
      },
      metrics: async () => (await get("/metrics")).text(),
    });
  });
}

suite("the health and the metrics of a mount", (test) => {
  test("on memory are its health, and the webhooks of the process that sends them", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    await mounted(tracker, async (app) => {
      assert.deepEqual(await app.health(), { status: 200, body: { ok: true, cause: null } });
      assert.equal(await app.metrics(), "");
      const work = createTracker({ storage: memoryStorage() }).work();
      assert.equal(await app.metrics(), "", "the work of another storage");
      await work.stop();
      tracker.work();
      assert.deepEqual(familiesOf(await app.metrics()), ofWebhooks);
      assert.equal(samplesOf(await app.metrics()).get('whodid_webhooks{state="down"}'), 0);
      await tracker.close();
      assert.deepEqual(await app.health(), { status: 503, body: { ok: false, cause: "closed" } });
      assert.equal(await app.metrics(), "");
    });
  });

  test("are also of a tracker that was spread, and of nothing that createTracker did not make", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    assert.equal(await metrics({ ...tracker }), "");
    await assert.rejects(metrics(untyped(tracker.workspace("acme"))), {
      name: "TypeError",
      message: "metrics takes what createTracker made",
    });
  });

  test("escape what the names of series hold", async () => {
    const { storage, tracker } = measured();
    storage.readBacklogs = async () => [{ ...backlog, workspace: "acme", key: 'a"b\\c' }];
    assert.match(await metrics(tracker), /^whodid_parked_contacts\{workspace="acme",key="a\\"b\\\\c"\} 3$/m);
  });

  test("leave out what cannot be read", async () => {
    const { storage, tracker } = measured();
    assert.deepEqual(familiesOf(await metrics(tracker)), ofDatabase);
    storage.readOutbox = () => Promise.reject(new Error("down"));
    assert.deepEqual(familiesOf(await metrics(tracker)), ofDatabase.slice(2));
    storage.readBacklogs = () => new Promise(() => {});
    assert.equal(await metrics(tracker), "");
  });
});

const backlog = { workspace: "default", key: "mailer", changes: 1, more: false, oldestAgeMs: 2_000, parked: 3 };

/** A memory that counts as a database does. */
function measured() {
  const storage = {
    ...memoryStorage(),
    readOutbox: async () => ({ changes: 1, oldestAgeMs: 2_000 }),
    readBacklogs: async () => [backlog],
  };
  return { storage, tracker: createTracker({ storage }) };
}

suite("the list of metrics", (test) => {
  const inside = (path: string): string => readFileSync(join(import.meta.dirname, "../../..", path), "utf8");
  const rowsOf = (text: string): string[][] =>
    Array.from(text.matchAll(/^\| (`whodid.*) \|$/gm), ([, row]) => row!.split("|").map((cell) => cell.trim()));

  test("has the alarms of the guide to a deployment", () => {
    const told = rowsOf(inside("examples/deploy/README.md")).map(
      ([name, alarm]) => `${/\w+/.exec(name!)![0]} ${alarm}`,
    );
    const alarms = metricList.flatMap(({ name, alarm }) => (alarm === null ? [] : [`${name} ${alarm}`]));
    assert.deepEqual(told.toSorted(), alarms.toSorted());
  });
});

databaseSuite("the health and the metrics of a mount on a database", await database(), (test, server) => {
  const proxied = proxiedBy(server);

  test("are all but the server's requests, and lack what a database that does not answer would count", () =>
    proxied(async ({ tracker, proxy }) =>
      mounted(tracker, async (app) => {
        await tracker.subscriptions.define({ key: "mailer", on: { contacts: true } });
        await tracker.contacts.upsert({ email: "ada@example.com" });
        await tracker.subscriptions.consume("mailer", { until: "caught-up" }, () => {});
        await tracker.contacts.upsert({ email: "bob@example.com" });
        await tracker.work({ until: "caught-up" });
        assert.deepEqual(familiesOf(await app.metrics()), [...ofStorage, ...ofDatabase]);
        const work = tracker.work();
        const text = await app.metrics();
        assert.deepEqual(familiesOf(text), [...ofWebhooks, ...ofStorage, ...ofDatabase]);
        assert.deepEqual(
          metricList.map(({ name }) => name).filter((name) => !familiesOf(text).includes(name)),
          ["whodid_requests_total", "whodid_rate_limited_total", "whodid_request_seconds", "whodid_unavailable_total"],
        );
        const samples = samplesOf(text);
        assert.equal(samples.get('whodid_backlog_changes{workspace="default",key="mailer"}'), 1);
        assert.equal(samples.get('whodid_batch_items_total{kind="contacts"}'), 2);
        await until(async () => (await app.health()).status === 200);
        proxy.freeze();
        assert.deepEqual(familiesOf(await app.metrics()), [...ofWebhooks, ...ofStorage]);
        while ((await app.health()).status === 200);
        assert.deepEqual(await app.health(), { status: 503, body: { ok: false, cause: "expired" } });
        proxy.thaw();
        while ((await app.health()).status !== 200);
        await work.stop();
        await tracker.close();
        assert.deepEqual(await app.health(), { status: 503, body: { ok: false, cause: "closed" } });
        assert.deepEqual(familiesOf(await app.metrics()), ofStorage);
      }),
    ));
});
