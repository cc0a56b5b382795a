import assert from "node:assert/strict";
import { codeOf } from "../../support/raw-connection.ts";
import { serving } from "../../support/serving.ts";
import { suite, testsOn } from "../../support/suite.ts";

const contact = '{"email":"ada@example.com","name":"é😀"}';
const chunked = { "Transfer-Encoding": "chunked" };

suite("a body on its way", (define) => {
  const test = testsOn(define, serving);
  test("is asked for with 100 Continue, and then answered", async ({ connect, toText }) => {
    const connection = await connect();
    const headers = { Expect: "100-continue", "Content-Length": Buffer.byteLength(contact) };
    connection.write(toText({ body: "", headers }));
    assert.equal((await connection.next()).statusLine, "HTTP/1.1 100 Continue");
    connection.write(contact);
    assert.equal((await connection.next()).status, 201);
    connection.write(toText({ target: "/api/v1/contacts/ada@example.com" }));
    assert.equal((await connection.next()).status, 200);
  });

  for (const [name, headers, code] of [
    ["a 401", { Authorization: "Bearer x" }, "invalid_api_key"],
    ["a 413", { "Content-Length": 65_537 }, "body_too_large"],
    ["a 415", { "Content-Type": "text/plain" }, "unsupported_media_type"],
  ] as const) {
    test(`is not waited for by ${name}, after 100 Continue either`, async ({ connect, toText }) => {
      for (const expect of [{}, { Expect: "100-continue" }]) {
        const connection = await connect();
        connection.write(toText({ body: "", headers: { "Content-Length": 100, ...headers, ...expect } }));
        if ("Expect" in expect) assert.equal((await connection.next()).status, 100);
        assert.equal(codeOf(await connection.next()), code);
      }
    });
  }

  test(
    "is not waited for by a 429",
    async ({ connect, toText, ask }) => {
      assert.equal((await ask()).status, 200);
      const connection = await connect();
      connection.write(toText({ body: "", headers: { "Content-Length": 100 } }));
      assert.equal(codeOf(await connection.next()), "rate_limited");
    },
    { rateLimit: { requests: 1, perSeconds: 86_400 } },
  );

  test("may come with its head, byte by byte", async ({ connect, toText, tracker }) => {
    const connection = await connect();
    connection.socket.setNoDelay(true);
    for (const byte of Buffer.from(toText({ body: contact }))) {
      connection.write(Uint8Array.of(byte));
      await new Promise(setImmediate);
    }
    assert.equal((await connection.next()).status, 201);
    assert.equal((await tracker.contacts.get("ada@example.com"))?.name, "é😀");
  });

  test("may have extensions of its chunks, and trailers", async ({ connect, toText }) => {
    const connection = await connect();
    const body = '5;a=b\r\n{"ema\r\n16\r\nil":"ada@example.com"}\r\n0\r\nX-Check: 1\r\n\r\n';
    connection.write(toText({ headers: { ...chunked, Trailer: "X-Check" } }) + body);
    assert.equal((await connection.next()).status, 201);
  });

  test("that never ends is 413, and leaves the connection answering once it does end", async ({ connect, toText }) => {
    const connection = await connect();
    connection.write(toText({ headers: chunked }));
    const piece = `400\r\n${"x".repeat(1_024)}\r\n`;
    for (let n = 0; n < 65; n++) connection.write(piece);
    assert.equal(codeOf(await connection.next()), "body_too_large");
    for (let n = 0; n < 1_000; n++) connection.write(piece);
    connection.write("0\r\n\r\n" + toText({ target: "/api/v1/contacts/u_1" }));
    assert.equal(codeOf(await connection.next()), "contact_not_found");
  });
});
