import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectTo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RawConnection } from "../support/raw-connection.ts";
import { withServer, type ServerProcess } from "../support/server-process.ts";
import { suite, testsOn } from "../support/suite.ts";
import { withHttpServer } from "./in-process.ts";

const contact = '{"email":"ada@example.com"}';
const unlimited = { RATE_LIMIT: "off" };

interface Counts {
  sent: number;
  answered: number;
}

/** Sends one request after another, each when the one before is answered, until an answer says that the connection closes. */
async function askUntilClosed({ toText }: ServerProcess, connection: RawConnection, counts: Counts): Promise<void> {
  for (;;) {
    counts.sent++;
    connection.write(toText({ body: contact }));
    const { status, headers } = await connection.next();
    assert.equal(status, 200);
    counts.answered++;
    if (headers.get("connection") === "close") break;
  }
  assert.equal(await connection.closed(), "");
}

/** Resolves once no connection is accepted any more. */
async function refusesConnections(port: number): Promise<void> {
  for (;;) {
    const socket = connectTo(port, "127.0.0.1");
    try {
      await once(socket, "connect");
    } catch {
      return;
    } finally {
      socket.destroy();
    }
  }
}

function lastLine(text: string): unknown {
  const { time, ...rest } = JSON.parse(text.trim().split("\n").at(-1) ?? "") as { time: string };
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return rest;
}

suite("the server's stop", (define) => {
  const test = testsOn(define, withServer);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`at ${signal}, as soon as the start is logged, ends with exit code 0 and a line in the log`, async ({
      stop,
    }) => {
      const { exitCode, stderr } = await stop(signal);
      assert.deepEqual([exitCode, lastLine(stderr)], [0, { event: "stop", signal }]);
    });
  }

  test(
    "under load answers every request of 32 clients, and closes each after an answer",
    async (server) => {
      assert.equal((await server.ask({ body: contact })).status, 201);
      const counts: Counts = { sent: 0, answered: 0 };
      const connections = await Promise.all(Array.from({ length: 32 }, () => server.connect()));
      const clients = Promise.all(connections.map((connection) => askUntilClosed(server, connection, counts)));
      while (counts.answered < 1_000) await Promise.race([new Promise(setImmediate), clients]);
      const [{ exitCode, stderr }] = await Promise.all([server.stop(), clients]);
      assert.equal(exitCode, 0);
      assert.equal(counts.answered, counts.sent);
      assert.deepEqual(lastLine(stderr), { event: "stop", signal: "SIGTERM" });
    },
    unlimited,
  );

  test("waits for a request whose body is still on its way, and refuses new connections meanwhile", async ({
    connect,
    toText,
    port,
    stop,
  }) => {
    const [connection, idle] = await Promise.all([connect(), connect()]);
    idle.write(toText({ target: "/healthz" }));
    assert.equal((await idle.next()).status, 200);
    connection.write(toText({ body: "", headers: { "Content-Length": 27, Expect: "100-continue" } }));
    assert.equal((await connection.next()).status, 100);
    connection.write(contact.slice(0, 10));
    const stopped = stop();
    await refusesConnections(port);
    await idle.closed();
    connection.write(contact.slice(10));
    assert.equal((await connection.next()).status, 201);
    assert.equal((await stopped).exitCode, 0);
  });

  test(
    "answers twenty requests that were sent together",
    async ({ connect, toText, stop }) => {
      const connection = await connect();
      const text = toText({ target: "/api/v1/contacts/u_1" });
      connection.write(text);
      assert.equal((await connection.next()).status, 404);
      connection.write(text.repeat(20));
      const stopped = stop();
      for (let n = 0; n < 20; n++) assert.equal((await connection.next()).status, 404);
      assert.equal((await stopped).exitCode, 0);
    },
    unlimited,
  );

  define("answers requests that wait for changes at once, also one that has just come", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whodid-test-"));
    const file = join(folder, "definitions.json");
    await writeFile(file, '{"subscriptions":[{"key":"all","on":{"contacts":true}}]}');
    try {
      await withServer(
        async ({ connect, toText, stop }) => {
          const [waiting, late] = await Promise.all([connect(), connect()]);
          const text = toText({ target: "/api/v1/subscriptions/all/changes?wait=25" });
          waiting.write(text);
          await sleep(300);
          late.write(text);
          const stopped = stop();
          // A stop destroys a connection that has no answer after 8 s.
          for (const connection of [waiting, late]) {
            const { status, body } = await connection.next();
            assert.deepEqual([status, (JSON.parse(body) as { items: unknown[] }).items], [200, []]);
          }
          assert.equal((await stopped).exitCode, 0);
        },
        { PROVISION: file },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("at a second signal ends at once", async ({ child, connect, toText, port, stop }) => {
    const connection = await connect();
    connection.write(toText({ body: "", headers: { "Content-Length": 27, Expect: "100-continue" } }));
    assert.equal((await connection.next()).status, 100);
    child.kill("SIGTERM");
    await refusesConnections(port);
    assert.equal((await stop()).exitCode, null);
  });
});

/** Blocks the event loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

suite("the server's stop, in this process", (define) => {
  const test = testsOn(define, withHttpServer);
  test("answers the requests that 256 kept connections send while the loop is blocked for 500 ms", async ({
    connect,
    toText,
    stop,
  }) => {
    const connections = await Promise.all(Array.from({ length: 256 }, () => connect()));
    const text = toText({ target: "/healthz" });
    for (const connection of connections) connection.write(text);
    for (const connection of connections) assert.equal((await connection.next()).status, 200);
    await new Promise(setImmediate);
    const stopped = stop();
    // The system has the requests when `write` returns. The timers of the stop are due before the loop reads them.
    for (const connection of connections) connection.write(text);
    block(500);
    for (const connection of connections) {
      const { status, headers } = await connection.next();
      assert.deepEqual([status, headers.get("connection")], [200, "close"]);
      assert.equal(await connection.closed(), "");
    }
    await stopped;
  });

  define("answers all requests of a connection, and only the last answer says that it closes", async () => {
    let answer = (): void => {};
    const answering = new Promise<void>((resolve) => (answer = resolve));
    let asked = 0;
    await withHttpServer(
      async ({ connect, toText, stop }) => {
        const [one, several] = await Promise.all([connect(), connect()]);
        const text = toText({ target: "/api/v1/contacts/u_1" });
        one.write(text);
        several.write(text.repeat(2));
        while (asked < 3) await new Promise(setImmediate);
        const stopped = stop();
        several.write(text.repeat(2));
        while (asked < 5) await new Promise(setImmediate);
        answer();
        for (const [connection, closes] of [
          [one, true],
          [several, false],
          [several, false],
          [several, false],
          [several, true],
        ] as const) {
          const { status, headers } = await connection.next();
          assert.deepEqual([status, headers.get("connection") === "close"], [404, closes]);
        }
        await stopped;
      },
      {
        storage: (memory) => ({
          ...memory,
          findContact: (...args) => (asked++, answering.then(() => memory.findContact(...args))),
        }),
      },
    );
  });

  test("waits for headers that are on their way, and for a client that reads its answers slowly", async ({
    connect,
    ask,
    toText,
    stop,
  }) => {
    const [slow, begun, silent] = await Promise.all([connect(), connect(), connect()]);
    // Answered after the connections before it were accepted.
    assert.equal((await ask({ target: "/healthz" })).status, 200);
    const text = toText({ target: "/openapi.json" });
    slow.socket.pause();
    slow.write(text.repeat(64));
    begun.write(text.slice(0, 20));
    const stopped = stop();
    // The stop closes idle connections in the same turn.
    await silent.closed();
    slow.socket.resume();
    for (let n = 0; n < 64; n++) assert.equal((await slow.next()).status, 200);
    begun.write(text.slice(20));
    assert.equal((await begun.next()).status, 200);
    await stopped;
  });
});
