import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { metricList } from "../../adapters/metrics/list.ts";
import { generateApiKey } from "../../lib/api-keys.ts";
import { createTracker } from "../../lib/index.ts";
import { assertRefusesToStart } from "../support/call-command.ts";
import { listening } from "../support/loopback.ts";
import { database, databaseSuite, mysqlBy } from "../support/mysql.ts";
import { familiesOf, samplesOf } from "../support/prometheus.ts";
import { startProxy } from "../support/proxy.ts";
import { withServer, type ServerProcess } from "../support/server-process.ts";
import { suite, testsOn } from "../support/suite.ts";

const contact = '{"email":"ada@example.com"}';

function portOf({ output }: ServerProcess): number {
  return Number(/^Metrics are at http:\/\/127\.0\.0\.1:(\d+)\/metrics$/m.exec(output.stdout)?.[1]);
}

async function textOf(server: ServerProcess): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${portOf(server)}/metrics`);
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  return response.text();
}

async function read(server: ServerProcess): Promise<Map<string, number>> {
  return samplesOf(await textOf(server));
}

suite({ name: "the server's metrics", atOnce: 3 }, (define) => {
  const test = testsOn(define, withServer);
  test(
    "count requests by method, route and status, and hold nothing that was received",
    async (server) => {
      const { ask } = server;
      await ask({ body: contact });
      await ask({ target: "/api/v1/contacts/mArKeR4711" });
      await ask({ target: "/api/v1/contacts/other" });
      await ask({ target: "/api/v1/contacts/mArKeR4711", headers: { Authorization: null } });
      await ask({ target: "/api/v1/mArKeR4711" });
      await ask({ target: "/api/v1/contacts/%ff" });
      await ask({ target: "/mArKeR4711" });
      await ask({ target: "/healthz" });
      const samples = await read(server);
      const requests = [...samples].filter(([name]) => name.startsWith("whodid_requests_total"));
      assert.deepEqual(Object.fromEntries(requests), {
        'whodid_requests_total{method="POST",route="/api/v1/contacts",status="201"}': 1,
        'whodid_requests_total{method="GET",route="/api/v1/contacts/:externalId",status="404"}': 2,
        'whodid_requests_total{method="GET",route="/api/v1/contacts/:externalId",status="401"}': 1,
        'whodid_requests_total{method="GET",route="none",status="404"}': 2,
        'whodid_requests_total{method="GET",route="none",status="400"}': 1,
        'whodid_requests_total{method="GET",route="/healthz",status="200"}': 1,
      });
      assert.equal(JSON.stringify([...samples]).includes("4711"), false);
    },
    { METRICS: "0" },
  );

  test(
    "have a histogram of seconds for each route",
    async (server) => {
      for (let n = 0; n < 3; n++) await server.ask({ target: "/api/v1/contacts/u_1" });
      const samples = await read(server);
      const labels = 'method="GET",route="/api/v1/contacts/:externalId"';
      const buckets = [...samples].filter(([name]) => name.startsWith(`whodid_request_seconds_bucket{${labels},le=`));
      const counts = buckets.map(([, count]) => count);
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => a - b),
      );
      assert.equal(samples.get(`whodid_request_seconds_bucket{${labels},le="+Inf"}`), 3);
      assert.equal(samples.get(`whodid_request_seconds_count{${labels}}`), 3);
      assert.ok(samples.get(`whodid_request_seconds_sum{${labels}}`)! > 0);
    },
    { METRICS: "0" },
  );

  test(
    "count what was refused for its rate",
    async (server) => {
      const statuses: number[] = [];
      for (let n = 0; n < 6; n++) statuses.push((await server.ask({ target: "/api/v1/contacts/u_1" })).status);
      const limited = statuses.filter((status) => status === 429).length;
      assert.ok(limited >= 2);
      assert.equal((await read(server)).get("whodid_rate_limited_total"), limited);
    },
    { METRICS: "0", RATE_LIMIT: "2" },
  );

  test(
    "are answered at /metrics alone, on 127.0.0.1 alone, and nothing is kept from ending by who reads them",
    async (server) => {
      await read(server);
      assert.equal((await fetch(`http://127.0.0.1:${portOf(server)}/`)).status, 404);
      const elsewhere = connect(portOf(server), "127.0.0.2");
      await assert.rejects(once(elsewhere, "connect"));
      assert.equal((await server.stop()).exitCode, 0);
    },
    { METRICS: "0", HOST: "0.0.0.0" },
  );

  test(
    "are answered on the host that is given, IPv6 too",
    async ({ output }) => {
      const [, url = ""] = /^Metrics are at (http:\/\/\[::1\]:\d+\/metrics)$/m.exec(output.stdout) ?? [];
      assert.equal((await fetch(url)).status, 200);
    },
    { METRICS: "[::1]:0" },
  );

  define("stop the start, in a line that says where, when their port is in use", async () => {
    await listening(createServer(), (port) =>
      assertRefusesToStart({ METRICS: String(port) }, new RegExp(`127\\.0\\.0\\.1:${port}: EADDRINUSE`)),
    );
  });

  define("are not kept from stopping the start by a PORT in use", async () => {
    await listening(createServer(), (port) =>
      assertRefusesToStart({ METRICS: "0", PORT: String(port) }, new RegExp(`127\\.0\\.0\\.1:${port}: EADDRINUSE`)),
    );
  });
});

databaseSuite("the server's metrics of a database", await database(), (define, started) => {
  const test = testsOn(define, mysqlBy(started));
  define("hold what its storage counts, and each 503 by its cause", async () => {
    const proxy = await startProxy(await started.createDatabase());
    try {
      await withServer(
        async (server) => {
          assert.equal((await server.ask({ body: contact })).status, 201);
          const before = await read(server);
          assert.equal(before.get('whodid_batches_total{kind="contacts"}'), 1);
          assert.equal(before.get('whodid_batch_items_total{kind="contacts"}'), 1);
          assert.equal(before.get('whodid_queue_items{kind="events"}'), 0);
          assert.ok(before.get('whodid_pool_connections{state="open"}')! >= 1);
          assert.equal(before.get("whodid_pool_waiting"), 0);
          assert.equal(before.get("whodid_outbox_oldest_seconds"), 0);
          proxy.next.push("lose commit");
          assert.equal((await server.ask({ body: contact })).status, 200);
          assert.equal((await read(server)).get('whodid_retries_total{error="PROTOCOL_CONNECTION_LOST"}'), 1);
          proxy.freeze();
          assert.equal((await server.ask({ target: "/healthz" })).status, 503);
          const connection = await server.connect();
          connection.write(server.toText({ body: contact }));
          const causes = async (): Promise<string[]> =>
            [...(await read(server)).keys()].filter((name) => name.startsWith("whodid_unavailable_total"));
          while ((await causes()).length === 0) await sleep(100);
          // Whether /healthz has taken the connection that there was.
          assert.match((await causes()).join(), /^whodid_unavailable_total\{cause="(?:expired|no_connection)"\}$/);
          const after = await read(server);
          assert.equal(after.has("whodid_outbox_changes"), false);
          assert.equal(after.get('whodid_requests_total{method="GET",route="/healthz",status="503"}'), 1);
          proxy.thaw();
        },
        { DATABASE_URL: proxy.url, API_KEY: generateApiKey(), METRICS: "0" },
      );
    } finally {
      await proxy.close();
    }
  });

  test("count the changes that wait for the log, and those that were logged", async ({ url, storage }) => {
    const serveWith = (WORK: string, run: (server: ServerProcess) => Promise<void>): Promise<void> =>
      withServer(run, { DATABASE_URL: url, API_KEY, METRICS: "0", WORK });
    const API_KEY = generateApiKey();
    await createTracker({ storage }).subscriptions.define({ key: "all", on: { contacts: true } });
    await serveWith("off", async (server) => {
      assert.equal((await server.ask({ body: contact })).status, 201);
      const samples = await read(server);
      assert.equal(samples.get("whodid_outbox_changes"), 1);
      assert.ok(samples.get("whodid_outbox_oldest_seconds")! < 3_600);
      assert.equal(samples.get("whodid_changes_logged_total"), 0);
    });
    await serveWith("on", async (server) => {
      assert.deepEqual(
        familiesOf(await textOf(server)),
        metricList.map(({ name }) => name),
      );
      while ((await read(server)).get("whodid_changes_logged_total") !== 1) await sleep(100);
      assert.equal((await read(server)).get("whodid_outbox_changes"), 0);
    });
  });

  test("hold the backlog and the parked contacts of each subscription that had a consumer", async ({
    url,
    storage,
  }) => {
    const tracker = createTracker({ storage, onError: () => {} });
    const { subscriptions, contacts } = tracker.workspace("shop");
    for (const key of ["mailer", "unused"]) await subscriptions.define({ key, on: { contacts: true } });
    await contacts.upsert({ email: "ada@example.com" });
    await subscriptions.consume("mailer", { until: "caught-up", tries: 1 }, () => Promise.reject(new Error("no")));
    await contacts.upsert({ email: "bob@example.com" });
    await tracker.work({ until: "caught-up" });
    await withServer(
      async (server) => {
        const samples = await read(server);
        const labels = '{workspace="shop",key="mailer"}';
        assert.equal(samples.get(`whodid_backlog_changes${labels}`), 1);
        assert.ok(samples.get(`whodid_backlog_oldest_seconds${labels}`)! < 3_600);
        assert.equal(samples.get(`whodid_parked_contacts${labels}`), 1);
        assert.equal(JSON.stringify([...samples]).includes("unused"), false);
      },
      { DATABASE_URL: url, API_KEY: generateApiKey(), METRICS: "0" },
    );
  });
});
