import assert from "node:assert/strict";
import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, type RawConnection } from "../support/raw-connection.ts";
import { withServer } from "../support/server-process.ts";
import { suite, testsOn } from "../support/suite.ts";
import { withHttpServer } from "./in-process.ts";
import { wholeList } from "../../adapters/storage-contract/drafts.ts";

const target = "/api/v1/contacts/u_1";

/** A request has 10 s for its headers and 30 s for all of it; the tests do not. */
const impatient = {
  prepare(server: Server) {
    assert.deepEqual([server.headersTimeout, server.requestTimeout], [10_000, 30_000]);
    server.headersTimeout = 100;
    server.requestTimeout = 100;
  },
};

/** Sends the rest of a text, a byte a second. Stops when the connection closes. */
function trickle({ socket }: RawConnection, text: string): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text[sent++] ?? " "), 1_000);
  socket.once("close", () => clearInterval(timer));
}

suite("slow clients", (define) => {
  const test = testsOn(define, withHttpServer);
  define("two hundred of them, sending a byte a second, keep nobody else waiting", () =>
    withServer(
      async ({ connect, toText, ask }) => {
        const slow = await Promise.all(Array.from({ length: 200 }, () => connect()));
        for (const [n, connection] of slow.entries()) {
          const text = toText({ body: '{"email":"ada@example.com"}' });
          // Half of them are slow in their headers, half in their body.
          const given = n % 2 === 0 ? 20 : text.length - 20;
          connection.write(text.slice(0, given));
          trickle(connection, text.slice(given));
        }
        // Until each of them has sent a byte or two more.
        for (let n = 0; n < 12; n++) {
          assert.equal((await ask({ target })).status, 404);
          await sleep(100);
        }
        assert.deepEqual(
          slow.filter(({ socket }) => socket.closed),
          [],
        );
      },
      { RATE_LIMIT: "off" },
    ),
  );

  for (const [name, cut] of [
    ["without a byte", (): string => ""],
    ["in the middle of its headers", (text: string) => text.slice(0, 20)],
    ["in the middle of its body", (text: string) => text.slice(0, -1)],
  ] as const) {
    test(
      `one that stops ${name} is answered 408 and closed, and nothing is stored`,
      async ({ connect, toText, storage }) => {
        const connection = await connect();
        connection.write(cut(toText({ body: '{"email":"ada@example.com"}' })));
        const answer = await connection.next();
        assert.deepEqual([answer.status, answer.headers.get("connection")], [408, "close"]);
        assert.equal(await connection.closed(), "");
        assert.deepEqual((await storage.listContacts("default", wholeList)).rows, []);
      },
      impatient,
    );
  }

  test(
    "one that keeps sending a body nobody wants is closed, too",
    async ({ connect, toText }) => {
      const connection = await connect();
      connection.write(toText({ headers: { "Transfer-Encoding": "chunked" } }));
      const timer = setInterval(() => connection.write(`1000\r\n${"[".repeat(4_096)}\r\n`), 5);
      connection.socket.once("close", () => clearInterval(timer));
      assert.equal(codeOf(await connection.next()), "body_too_large");
      await connection.closed();
    },
    impatient,
  );

  test(
    "one that is answered in time is not closed for having been slow",
    async ({ connect, toText }) => {
      const connection = await connect();
      for (let n = 0; n < 3; n++) {
        connection.write(toText({ target }));
        assert.equal((await connection.next()).status, 404);
      }
    },
    { prepare: (server) => assert.equal(server.keepAliveTimeout, 65_000) },
  );
});
