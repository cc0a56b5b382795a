import assert from "node:assert/strict";
import { codeOf } from "../support/raw-connection.ts";
import { suite, testsOn } from "../support/suite.ts";
import { withHttpServer } from "./in-process.ts";

suite("the server", (define) => {
  const test = testsOn(define, withHttpServer);
  for (const target of ["/healthz", "/healthz?verbose=1", "http://localhost/healthz"]) {
    test(`says at ${target} that it is well, to anybody`, async ({ ask }) => {
      const { status, headers, body } = await ask({ target, headers: { Authorization: null } });
      assert.deepEqual([status, body], [200, '{"status":"ok"}']);
      assert.equal(headers.get("content-type"), "application/json");
      assert.equal(headers.has("x-ratelimit-limit"), false);
    });
  }

  test("says at /healthz that its storage is not", async ({ ask, storage }) => {
    await storage.close();
    const { status, body } = await ask({ target: "/healthz" });
    assert.deepEqual([status, body], [503, '{"status":"unavailable"}']);
  });

  test("says to HEAD /healthz the same without a body", async ({ connect, toText }) => {
    const connection = await connect();
    connection.write(toText({ target: "/healthz", method: "HEAD" }) + toText({ target: "/healthz" }));
    const { status, headers } = await connection.next("HEAD");
    assert.deepEqual([status, headers.get("content-length")], [200, "15"]);
    assert.equal((await connection.next()).body, '{"status":"ok"}');
  });

  for (const hasDashboard of [false, true]) {
    test(
      `names the API at its root to anybody, ${hasDashboard ? "and the dashboard" : "and no dashboard if there is none"}`,
      async ({ ask }) => {
        for (const target of ["/", "/?x=/api/v1/contacts/u_1", "http://localhost"]) {
          const { status, headers, body } = await ask({ target, headers: { Authorization: null } });
          assert.deepEqual([status, headers.get("content-type")], [200, "application/json"]);
          const api = { api: "/api/v1", openapi: "/openapi.json" };
          assert.deepEqual(JSON.parse(body), hasDashboard ? { ...api, dashboard: "/dashboard" } : api);
        }
      },
      { hasDashboard },
    );
  }

  test("takes no write at its root", async ({ ask }) => {
    assert.equal(codeOf(await ask({ target: "/", body: "{}" })), "route_not_found");
  });

  for (const target of [
    "/api",
    "/api/",
    "/api/v1x",
    "/api/v1x/contacts/u_1",
    "/api/v11/contacts/u_1",
    "/API/V1/contacts/u_1",
    "//api/v1/contacts/u_1",
    "/%61pi/v1/contacts/u_1",
    "/api%2Fv1/contacts/u_1",
    "/contacts/u_1",
    "/events",
    "/healthz/",
    "/healthzz",
    "http://localhost/contacts/u_1",
  ]) {
    test(`answers 404 in JSON to ${target}, without a word of limits`, async ({ ask }) => {
      for (const headers of [{}, { Authorization: null }]) {
        const answer = await ask({ target, headers });
        assert.deepEqual([answer.status, codeOf(answer)], [404, "route_not_found"]);
        assert.equal(answer.headers.get("content-type"), "application/json");
        assert.deepEqual(
          [...answer.headers.keys()].filter((name) => name.startsWith("x-ratelimit")),
          [],
        );
      }
    });
  }

  test("answers HEAD outside the API without a body, and keeps the connection after a body it has not read", async ({
    connect,
    toText,
  }) => {
    const connection = await connect();
    connection.write(toText({ target: "/nowhere", method: "HEAD" }));
    assert.equal((await connection.next("HEAD")).status, 404);
    connection.write(toText({ target: "/nowhere", body: "x".repeat(1_000_000) }));
    assert.equal((await connection.next()).status, 404);
    connection.write(toText({ target: "/healthz" }));
    assert.equal((await connection.next()).status, 200);
  });

  for (const target of ["/api/v1", "/api/v1/", "/api/v1?x", "/api/v1/nowhere", "/api/v1/../healthz"]) {
    test(`lets the API answer ${target}`, async ({ ask }) => {
      const unknown = await ask({ target, headers: { Authorization: null } });
      assert.deepEqual([unknown.status, unknown.headers.get("x-ratelimit-limit")], [401, "100"]);
      assert.equal(codeOf(await ask({ target })), "route_not_found");
    });
  }
});
