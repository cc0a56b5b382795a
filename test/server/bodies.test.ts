import assert from "node:assert/strict";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf, type RawConnection, type RawRequest } from "../support/raw-connection.ts";
import { suite, testsOn } from "../support/suite.ts";
import { withHttpServer } from "./in-process.ts";

const contact = '{"email":"ada@example.com"}';
const chunked = { "Transfer-Encoding": "chunked" };
const expecting = { Expect: "100-continue" };
const tenGB = 10_000_000_000;

/** Sends as much as is taken, until the connection closes. */
function sendOn({ socket }: RawConnection, bytes: Buffer): void {
  const send = (): void => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on("drain", send);
  send();
}

function chunkOf(length: number): Buffer {
  return Buffer.from(`${length.toString(16)}\r\n${"[".repeat(length)}\r\n`);
}

/** The server's side of the connections. */
function noting(sockets: Socket[]): { prepare(server: Server): void } {
  return { prepare: (server) => void server.on("connection", (socket) => sockets.push(socket)) };
}

/** Of whom the body is not wanted, and what each is told. */
const refused: [string, RawRequest, string][] = [
  ["a 401", { headers: { Authorization: "Bearer x" } }, "invalid_api_key"],
  ["a 404", { target: "/api/v1/nowhere" }, "route_not_found"],
  ["a 404 outside the API", { target: "/nowhere" }, "route_not_found"],
  ["a 405", { method: "PUT" }, "method_not_allowed"],
  ["a 413", {}, "body_too_large"],
  ["a 415", { headers: { "Content-Type": "text/plain" } }, "unsupported_media_type"],
];

/** What `node:http` would answer by itself, and read to its end. */
const expectingMore: [string, RawRequest, string] = [
  "a 401, whatever else it expects,",
  { headers: { Authorization: "Bearer x", Expect: "more" } },
  "invalid_api_key",
];

suite({ name: "a body that the server does not read to its end", atOnce: 17 }, (define) => {
  const test = testsOn(define, withHttpServer);
  const tiny: Socket[] = [];
  for (const [name, request, code] of [...refused, expectingMore]) {
    for (const [how, headers] of [
      ["says that it is long", { "Content-Length": tenGB }],
      ["does not say how long it is", chunked],
    ] as const) {
      const sockets: Socket[] = [];
      test(
        `is answered ${name} when it ${how}, and the connection closed after a little more`,
        async ({ connect, toText }) => {
          const connection = await connect();
          connection.write(
            toText({
              method: "POST",
              ...request,
              headers: { "Content-Type": "application/json", ...headers, ...request.headers },
            }),
          );
          sendOn(connection, chunkOf(65_536));
          const answer = await connection.next();
          assert.equal(codeOf(answer), code);
          if (!("Transfer-Encoding" in headers)) assert.equal(answer.headers.get("connection"), "close");
          assert.equal(await connection.closed(), "");
          assert.ok(sockets[0]!.bytesRead < 3_000_000, `${sockets[0]!.bytesRead} bytes were read`);
        },
        noting(sockets),
      );
    }
  }

  test(
    "is read less far the smaller its chunks are",
    async ({ connect, toText }) => {
      const connection = await connect();
      connection.write(toText({ method: "POST", headers: { Authorization: "Bearer x", ...chunked } }));
      sendOn(connection, Buffer.concat(Array.from({ length: 10_000 }, () => chunkOf(1))));
      assert.equal(codeOf(await connection.next()), "invalid_api_key");
      assert.equal(await connection.closed(), "");
      assert.ok(tiny[0]!.bytesRead < 500_000, `${tiny[0]!.bytesRead} bytes were read`);
    },
    noting(tiny),
  );

  test("and of which no more comes is answered, and the connection closed", async ({ connect, toText }) => {
    for (const headers of [{ "Content-Length": tenGB }, chunked]) {
      const connection = await connect();
      connection.write(toText({ method: "POST", headers: { "Content-Type": "text/plain", ...headers } }));
      assert.equal(codeOf(await connection.next()), "unsupported_media_type");
      assert.equal(await connection.closed(), "");
    }
  });

  test("leaves the connection open when little of it was left", async ({ connect, toText }) => {
    const connection = await connect();
    const half = chunkOf(400_000);
    for (const [name, request, code] of refused) {
      connection.write(
        toText({
          method: "POST",
          ...request,
          headers: { ...chunked, "Content-Type": "application/json", ...request.headers },
        }),
      );
      connection.write(Buffer.concat([half, half, Buffer.from("0\r\n\r\n")]));
      assert.equal(codeOf(await connection.next()), code, name);
      connection.write(toText({ method: "POST", body: "[".repeat(800_000), ...request }));
      assert.equal(codeOf(await connection.next()), code, name);
    }
    connection.write(toText({ body: contact }));
    assert.equal((await connection.next()).status, 201);
  });

  define("does not keep an earlier request of the connection from its answer", async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await withHttpServer(
      async ({ connect, toText }) => {
        const connection = await connect();
        connection.write(toText({ target: "/api/v1/contacts/u_1" }));
        connection.write(toText({ method: "POST", target: "/nowhere", headers: chunked }));
        await pause(1_500);
        letGo();
        assert.equal(codeOf(await connection.next()), "contact_not_found");
        assert.equal(codeOf(await connection.next()), "route_not_found");
        assert.equal(await connection.closed(), "");
      },
      { storage: (memory) => ({ ...memory, findContact: (...args) => held.then(() => memory.findContact(...args)) }) },
    );
  });
});

suite({ name: "a body that waits to be asked for", atOnce: 9 }, (define) => {
  const test = testsOn(define, withHttpServer);
  for (const [name, request, code] of refused) {
    test(`is not asked for by ${name}, which closes the connection`, async ({ connect, toText }) => {
      for (const length of [{ "Content-Length": 100_000 }, { "Content-Length": tenGB }, chunked]) {
        // Of chunks only reading tells.
        if (code === "body_too_large" && length === chunked) continue;
        const connection = await connect();
        const headers = { "Content-Type": "application/json", ...length, ...expecting, ...request.headers };
        connection.write(toText({ method: "POST", ...request, headers }));
        const answer = await connection.next();
        assert.deepEqual([codeOf(answer), answer.headers.get("connection")], [code, "close"]);
        assert.equal(await connection.closed(), "");
      }
    });
  }

  for (const [name, headers, body] of [
    ["of a known length", { "Content-Length": contact.length }, contact],
    ["in chunks", chunked, `1b\r\n${contact}\r\n0\r\n\r\n`],
  ] as const) {
    test(`${name} is asked for once, read, and the connection kept`, async ({ connect, toText }) => {
      const connection = await connect();
      for (const status of [201, 200]) {
        connection.write(
          toText({ method: "POST", headers: { "Content-Type": "application/json", ...headers, ...expecting } }),
        );
        assert.equal((await connection.next()).statusLine, "HTTP/1.1 100 Continue");
        connection.write(body);
        const answer = await connection.next();
        assert.deepEqual([answer.status, answer.headers.get("connection")], [status, "keep-alive"]);
      }
    });
  }

  test("in chunks, is asked for, and is 413 when it is too large", async ({ connect, toText }) => {
    const connection = await connect();
    connection.write(toText({ headers: { ...chunked, ...expecting } }));
    assert.equal((await connection.next()).status, 100);
    connection.write(chunkOf(70_000));
    assert.equal(codeOf(await connection.next()), "body_too_large");
    connection.write("0\r\n\r\n");
    connection.write(toText({ target: "/api/v1/contacts/u_1" }));
    assert.equal((await connection.next()).status, 404);
  });
});
