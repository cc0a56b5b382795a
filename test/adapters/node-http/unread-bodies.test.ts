import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { serving } from "../../support/serving.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { answering, preparing } from "./mounts.ts";

suite("a body that nobody has read yet", (define) => {
  const test = testsOn(define, serving);
  for (const [name, prepare] of [
    ["is read after a turn of the event loop", () => new Promise(setImmediate)],
    ["is read once all of it has arrived", (request: IncomingMessage) => once(request, "readable")],
    ["is read after a parser declined it and left {}", (request: object) => Object.assign(request, { body: {} })],
    [
      "is read after a parser declined it and left undefined",
      (request: object) => Object.assign(request, { body: undefined }),
    ],
    ["is read after a parser left null", (request: object) => Object.assign(request, { body: null })],
    ["is read after being paused", (request: IncomingMessage) => request.pause()],
    ["is read after being told to decode itself", (request: IncomingMessage) => void request.setEncoding("utf8")],
  ] as const) {
    test(name, answering(201), preparing(prepare));
  }

  test(
    "is answered 400 when a parser that parses only now throws",
    answering(400, "malformed_json"),
    preparing((request: IncomingMessage) => {
      const get = (): never => {
        throw new SyntaxError("Invalid JSON");
      };
      Object.defineProperty(request, "body", { get });
    }),
  );

  test(
    "is not asked for, nor what a parser made of it, by an answer that needs none",
    async ({ ask }) => assert.equal((await ask({ target: "/api/v1/contacts/u_1" })).status, 404),
    preparing((request: IncomingMessage) => {
      const get = (): never => assert.fail("asked for");
      Object.defineProperty(request, "body", { get });
    }),
  );

  test(
    "is answered 400, and not waited for, while somebody else waits for it to be readable",
    answering(400),
    preparing((request: IncomingMessage) => void request.on("readable", () => {})),
  );

  test(
    "is read in pieces after being told to decode itself, and counted in bytes",
    async ({ connect, toText }) => {
      const connection = await connect();
      for (const [length, status] of [
        [65_536, 201],
        [65_537, 413],
      ] as const) {
        const body = `{"email":"ada@example.com","name":"é😀"}`;
        const bytes = Buffer.from(body.padEnd(length - Buffer.byteLength(body) + body.length));
        connection.write(toText({ headers: { "Transfer-Encoding": "chunked" } }));
        for (let from = 0; from < bytes.length; from += 1_001) {
          const piece = bytes.subarray(from, from + 1_001);
          connection.write(
            Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]),
          );
        }
        connection.write("0\r\n\r\n");
        const answer = await connection.next();
        assert.equal(answer.status, status);
        assert.equal(answer.body.includes("é😀"), status === 201);
      }
    },
    preparing((request) => void request.setEncoding("utf8")),
  );
});
