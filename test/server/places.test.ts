import assert from "node:assert/strict";
import type { Server } from "node:http";
import type { RawConnection } from "../support/raw-connection.ts";
import { suite } from "../support/suite.ts";
import { withHttpServer, type InProcess } from "./in-process.ts";

const target = "/api/v1/contacts/u_1";
const threePlaces = { prepare: (server: Server) => void (server.maxConnections = 3) };

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

suite("the places of the server", (test) => {
  for (const [name, status, headers, path] of [
    ["answered 401", 401, { Authorization: "Bearer x" }, target],
    ["answered 401 without a key", 401, { Authorization: null }, target],
    ["answered 401 whatever it expects", 401, { Authorization: "Bearer x", Expect: "more" }, target],
    ["told that it is well", 200, { Authorization: null }, "/healthz"],
    ["answered 404 outside the API", 404, {}, "/nowhere"],
  ] as const) {
    test(
      `go from who was only ever ${name}, the longest there first, to who comes`,
      withHttpServer(async (served) => {
        const first = await answered(served, status, headers, path);
        const second = await answered(served, status, headers, path);
        const third = await answered(served, 404);
        assert.equal(await first.closed(), "");
        const fourth = await answered(served, 404);
        assert.equal(await second.closed(), "");
        for (const known of [third, fourth]) await assertAnswered(known, served.toText({ target }), 404);
      }, threePlaces),
    );
  }

  test(
    "stay with who sent a key that is known, refused or not before and after",
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
    }, threePlaces),
  );

  test("that were all taken before anybody was answered go from the first who is refused", async () => {
    let asked = 0;
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await withHttpServer(
      async (served) => {
        const refused = served.toText({ target, headers: { Authorization: `Bearer sk_${"A".repeat(43)}` } });
        const connections: RawConnection[] = [];
        for (let n = 1; n <= 3; n++) {
          const connection = await served.connect();
          connections.push(connection);
          connection.write(refused);
          while (asked < n) await new Promise(setImmediate);
        }
        letGo();
        for (const connection of connections) assert.equal((await connection.next()).status, 401);
        // There is one.
        assert.equal(await connections[0]!.closed(), "");
      },
      {
        ...threePlaces,
        storage: (memory) => ({ ...memory, findApiKey: (hash) => (asked++, held.then(() => memory.findApiKey(hash))) }),
      },
    )();
  });

  test(
    "go from who has asked nothing, the longest there first, while nobody was refused",
    withHttpServer(async (served) => {
      const known = await answered(served, 404);
      const silent = await served.connect();
      const slow = await served.connect();
      assert.equal(await silent.closed(), "");
      slow.write("GET /healthz HTTP/1.1\r\n");
      const next = await answered(served, 404);
      assert.equal(await slow.closed(), "");
      for (const connection of [known, next]) await assertAnswered(connection, served.toText({ target }), 404);
    }, threePlaces),
  );

  test(
    "stay with everybody while there are enough",
    withHttpServer(async (served) => {
      const connections = [];
      for (let n = 0; n < 50; n++) connections.push(await answered(served, 401, { Authorization: null }));
      for (const connection of connections) {
        await assertAnswered(connection, served.toText({ target, headers: { Authorization: null } }), 401);
      }
    }),
  );

  test(
    "are free again once those who were refused have gone by themselves",
    withHttpServer(async (served) => {
      for (let n = 0; n < 20; n++) {
        const stranger = await answered(served, 401, { Authorization: null });
        stranger.destroy();
        await stranger.closed();
      }
      await answered(served, 404);
    }, threePlaces),
  );
});
