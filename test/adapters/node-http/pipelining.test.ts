import assert from "node:assert/strict";
import type { Storage } from "../../../lib/index.ts";
import { codeOf } from "../../support/raw-connection.ts";
import { serving, type Served } from "../../support/serving.ts";
import { suite, testsOn } from "../../support/suite.ts";

const emails = Array.from({ length: 20 }, (_, n) => `u${n}@example.com`);

function emailOf({ body }: { body: string }): string {
  return (JSON.parse(body) as { contact: { email: string } }).contact.email;
}

function posts({ toText }: Served): string {
  return emails.map((email) => toText({ body: JSON.stringify({ email }) })).join("");
}

/** Answers each look-up only when the one asked for after it has been answered: the last comes first. */
function lastFirst(count: number): (memory: Storage) => Storage {
  return (memory) => {
    const answers: (() => void)[] = [];
    return {
      ...memory,
      async findContact(workspace, reference) {
        await new Promise<void>((resolve) => {
          answers.push(resolve);
          if (answers.length === count) for (const answer of answers.splice(0).reverse()) answer();
        });
        return memory.findContact(workspace, reference);
      },
    };
  };
}

suite("requests sent together on one connection", (define) => {
  const test = testsOn(define, serving);
  test("are answered in their order", async (served) => {
    const connection = await served.connect();
    connection.write(posts(served));
    for (const email of emails) {
      const answer = await connection.next();
      assert.deepEqual([answer.status, emailOf(answer)], [201, email]);
    }
  });

  for (const size of [1, 7, 333]) {
    test(`are answered in their order when they come in packets of ${size} bytes`, async (served) => {
      const connection = await served.connect();
      connection.socket.setNoDelay(true);
      const text = posts(served);
      for (let from = 0; from < text.length; from += size) {
        connection.write(text.slice(from, from + size));
        if (from % 7 === 0) await new Promise(setImmediate);
      }
      for (const email of emails) assert.equal(emailOf(await connection.next()), email);
    });
  }

  test(
    "are answered in their order when the last is the first to be ready",
    async ({ connect, toText, tracker }) => {
      for (const email of emails) await tracker.contacts.upsert({ email });
      const connection = await connect();
      connection.write(emails.map((email) => toText({ target: `/api/v1/contacts/${email}` })).join(""));
      for (const email of emails) assert.equal(emailOf(await connection.next()), email);
    },
    { storage: lastFirst(20) },
  );

  test(
    "on ten connections are answered in the order of each",
    async (served) => {
      const connections = await Promise.all(Array.from({ length: 10 }, () => served.connect()));
      for (const connection of connections) connection.write(posts(served));
      for (const connection of connections) {
        for (const email of emails) assert.equal(emailOf(await connection.next()), email);
      }
    },
    { rateLimit: false },
  );

  test("may be of every kind", async ({ connect, toText, tracker }) => {
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
    const target = "/api/v1/contacts/u_1";
    const connection = await connect();
    const requests = [
      toText({ target }),
      toText({ body: '{"email":"ada@example.com","externalId":"u_1"}' }),
      toText({ target, method: "HEAD" }),
      toText({ body: '{"externalId":"u_1","eventKey":"bought"}', target: "/api/v1/events" }),
      toText({ body: "[".repeat(100_000) }),
      toText({ target, headers: { Authorization: null } }),
      toText({ target, method: "POST", body: "x".repeat(1_000) }),
      toText({ target: "/api/v1/contacts/u_2", method: "DELETE" }),
    ];
    connection.write(requests.join(""));
    for (const [index, expected] of [200, 200, 200, 201, 413, 401, 405, 404].entries()) {
      assert.equal((await connection.next(index === 2 ? "HEAD" : undefined)).status, expected);
    }
  });

  test("are all answered before the connection is closed, as the last one asked", async ({ connect, toText }) => {
    const connection = await connect();
    const target = "/api/v1/contacts/u_1";
    connection.write(toText({ target }) + toText({ target }) + toText({ target, headers: { Connection: "close" } }));
    for (const expected of ["keep-alive", "keep-alive", "close"]) {
      const answer = await connection.next();
      assert.deepEqual([codeOf(answer), answer.headers.get("connection")], ["contact_not_found", expected]);
    }
    assert.equal(await connection.closed(), "");
  });
});
