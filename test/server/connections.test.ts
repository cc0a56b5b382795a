import assert from "node:assert/strict";
import type { Server } from "node:http";
import type { RawConnection } from "../support/raw-connection.ts";
import { suite, testsOn } from "../support/suite.ts";
import { withHttpServer, type InProcess } from "./in-process.ts";

const target = "/api/v1/contacts/u_1";
const threeSlots = { prepare: (server: Server) => void (server.maxConnections = 3) };

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

suite("the connection slots of the server", (define) => {
  const test = testsOn(define, withHttpServer);
  for (const [name, status, headers, path] of [
    ["answered 401", 401, { Authorization: "Bearer x" }, target],
    ["answered 401 without a key", 401, { Authorization: null }, target],
    ["answered 401 whatever it expects", 401, { Authorization: "Bearer x", Expect: "more" }, target],
    ["told that it is well", 200, { Authorization: null }, "/healthz"],
    ["answered 404 outside the API", 404, {}, "/nowhere"],
  ] as const) {
    test(
      `are taken from connections that were only ever ${name}, oldest first`,
      async (served) => {
        const first = await answered(served, status, headers, path);
        const second = await answered(served, status, headers, path);
        const third = await answered(served, 404);
        assert.equal(await first.closed(), "");
        const fourth = await answered(served, 404);
        assert.equal(await second.closed(), "");
        for (const known of [third, fourth]) await assertAnswered(known, served.toText({ target }), 404);
      },
      threeSlots,
    );
  }

  test(
    "stay with a connection that has sent a valid key, even if its other requests are refused",
    async (served) => {
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
    },
    threeSlots,
  );

  test(
    "are taken from a refused connection that holds the last slot",
    async (served) => {
      const known = [await answered(served, 404), await answered(served, 404)];
      const stranger = await answered(served, 401, { Authorization: null });
      assert.equal(await stranger.closed(), "");
      known.push(await answered(served, 404));
      for (const connection of known) await assertAnswered(connection, served.toText({ target }), 404);
    },
    threeSlots,
  );

  define("are taken from a request that waits before a newer one of an answered connection", async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let asked = 0;
    await withHttpServer(
      async (served) => {
        const health = served.toText({ target: "/healthz", headers: { Authorization: null } });
        const [older, stranger] = [await served.connect(), await answered(served, 401, { Authorization: null })];
        for (const connection of [older, stranger]) connection.write(health);
        while (asked < 3) await new Promise(setImmediate);
        const known = await answered(served, 404);
        assert.equal(await older.closed(), "");
        letGo();
        assert.ok([200, 503].includes((await stranger.next()).status));
        await assertAnswered(known, served.toText({ target }), 404);
      },
      {
        prepare(server) {
          threeSlots.prepare(server);
          server.on("request", () => asked++);
        },
        storage: (memory) => ({
          ...memory,
          // The health check waits for it.
          deleteApiKey: async (...args) => {
            await held;
            return memory.deleteApiKey(...args);
          },
        }),
      },
    );
  });

  define("stay with a request that waits for the storage after its API key was accepted", async () => {
    let asked = (): void => {};
    let letGo = (): void => {};
    const wasAsked = new Promise<void>((resolve) => (asked = resolve));
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await withHttpServer(
      async (served) => {
        const { connect, toText } = served;
        const waiting = await connect();
        waiting.write(toText({ target }));
        await wasAsked;
        for (let n = 0; n < 4; n++) await connect();
        await answered(served, 401, { Authorization: null });
        letGo();
        assert.equal((await waiting.next()).status, 404);
      },
      {
        ...threeSlots,
        storage: (memory) => ({
          ...memory,
          findContact: (...args) => (asked(), held.then(() => memory.findContact(...args))),
        }),
      },
    );
  });

  test(
    "are taken from connections without a request, oldest first, if none was refused",
    async (served) => {
      const known = await answered(served, 404);
      const silent = await served.connect();
      const slow = await served.connect();
      assert.equal(await silent.closed(), "");
      slow.write("GET /healthz HTTP/1.1\r\n");
      const next = await answered(served, 404);
      assert.equal(await slow.closed(), "");
      for (const connection of [known, next]) await assertAnswered(connection, served.toText({ target }), 404);
    },
    threeSlots,
  );

  test("stay with every connection while some are free", async (served) => {
    const connections = [];
    for (let n = 0; n < 50; n++) connections.push(await answered(served, 401, { Authorization: null }));
    for (const connection of connections) {
      await assertAnswered(connection, served.toText({ target, headers: { Authorization: null } }), 401);
    }
  });

  test(
    "are free again when refused connections have closed",
    async (served) => {
      for (let n = 0; n < 20; n++) {
        const stranger = await answered(served, 401, { Authorization: null });
        stranger.destroy();
        await stranger.closed();
      }
      await answered(served, 404);
    },
    threeSlots,
  );
});
