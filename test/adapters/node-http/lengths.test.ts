import assert from "node:assert/strict";
import { codeOf, type RawConnection } from "../../support/raw-connection.ts";
import { serving, type Served } from "../../support/serving.ts";
import { suite, testsOn } from "../../support/suite.ts";

const contact = '{"email":"ada@example.com"}';

/** The statuses that come before the server closes. */
async function statusesUntilClosed(connection: RawConnection): Promise<number[]> {
  const rest = await connection.closed();
  return Array.from(rest.matchAll(/^HTTP\/1\.1 (\d+)/gm), ([, status]) => Number(status));
}

/** The next request is answered, and nothing was stored before it. */
async function assertUnharmed({ ask, tracker }: Served): Promise<void> {
  assert.deepEqual((await tracker.contacts.list()).items, []);
  assert.equal((await ask({ body: contact })).status, 201);
}

/** Content-Length can lie, and what says where a body ends may be said twice. */
suite("a Content-Length", (define) => {
  const test = testsOn(define, serving);
  for (const [name, length] of [
    ["that is too short leaves garbage, at which the connection is closed", 10],
    ["of nothing before a body leaves the body unread", 0],
  ] as const) {
    test(name, async (served) => {
      const connection = await served.connect();
      connection.write(served.toText({ body: contact, headers: { "Content-Length": length } }));
      // Of the cut body, or of the garbage: whichever comes first.
      const statuses = await statusesUntilClosed(connection);
      assert.ok(statuses.length > 0 && statuses.every((status) => status === 400), String(statuses));
      await assertUnharmed(served);
    });
  }

  test("that is too short is answered before the garbage comes", async (served) => {
    const connection = await served.connect();
    connection.write(served.toText({ body: contact.slice(0, 10) }));
    assert.equal(codeOf(await connection.next()), "malformed_json");
    connection.write(contact.slice(10));
    assert.deepEqual(await statusesUntilClosed(connection), [400]);
    await assertUnharmed(served);
  });

  test("that is too long is waited for, and comes to nothing when the client gives up", async (served) => {
    const connection = await served.connect();
    connection.write(served.toText({ body: contact, headers: { "Content-Length": 1_000 } }));
    // Others are answered meanwhile.
    for (let n = 0; n < 10; n++) {
      assert.equal((await served.ask({ target: "/api/v1/contacts/ada@example.com" })).status, 404);
    }
    connection.destroy();
    await assertUnharmed(served);
  });

  test("that is too long takes the next request for its rest", async ({ connect, toText }) => {
    const connection = await connect();
    const next = toText({ target: "/api/v1/contacts/u_1" });
    const headers = { "Content-Length": contact.length + next.length };
    connection.write(toText({ body: contact, headers }) + next);
    assert.equal(codeOf(await connection.next()), "malformed_json");
    connection.write(next);
    assert.equal(codeOf(await connection.next()), "contact_not_found");
  });

  for (const [name, headers] of [
    ["below zero", { "Content-Length": -1 }],
    ["that is no number", { "Content-Length": "many" }],
    ["in hexadecimal", { "Content-Length": "0x1b" }],
    ["beside chunks", { "Transfer-Encoding": "chunked" }],
    ["said twice, and differently", { "content-length": 5 }],
  ] as const) {
    test(`${name} is refused, and the connection closed`, async (served) => {
      const connection = await served.connect();
      connection.write(served.toText({ body: contact, headers }));
      assert.deepEqual(await statusesUntilClosed(connection), [400]);
      await assertUnharmed(served);
    });
  }

  test("of a chunk that lies is refused, and the connection closed", async (served) => {
    for (const chunk of [`5\r\n${contact}\r\n0\r\n\r\n`, `zz\r\n${contact}\r\n0\r\n\r\n`]) {
      const connection = await served.connect();
      connection.write(served.toText({ headers: { "Transfer-Encoding": "chunked" } }) + chunk);
      assert.deepEqual(await statusesUntilClosed(connection), [400]);
    }
    await assertUnharmed(served);
  });
});
