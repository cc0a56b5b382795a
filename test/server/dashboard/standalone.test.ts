import assert from "node:assert/strict";
import { once } from "node:events";
import { createClient } from "../../../lib/client/index.ts";
import type { RawRequest } from "../../support/raw-connection.ts";
import { codeOf } from "../../support/raw-connection.ts";
import { withServer, type ServerProcess } from "../../support/server-process.ts";
import { suite } from "../../support/suite.ts";
import { within } from "../../support/within.ts";
import { withHttpServer } from "../in-process.ts";
import { cookieFrom, logIn, own, password, read, setting, toDashboard, withDashboard } from "./logging-in.ts";

const contact = '{"email":"ada@example.com"}';

function passwordIn({ output }: ServerProcess): string | undefined {
  return /^The dashboard is at http:\S+:\d+\/dashboard, with the password\n\n {2}(\S+)\n$/m.exec(output.stdout)?.[1];
}

suite({ name: "the server's dashboard", atOnce: 2 }, (test) => {
  test(
    "is not there without a password",
    withHttpServer(async ({ ask }) => {
      for (const target of ["/dashboard", "/dashboard/", "/dashboard/script.js", "/dashboard/api/contacts"]) {
        assert.equal(codeOf(await ask({ target })), "route_not_found");
      }
      assert.equal(codeOf(await logIn(ask, password)), "route_not_found");
    }),
  );

  test(
    "shows everybody its page and files, and nobody without a session its API",
    withDashboard(async ({ ask, key }) => {
      const page = await ask(toDashboard({ target: "/dashboard" }));
      assert.match(page.body, /<html lang="en" data-base-path="\/dashboard" data-has-login>/);
      assert.equal((await ask(toDashboard({ target: "/dashboard/script.js" }))).status, 200);
      for (const headers of [
        {},
        { Cookie: "whodid_session=" },
        { Cookie: `whodid_session=9999999999999.${"A".repeat(43)}` },
        { Authorization: `Bearer ${key}` },
      ]) {
        for (const target of ["/dashboard/api/contacts", "/dashboard/api/nowhere", "/dashboard/api"]) {
          assert.equal(codeOf(await ask(toDashboard({ target, headers }))), "forbidden");
        }
      }
    }),
  );

  test(
    "lets in whoever knows the password, by a cookie for the dashboard alone",
    withDashboard(async ({ ask }) => {
      const answer = await logIn(ask, password);
      assert.deepEqual([answer.status, answer.body], [200, '{"success":true}']);
      const [session = "", browser = "", ...others] = answer.headers.getSetCookie();
      assert.match(
        session,
        /^whodid_session=\d+\.[\w-]{43}; Path=\/dashboard; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      );
      assert.match(
        browser,
        /^whodid_browser=[\w-]{22}\.[\w-]{43}; Path=\/dashboard\/session; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
      );
      assert.deepEqual(others, []);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      const Cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
      const { status, headers } = await read(ask, Cookie);
      assert.deepEqual([status, headers.has("x-ratelimit-limit")], [200, false]);
      const written = await ask(toDashboard({ target: "/dashboard/api/contacts", headers: { Cookie }, body: contact }));
      assert.equal(written.status, 201);
      assert.equal((await ask({ target: "/api/v1/contacts", headers: { Authorization: null, Cookie } })).status, 401);
    }),
  );

  test(
    "refuses a wrong password, and does not say what it was",
    withDashboard(async ({ ask }) => {
      for (const tried of ["correct horsf", "", "CORRECT HORSE", '"'.repeat(500)]) {
        const answer = await logIn(ask, tried);
        assert.equal(codeOf(answer), "forbidden");
        assert.equal(answer.headers.has("set-cookie"), false);
        assert.match(answer.body, /The password is wrong\./);
      }
    }),
  );

  test(
    "takes the password in whichever code points its letters are written",
    withHttpServer(
      async ({ ask }) => {
        assert.equal((await logIn(ask, "caf\u00e9 au lait!")).status, 200);
        assert.equal((await logIn(ask, "cafe\u0301 au lait!")).status, 200);
      },
      { dashboardPassword: "cafe\u0301 au lait!" },
    ),
  );

  for (const [what, request, expected] of [
    ["without the header of its own", { headers: { "x-whodid-dashboard": null }, body: "{}" }, "forbidden"],
    ["that is not JSON", { body: "{" }, "malformed_json"],
    ["of another type", { headers: { "Content-Type": "text/plain" }, body: "{}" }, "unsupported_media_type"],
    ["that is compressed", { headers: { "Content-Encoding": "gzip" }, body: "{}" }, "unsupported_media_type"],
    ["without a password", { body: "{}" }, "invalid_input"],
    ["with a number", { body: '{"password":1}' }, "invalid_input"],
    ["with something else too", { body: '{"password":"x","user":"y"}' }, "invalid_input"],
    ["with a password of 501 bytes", { body: JSON.stringify({ password: "x".repeat(501) }) }, "invalid_input"],
    ["that is null", { body: "null" }, "invalid_input"],
    ["of 1,025 bytes", { body: "{}".padEnd(1_025) }, "body_too_large"],
    ["by GET", { method: "GET" }, "method_not_allowed"],
    ["by PUT", { method: "PUT", body: "{}" }, "method_not_allowed"],
  ] as [string, RawRequest, string][]) {
    test(
      `refuses a login ${what}`,
      withDashboard(async ({ ask }) => {
        const answer = await ask(toDashboard({ target: "/dashboard/session", ...request }));
        assert.equal(codeOf(answer), expected);
        assert.equal(answer.headers.get("allow"), expected === "method_not_allowed" ? "DELETE, POST" : null);
      }),
    );
  }

  test(
    "closes the connection of a login whose body has not ended within 5 s",
    withDashboard(async ({ connect, toText, ask }) => {
      const connection = await connect();
      const closed = within(18_000, "the server closing the connection", once(connection.socket, "close"));
      const body = JSON.stringify({ password });
      connection.write(toText(toDashboard({ target: "/dashboard/session", body })).slice(0, -1));
      await closed;
      assert.equal((await logIn(ask, password)).status, 200);
    }),
  );

  test(
    "ends a session in the browser that asks for it",
    withDashboard(async ({ ask }) => {
      const target = "/dashboard/session";
      const refused = await ask(toDashboard({ target, method: "DELETE", headers: { "x-whodid-dashboard": null } }));
      assert.deepEqual([codeOf(refused), refused.headers.has("set-cookie")], ["forbidden", false]);
      const { status, headers } = await ask(toDashboard({ target, method: "DELETE" }));
      // The browser stays known: the next log-in may come while others try.
      const cookie = "whodid_session=; Path=/dashboard; Max-Age=0; HttpOnly; SameSite=Strict";
      assert.deepEqual([status, headers.get("set-cookie")], [200, cookie]);
    }),
  );

  test(
    "bounds the requests of a connection that wait",
    withDashboard(async ({ connect, toText }) => {
      const connection = await connect();
      const body = JSON.stringify({ password: "wrong password" });
      connection.write(toText(toDashboard({ target: "/dashboard/session", body })).repeat(70));
      assert.equal(await connection.closed(), "");
    }),
  );

  test(
    "keeps the connection of a session when another needs its place",
    withHttpServer(
      async ({ ask, connect, toText }) => {
        const Cookie = await cookieFrom(ask);
        const [inside, outside] = [await connect(), await connect()];
        const target = "/dashboard/api/contacts";
        inside.write(toText(toDashboard({ target, headers: { Cookie } })));
        assert.equal((await inside.next()).status, 200);
        outside.write(toText(toDashboard({ target: "/dashboard" })));
        assert.equal((await outside.next()).status, 200);
        outside.write(toText(toDashboard({ target })));
        assert.equal((await outside.next()).status, 403);
        await connect();
        await outside.closed();
        inside.write(toText(toDashboard({ target, headers: { Cookie } })));
        assert.equal((await inside.next()).status, 200);
      },
      { dashboardPassword: password, prepare: (server) => (server.maxConnections = 3) },
    ),
  );

  test(
    "has a password made for it on memory, which is printed once beside the key",
    withServer(async (server) => {
      const { ask, output } = server;
      const made = passwordIn(server)!;
      assert.match(made, /^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/);
      assert.equal((output.stdout + output.stderr).split(made).length, 2);
      assert.equal((await read(ask, await cookieFrom(ask, made))).status, 200);
    }),
  );

  test(
    "does not print a password that it is given",
    withServer(async ({ output, port }) => {
      assert.ok(output.stdout.includes(`\nThe dashboard is at http://127.0.0.1:${port}/dashboard\n`));
      assert.equal((output.stdout + output.stderr).includes(password), false);
    }, setting),
  );

  test(
    "answers a login that a stop has found waiting",
    withServer(async ({ connect, toText, stop }) => {
      const connection = await connect();
      connection.write(toText(toDashboard({ target: "/dashboard/style.css" })));
      assert.equal((await connection.next()).status, 200);
      const body = JSON.stringify({ password: "wrong password" });
      connection.write(toText(toDashboard({ target: "/dashboard/session", body })));
      const [answer, { exitCode }] = await Promise.all([connection.next(), stop()]);
      assert.deepEqual([codeOf(answer), exitCode], ["forbidden", 0]);
    }, setting),
  );

  test(
    "gives its answers an X-Request-Id, and counts them by their routes",
    withServer(
      async ({ ask, output }) => {
        const Cookie = await cookieFrom(ask);
        for (const target of ["", "/", "/script.js", "/mArKeR", "/api/contacts/mArKeR", "/api/mArKeR", "/api/events"]) {
          const { headers } = await read(ask, Cookie, `/dashboard${target}`);
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
            'method="GET",route="/dashboard/api/contacts/:externalId",status="404" 1',
            'method="GET",route="/dashboard/api/events",status="200" 1',
            'method="GET",route="/dashboard/script.js",status="200" 1',
            'method="GET",route="none",status="404" 2',
            'method="POST",route="/dashboard/session",status="200" 1',
          ],
        );
        assert.equal(text.includes("mArKeR"), false);
      },
      { ...setting, METRICS: "0" },
    ),
  );

  test(
    "answers a client of the library that has a session",
    withServer(async ({ ask, port }) => {
      const cookie = await cookieFrom(ask);
      const client = createClient({
        url: `http://127.0.0.1:${port}/dashboard/api`,
        key: null,
        fetch: (target, init) => {
          const request = new Request(target, init);
          for (const [name, value] of Object.entries({ ...own, cookie })) request.headers.set(name, value);
          return fetch(request);
        },
      });
      const { created } = await client.contacts.upsert({ email: "ada@example.com" });
      assert.deepEqual([created, (await client.contacts.list()).items.length], [true, 1]);
      await client.close();
    }, setting),
  );
});
