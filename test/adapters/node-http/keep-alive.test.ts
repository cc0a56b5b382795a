import assert from "node:assert/strict";
import { codeOf } from "../../support/raw-connection.ts";
import { serving, type Served } from "../../support/serving.ts";
import { suite, testsOn } from "../../support/suite.ts";

const contact = '{"email":"ada@example.com"}';
const sixtyKB = " ".repeat(60_000);
const tenMB = "[".repeat(10_000_000);
const chunked = { "Transfer-Encoding": "chunked" };

function chunksOf(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
}

/** Sends the same thing three times on one connection, then something that must be answered 404. */
async function assertKeptAlive({ connect, toText }: Served, text: string, code: string): Promise<void> {
  const connection = await connect();
  for (let n = 0; n < 3; n++) {
    connection.write(text);
    const answer = await connection.next();
    assert.equal(codeOf(answer), code);
    assert.notEqual(answer.headers.get("connection"), "close");
  }
  connection.write(toText({ target: "/api/v1/nowhere" }));
  assert.equal((await connection.next()).status, 404);
}

suite("a connection after", (define) => {
  const test = testsOn(define, serving);
  for (const [name, request, code] of [
    ["a 401 with an unread body of 60 KB", { body: sixtyKB, headers: { Authorization: null } }, "missing_api_key"],
    ["a 401 with an unread body of 10 MB", { body: tenMB, headers: { Authorization: "Bearer x" } }, "invalid_api_key"],
    ["a 413 of 10 MB", { body: tenMB }, "body_too_large"],
    ["a 415", { body: sixtyKB, headers: { "Content-Type": "text/plain" } }, "unsupported_media_type"],
    ["a 404 of no route", { body: sixtyKB, target: "/api/v1/nowhere" }, "route_not_found"],
    ["a 405", { body: sixtyKB, method: "PUT" }, "method_not_allowed"],
    ["a 400 of a path", { body: sixtyKB, target: "/api/v1/contacts/%zz", method: "PATCH" }, "invalid_path"],
    ["a 400 of a body", { body: sixtyKB }, "malformed_json"],
    ["a 400 of the input", { body: "[]" }, "invalid_input"],
    ["a 404 of a contact", { target: "/api/v1/contacts/u_1" }, "contact_not_found"],
    ["a DELETE with a body", { body: sixtyKB, method: "DELETE", target: "/api/v1/contacts/u_1" }, "contact_not_found"],
    ["a GET with a body", { body: sixtyKB, method: "GET", target: "/api/v1/contacts/u_1" }, "contact_not_found"],
  ] as const) {
    test(`${name} answers the next request`, async (served) => assertKeptAlive(served, served.toText(request), code));
  }

  test("a 401 with an unread body of 60 KB in chunks answers the next request", async (served) => {
    const text = served.toText({ headers: { ...chunked, Authorization: null } }) + chunksOf(sixtyKB);
    await assertKeptAlive(served, text, "missing_api_key");
  });

  test("a 413 of 10 MB in chunks answers the next request", async (served) => {
    await assertKeptAlive(served, served.toText({ headers: chunked }) + chunksOf(tenMB), "body_too_large");
  });

  test(
    "a 429 with an unread body answers the next request",
    async ({ connect, toText }) => {
      const connection = await connect();
      connection.write(toText({ body: contact }));
      assert.equal((await connection.next()).status, 201);
      for (let n = 0; n < 3; n++) {
        connection.write(toText({ body: sixtyKB }));
        assert.equal(codeOf(await connection.next()), "rate_limited");
      }
      connection.write(toText({ headers: { Authorization: null } }));
      assert.equal(codeOf(await connection.next()), "missing_api_key");
    },
    { rateLimit: { requests: 1, perSeconds: 86_400 } },
  );

  test("an answer is closed where the client asked for that", async ({ connect, toText }) => {
    const connection = await connect();
    connection.write(toText({ body: contact, headers: { Connection: "close" } }));
    const answer = await connection.next();
    assert.deepEqual([answer.status, answer.headers.get("connection")], [201, "close"]);
    assert.equal(await connection.closed(), "");
  });

  test("HTTP/1.0 is closed, unless the client asked to keep it", async ({ connect, toText }) => {
    const closing = await connect();
    closing.write(toText({ body: contact, version: "1.0", headers: { Host: null } }));
    assert.equal((await closing.next()).status, 201);
    assert.equal(await closing.closed(), "");

    const kept = await connect();
    for (let n = 0; n < 2; n++) {
      kept.write(toText({ body: contact, version: "1.0", headers: { Connection: "keep-alive" } }));
      const answer = await kept.next();
      assert.deepEqual([answer.status, answer.headers.get("connection")], [200, "keep-alive"]);
    }
  });
});
