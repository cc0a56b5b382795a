import assert from "node:assert/strict";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { runInNewContext } from "node:vm";
import { codeOf } from "../../support/raw-connection.ts";
import { serving } from "../../support/serving.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { answering, parsing, preparing } from "./mounts.ts";

const contact = { email: "ada@example.com" };
const json = JSON.stringify(contact);

suite("a body that somebody has read before", (define) => {
  const test = testsOn(define, serving);
  for (const where of ["request.body", "third argument"] as const) {
    test(
      `is taken from the ${where}, parsed`,
      answering(201),
      parsing((bytes) => JSON.parse(String(bytes)), where),
    );

    for (const [name, parse] of [
      ["text", (bytes: Buffer) => bytes.toString()],
      ["a Buffer", (bytes: Buffer) => bytes],
      ["a Uint8Array", (bytes: Buffer) => new Uint8Array(bytes)],
      [
        "a Uint8Array of another realm",
        (bytes: Buffer) => runInNewContext("Uint8Array.from(bytes)", { bytes: [...bytes] }) as unknown,
      ],
      ["a part of a larger buffer", (bytes: Buffer) => Buffer.concat([bytes, bytes]).subarray(0, bytes.length)],
      [
        "an object without a prototype",
        (bytes: Buffer) => Object.assign(Object.create(null), JSON.parse(bytes.toString())),
      ],
    ] as const) {
      test(`is taken from the ${where} as ${name}`, answering(201), parsing(parse, where));
    }

    test(
      `is taken from the ${where} whatever its Content-Encoding was`,
      async ({ ask }) => assert.equal((await ask({ body: json, headers: { "Content-Encoding": "gzip" } })).status, 201),
      parsing((bytes) => JSON.parse(String(bytes)), where),
    );

    for (const parsed of [null, [], [contact], 1, true, false]) {
      test(
        `is no input when the ${where} is ${JSON.stringify(parsed)}`,
        answering(400, "invalid_input"),
        parsing(() => parsed, where),
      );
    }

    test(
      `is no input when the ${where} is an empty object, which is not waited on`,
      answering(400, "invalid_input", "{}"),
      parsing(() => ({}), where),
    );

    test(
      `is no JSON when the ${where} is empty text, or bytes that are not UTF-8`,
      async ({ ask }) => {
        for (const body of ["", "latin1"]) assert.equal(codeOf(await ask({ body })), "malformed_json");
      },
      parsing((bytes) => (bytes.length === 0 ? "" : Buffer.from("\xff", "latin1")), where),
    );

    for (const [name, parse] of [
      ["text", (bytes: Buffer) => bytes.toString()],
      ["bytes", (bytes: Buffer) => bytes],
    ] as const) {
      test(
        `is 413 when the ${where} is ${name} of more than 64 KiB, whatever Content-Length said`,
        async ({ ask }) => {
          for (const [length, status] of [
            [65_536, 201],
            [65_537, 413],
          ] as const) {
            const body = `${length.toString(16)}\r\n${json.padEnd(length)}\r\n0\r\n\r\n`;
            const headers = { "Transfer-Encoding": "chunked", "Content-Length": null };
            assert.equal((await ask({ body, headers })).status, status);
          }
        },
        parsing(parse, where),
      );
    }
  }

  test("is taken from the third argument rather than from request.body", answering(201), {
    mount: (listener) => async (request, response) => {
      await buffer(request);
      await listener(Object.assign(request, { body: { email: 1 } }), response, contact);
    },
  });

  test(
    "is taken from request.body when the third argument is a function, which is passed over and not called",
    answering(201),
    {
      mount: (listener) => async (request, response) => {
        await buffer(request);
        const next = (): never => assert.fail("next was called");
        await listener(Object.assign(request, { body: contact }), response, next);
      },
    },
  );

  test(
    "and that left nothing behind is 400, which names the line to add",
    async ({ ask, tracker }) => {
      const answer = await ask({ body: json });
      assert.deepEqual([answer.status, codeOf(answer)], [400, "malformed_json"]);
      assert.match(answer.body, /listener\(request, response, body\)/);
      assert.deepEqual((await tracker.contacts.list()).items, []);
    },
    parsing(() => undefined),
  );

  test(
    "in part only is not taken for the whole of it",
    async ({ connect, toText, tracker }) => {
      const connection = await connect();
      // What is left after the first chunk would be a contact.
      connection.write(`${toText({ headers: { "Transfer-Encoding": "chunked" } })}1\r\n[\r\n`);
      connection.write(`1b\r\n${json}\r\n0\r\n\r\n`);
      const answer = await connection.next();
      assert.deepEqual([answer.status, codeOf(answer)], [400, "malformed_json"]);
      assert.match(answer.body, /listener\(request, response, body\)/);
      assert.deepEqual((await tracker.contacts.list()).items, []);
    },
    preparing((request) => new Promise((resolve) => request.once("data", () => resolve(request.pause())))),
  );

  test(
    "and whose stream has ended without a byte is 400 too, never waited for",
    answering(400, "malformed_json", ""),
    preparing(async (request) => once(request.resume(), "end")),
  );

  test(
    "does not concern a route that takes none",
    async ({ ask }) => {
      assert.equal((await ask({ target: "/api/v1/contacts/u_1" })).status, 404);
      assert.equal((await ask({ method: "DELETE", target: "/api/v1/contacts/u_1", body: json })).status, 404);
    },
    preparing(async (request) => once(request.resume(), "end")),
  );
});
