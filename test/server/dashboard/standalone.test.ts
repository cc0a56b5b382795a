import assert from "node:assert/strict";
import { createClient } from "../../../lib/client/index.ts";
import type { RawRequest } from "../../support/raw-connection.ts";
import { codeOf } from "../../support/raw-connection.ts";
import { runCommand, withServer } from "../../support/server-process.ts";
import { database, databaseSuite } from "../../support/mysql.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { withHttpServer } from "../in-process.ts";

// Before the first suite: one that is defined after a pause starts a run of its own.
const server = await database();

const wayIn = "`whodid keys create --name NAME --access admin";

/** Without a key. */
const open = (request: RawRequest): RawRequest => ({
  ...request,
  headers: { Authorization: null, ...request.headers },
});

suite({ name: "the server's dashboard", atOnce: 2 }, (define) => {
  const test = testsOn(define, withServer);
  test(
    "is not there if it is off",
    async ({ ask, output }) => {
      for (const target of ["/dashboard", "/dashboard/", "/dashboard/script.js"])
        assert.equal(codeOf(await ask({ target })), "route_not_found");
      assert.equal(output.stdout.includes("dashboard"), false);
    },
    { DASHBOARD: "off" },
  );

  define("shows everybody its page and files, and nobody anything else", () =>
    withHttpServer(
      async ({ ask }) => {
        const page = await ask(open({ target: "/dashboard" }));
        assert.match(page.body, /<html lang="en" data-base-path="\/dashboard" data-api-path="\/api\/v1">/);
        assert.equal((await ask(open({ target: "/dashboard/script.js" }))).status, 200);
        for (const target of ["/api/contacts", "/api", "/session", "/session/", "/x"]) {
          for (const method of ["GET", "POST", "DELETE"])
            assert.equal(codeOf(await ask({ method, target: `/dashboard${target}` })), "route_not_found");
        }
      },
      { hasDashboard: true },
    ),
  );

  define("sets no cookie, and takes none for a key", () =>
    withHttpServer(
      async ({ ask, key }) => {
        const page = await ask(open({ target: "/dashboard", headers: { Cookie: `whodid_session=${key}` } }));
        assert.equal(page.headers.has("set-cookie"), false);
        const answer = await ask(open({ target: "/api/v1/contacts", headers: { Cookie: `whodid_session=${key}` } }));
        assert.equal(codeOf(answer), "missing_api_key");
      },
      { hasDashboard: true },
    ),
  );

  define("answers with strict headers, and the API without any that opens it to other origins", () =>
    withHttpServer(
      async ({ ask }) => {
        const { headers } = await ask(open({ target: "/dashboard" }));
        const policy = headers.get("content-security-policy")!.split("; ");
        for (const part of ["default-src 'none'", "connect-src 'self'", "form-action 'none'", "frame-ancestors 'none'"])
          assert.ok(policy.includes(part), part);
        assert.ok(policy.includes("require-trusted-types-for 'script'"));
        assert.deepEqual(
          ["cross-origin-opener-policy", "referrer-policy", "x-content-type-options", "cache-control"].map((name) =>
            headers.get(name),
          ),
          ["same-origin", "no-referrer", "nosniff", "no-store"],
        );
        const Origin = "https://elsewhere.example";
        for (const method of ["GET", "OPTIONS", "POST"]) {
          for (const target of ["/api/v1/key", "/dashboard"]) {
            const answer = await ask({ method, target, headers: { Origin, "Access-Control-Request-Method": "GET" } });
            const opening = Array.from(answer.headers.keys()).filter((name) => name.startsWith("access-control"));
            assert.deepEqual(opening, []);
          }
        }
      },
      { hasDashboard: true },
    ),
  );

  test(
    "has a key on memory with the access admin, which is printed with its address, beside an API_KEY too",
    async ({ port, output }) => {
      const address = `The dashboard is at http://127.0.0.1:${port}/dashboard\n`;
      const [, key = ""] = new RegExp(`${address}The API key[^\n]+:\n\n {2}(sk_\\S+)\n`).exec(output.stdout)!;
      const { apiKeys } = createClient({ url: `http://127.0.0.1:${port}/api/v1`, key });
      const { workspace, apiKey } = await apiKeys.own();
      assert.deepEqual([workspace, apiKey?.name, apiKey?.access], ["default", "operator", "admin"]);
      assert.equal(output.stdout.includes(wayIn), false);
    },
    { API_KEY: `sk_${"A".repeat(43)}` },
  );

  test(
    "says once of each old setting that it is ignored, and how to get in",
    async ({ output }) => {
      const lines = output.stderr.split("\n").filter((line) => line.includes('"warning"'));
      assert.equal(lines.length, 2);
      for (const [index, name] of ["DASHBOARD_PASSWORD", "TRUSTED_PROXIES"].entries())
        assert.match(lines[index]!, new RegExp(`${name} is ignored: .*keys create --name NAME --access admin`));
      assert.equal(output.stderr.includes("correct horse"), false);
    },
    { DASHBOARD_PASSWORD: "correct horse", TRUSTED_PROXIES: "1" },
  );

  test(
    "gives its answers an X-Request-Id, and counts them by their routes",
    async ({ ask, output }) => {
      for (const target of ["", "/", "/script.js", "/mArKeR"]) {
        const { headers } = await ask({ target: `/dashboard${target}` });
        assert.match(headers.get("x-request-id")!, /^[0-9a-f]{8}-[0-9a-z]+$/);
      }
      const [, url] = /^Metrics are at (\S+)$/m.exec(output.stdout)!;
      const text = await (await fetch(url!)).text();
      assert.deepEqual(
        Array.from(
          text.matchAll(/^whodid_requests_total\{(.*)\} (\d+)$/gm),
          ([, labels, n]) => `${labels} ${n}`,
        ).sort(),
        [
          'method="GET",route="/dashboard",status="200" 2',
          'method="GET",route="/dashboard/script.js",status="200" 1',
          'method="GET",route="none",status="404" 1',
        ],
      );
    },
    { METRICS: "0" },
  );
});

databaseSuite("the server's dashboard on a database", server, (test, { createDatabase }) => {
  test("names the command that makes a key until a key with the access admin is valid", async () => {
    const DATABASE_URL = await createDatabase();
    const isNamed = async (): Promise<boolean> => {
      let isThere = false;
      const run = async ({ output }: { output: { stdout: string } }): Promise<void> =>
        void (isThere = output.stdout.includes(wayIn));
      await withServer(run, { DATABASE_URL, API_KEY: `sk_${"A".repeat(43)}` });
      return isThere;
    };
    assert.equal(await isNamed(), true);
    const { exitCode } = await runCommand(["keys", "create", "--name", "ada", "--access", "admin"], { DATABASE_URL });
    assert.deepEqual([exitCode, await isNamed()], [0, false]);
  });
});
