import assert from "node:assert/strict";
import type { Server } from "node:http";
import type { RawConnection } from "../support/raw-connection.ts";
import { suite } from "../support/suite.ts";
import { withHttpServer, type InProcess } from "./in-process.ts";

const target = "/api/v1/contacts/u_1";
const threeSlots = { prepare: (server: Server) => void (server.maxConnections = 3) };
const withDashboard = { ...threeSlots, dashboardPassword: "correct horse" };

/** A connection on which this was answered so. */
async function answered(
  { connect, toText }: InProcess,
  status: number,
  headers: Record<string, string | null> = {},
  path = target,
): Promise<RawConnection> {
  const connection = await connect();
  await assertAnswered(connection, toText({ target: path, headers }), status);
  return connection;
}

async function assertAnswered(connection: RawConnection, text: string, status: number): Promise<void> {
  connection.write(text);
  assert.equal((await connection.next()).status, status);
}

suite("the connection slots of the server", (test) => {
  for (const [name, status, headers, path] of [
    ["answered 401", 401, { Authorization: "Bearer x" }, target],
    ["answered 401 without a key", 401, { Authorization: null }, target],
    ["answered 401 whatever it expects", 401, { Authorization: "Bearer x", Expect: "more" }, target],
    ["told that it is well", 200, { Authorization: null }, "/healthz"],
    ["answered 404 outside the API", 404, {}, "/nowhere"],
  ] as const) {
    test(
      `are taken from connections that were only ever ${name}, oldest first`,
      withHttpServer(async (served) => {
        const first = await answered(served, status, headers, path);
        const second = await answered(served, status, headers, path);
        const third = await answered(served, 404);
        assert.equal(await first.closed(), "");
        const fourth = await answered(served, 404);
        assert.equal(await second.closed(), "");
        for (const known of [third, fourth]) await assertAnswered(known, served.toText({ target }), 404);
      }, threeSlots),
    );
  }

  test(
    "stay with a connection that has sent a valid key, even if its other requests are refused",
    withHttpServer(async (served) => {
      const { toText, connect } = served;
      const wrong = toText({ target, headers: { Authorization: "Bearer x" } });
      const connection = await answered(served, 401, { Authorization: "Bearer x" });
      await assertAnswered(connection, toText({ target }), 404);
      await assertAnswered(connection, wrong, 401);
      const stranger = await answered(served, 401, { Authorization: null });
      const last = await answered(served, 404);
      assert.equal(await stranger.closed(), "");
      await answered(served, 404);
      assert.equal(await (await connect()).closed(), "");
      for (const known of [connection, last]) await assertAnswered(known, toText({ target }), 404);
    }, threeSlots),
  );

  test(
    "are taken from a refused connection that holds the last slot",
    withHttpServer(async (served) => {
      const known = [await answered(served, 404), await answered(served, 404)];
      const stranger = await answered(served, 401, { Authorization: null });
      assert.equal(await stranger.closed(), "");
      known.push(await answered(served, 404));
      for (const connection of known) await assertAnswered(connection, served.toText({ target }), 404);
    }, threeSlots),
  );

  test(
    "are taken from requests that never end, oldest connection first",
    withHttpServer(async (served) => {
      const headers = { "Content-Length": 99, Expect: "100-continue", "x-whodid-dashboard": "1", Authorization: null };
      const login = served.toText({ target: "/dashboard/session", body: "{", headers }).slice(0, -1);
      const unfinished: RawConnection[] = [];
      for (let n = 0; n < 4; n++) {
        const connection = await served.connect();
        unfinished.push(connection);
        // The server asks for the body.
        await assertAnswered(connection, login, 100);
      }
      const known: RawConnection[] = [];
      for (const connection of unfinished) {
        if (known.length < 3) known.push(await answered(served, 404));
        assert.equal(await connection.closed(), "");
      }
      for (const connection of known) await assertAnswered(connection, served.toText({ target }), 404);
    }, withDashboard),
  );

  test(
    "are taken from a request that never ends before a newer one of an answered connection",
    withHttpServer(async (served) => {
      const headers = { "Content-Length": 99, Expect: "100-continue", "x-whodid-dashboard": "1", Authorization: null };
      const login = served.toText({ target: "/dashboard/session", body: "{", headers }).slice(0, -1);
      const older = await served.connect();
      await assertAnswered(older, login, 100);
      const stranger = await answered(served, 200, { Authorization: null }, "/healthz");
      await assertAnswered(stranger, login, 100);
      const known = await answered(served, 404);
      assert.equal(await older.closed(), "");
      stranger.write(" ".repeat(99));
      assert.equal((await stranger.next()).status, 400);
      await assertAnswered(known, served.toText({ target }), 404);
    }, withDashboard),
  );

  for (const [name, path] of [
    ["its API key", target],
    ["its session", "/dashboard/api/contacts/u_1"],
  ] as const) {
    test(`stay with a request that waits for the storage after ${name} was accepted`, async () => {
      let asked = (): void => {};
      let letGo = (): void => {};
      const wasAsked = new Promise<void>((resolve) => (asked = resolve));
      const held = new Promise<void>((resolve) => (letGo = resolve));
      await withHttpServer(
        async (served) => {
          const { ask, connect, toText } = served;
          const own = { "x-whodid-dashboard": "1" };
          const login = await ask({ target: "/dashboard/session", headers: own, body: '{"password":"correct horse"}' });
          const Cookie = login.headers.get("set-cookie")!;
          const waiting = await connect();
          waiting.write(toText({ target: path, headers: path === target ? {} : { Cookie, Authorization: null } }));
          await wasAsked;
          for (let n = 0; n < 4; n++) await connect();
          await answered(served, 401, { Authorization: null });
          letGo();
          assert.equal((await waiting.next()).status, 404);
        },
        {
          ...withDashboard,
          storage: (memory) => ({
            ...memory,
            findContact: (...args) => (asked(), held.then(() => memory.findContact(...args))),
          }),
        },
      )();
    });
  }

  test(
    "are taken from connections without a request, oldest first, if none was refused",
    withHttpServer(async (served) => {
      const known = await answered(served, 404);
      const silent = await served.connect();
      const slow = await served.connect();
      assert.equal(await silent.closed(), "");
      slow.write("GET /healthz HTTP/1.1\r\n");
      const next = await answered(served, 404);
      assert.equal(await slow.closed(), "");
      for (const connection of [known, next]) await assertAnswered(connection, served.toText({ target }), 404);
    }, threeSlots),
  );

  test(
    "stay with every connection while some are free",
    withHttpServer(async (served) => {
      const connections = [];
      for (let n = 0; n < 50; n++) connections.push(await answered(served, 401, { Authorization: null }));
      for (const connection of connections) {
        await assertAnswered(connection, served.toText({ target, headers: { Authorization: null } }), 401);
      }
    }),
  );

  test(
    "are free again when refused connections have closed",
    withHttpServer(async (served) => {
      for (let n = 0; n < 20; n++) {
        const stranger = await answered(served, 401, { Authorization: null });
        stranger.destroy();
        await stranger.closed();
      }
      await answered(served, 404);
    }, threeSlots),
  );
});
