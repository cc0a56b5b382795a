import assert from "node:assert/strict";
import { once } from "node:events";
import { serving, type Served, type ServingOptions } from "../../support/serving.ts";
import { suite, testsOn } from "../../support/suite.ts";

const contact = '{"email":"ada@example.com"}';
const chunked = { "Transfer-Encoding": "chunked" };

/** Keeps what became of each request. */
function noting(resolved: Promise<void>[]): ServingOptions {
  return { mount: (listener) => (request, response) => void resolved.push(listener(request, response)) };
}

/** The process goes on, the next request is answered, and nothing was stored. */
async function assertUnharmed({ ask, tracker }: Served): Promise<void> {
  assert.deepEqual((await tracker.contacts.list()).items, []);
  assert.equal((await ask({ body: contact })).status, 201);
}

suite("a client that goes away", (define) => {
  const test = testsOn(define, serving);
  for (const [name, headers, sent] of [
    ["before its body", {}, ""],
    ["in the middle of its body", {}, contact.slice(0, 10)],
    ["after a whole contact that Content-Length says is longer", { "Content-Length": 28 }, contact],
    ["before its first chunk", chunked, ""],
    ["in the middle of a chunk", chunked, `1b\r\n${contact.slice(0, 10)}`],
    ["after a whole contact, before the last chunk", chunked, `1b\r\n${contact}\r\n`],
  ] as const) {
    for (const how of ["closes", "resets", "half-closes"] as const) {
      define(`${name}, and ${how}, has stored nothing`, async () => {
        const resolved: Promise<void>[] = [];
        await serving(async (served) => {
          const connection = await served.connect();
          const usual = {
            "Content-Length": "Transfer-Encoding" in headers ? null : 27,
            "Content-Type": "application/json",
          };
          // The 100 tells that the listener has the request.
          connection.write(
            served.toText({ method: "POST", headers: { ...usual, ...headers, Expect: "100-continue" } }),
          );
          assert.equal((await connection.next()).status, 100);
          connection.socket.write(sent);
          if (how === "closes") connection.socket.destroySoon();
          else if (how === "resets") connection.socket.resetAndDestroy();
          else connection.socket.end();
          await Promise.all(resolved);
          assert.equal(resolved.length, 1);
          await assertUnharmed(served);
        }, noting(resolved));
      });
    }
  }

  define("while its answer is made, has its write kept, and harms nobody", async () => {
    const resolved: Promise<void>[] = [];
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let asked = (): void => {};
    const writing = new Promise<void>((resolve) => (asked = resolve));
    await serving(
      async ({ connect, toText, ask, tracker }) => {
        const connection = await connect();
        connection.write(toText({ body: contact }));
        await writing;
        connection.destroy();
        await once(connection.socket, "close");
        letGo();
        await Promise.all(resolved);
        assert.equal((await ask({ target: "/api/v1/contacts/ada@example.com" })).status, 200);
        assert.equal((await tracker.contacts.list()).items.length, 1);
      },
      {
        ...noting(resolved),
        storage: (memory) => ({
          ...memory,
          async upsertContacts(items) {
            asked();
            await held;
            return memory.upsertContacts(items);
          },
        }),
      },
    );
  });

  test(
    "with two hundred others at once, harms nobody",
    async (served) => {
      const connections = await Promise.all(Array.from({ length: 200 }, () => served.connect()));
      const text = served.toText({ body: contact, headers: { "Content-Length": 28 } });
      for (const { socket } of connections) socket.write(text, () => socket.resetAndDestroy());
      await Promise.all(connections.map((connection) => connection.closed()));
      await assertUnharmed(served);
    },
    { rateLimit: false },
  );

  test("only on its own side, having asked, still gets its answer", async ({ connect, toText }) => {
    const connection = await connect();
    connection.socket.end(toText({ body: contact }));
    assert.equal((await connection.next()).status, 201);
    assert.equal(await connection.closed(), "");
  });
});
