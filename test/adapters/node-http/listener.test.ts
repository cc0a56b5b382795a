import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { answerWith, toListener } from "../../../adapters/node-http.ts";
import type { Answer } from "../../../lib/http/answer.ts";
import { respondSymbol } from "../../../lib/http/respond.ts";
import { createTracker } from "../../../lib/index.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { codeOf } from "../../support/raw-connection.ts";
import { serving } from "../../support/serving.ts";
import { untyped } from "../../support/stopped-tracker.ts";

const contact = '{"email":"ada@example.com"}';

suite("the node:http listener", (define) => {
  const test = testsOn(define, serving);
  test(
    "is made of a tracker wrapped with a spread, too",
    async ({ ask }) => {
      assert.equal((await ask({ body: contact })).status, 201);
      assert.equal((await ask({ target: "/api/v1/contacts/ada@example.com" })).status, 200);
    },
    {
      mount: (_, tracker) => {
        const listener = toListener({ ...tracker, handle: async () => new Response() });
        return (request, response) => void listener(request, response);
      },
    },
  );

  test("is not made of anything else", async ({ tracker }) => {
    const { contacts, handle, close, workspace } = tracker;
    for (const foreign of [undefined, null, {}, { contacts, handle, close, workspace }, tracker.workspace("acme")]) {
      assert.throws(() => toListener(untyped(foreign)), TypeError);
    }
    assert.throws(() => toListener(untyped({})), { message: /createTracker/ });
  });

  define("resolves once it has answered", async () => {
    let states: boolean[] = [];
    await serving(
      async ({ ask }) => {
        assert.equal((await ask({ body: contact })).status, 201);
        assert.deepEqual(states, [false, true, true]);
      },
      {
        mount: (listener) => async (request, response) => {
          states = [response.headersSent];
          await listener(request, response);
          states.push(response.headersSent, response.writableEnded);
        },
      },
    );
  });

  for (const [when, signal, early] of [
    ["in groups of 16, and the rest at its end", new AbortController().signal, 32],
    ["at its end if the server stops", AbortSignal.abort(), 0],
  ] as const) {
    define(`writes the answers of one turn ${when}`, async () => {
      let written = 0;
      const response = { writeHead: () => (written++, { cork() {} }), uncork() {}, end() {} };
      const respond = async (): Promise<Answer> => ({ status: 204, headers: [], body: "" });
      const listener = answerWith({ [respondSymbol]: respond }, [signal]);
      const beforeEnd = new Promise((resolve) => setImmediate(() => resolve(written)));
      const answered = Array.from({ length: 40 }, () => listener(untyped({ url: "/" }), untyped(response)));
      assert.equal(await beforeEnd, early);
      await Promise.all(answered);
      assert.equal(written, 40);
    });
  }

  define("resolves also when the client went away, and has then stored nothing", async () => {
    const resolved: Promise<void>[] = [];
    await serving(
      async ({ connect, toText, tracker }) => {
        const connection = await connect();
        connection.write(toText({ body: contact, headers: { "Content-Length": 100, Expect: "100-continue" } }));
        assert.equal((await connection.next()).status, 100);
        connection.destroy();
        await Promise.all(resolved);
        assert.deepEqual([resolved.length, (await tracker.contacts.list()).items], [1, []]);
      },
      { mount: (listener) => (request, response) => void resolved.push(listener(request, response)) },
    );
  });

  test(
    "leaves an answer alone that somebody has given before",
    async ({ connect, toText }) => {
      const connection = await connect();
      for (let n = 0; n < 2; n++) {
        connection.write(toText({ body: contact }));
        const { status, headers, body } = await connection.next();
        assert.deepEqual([status, headers.get("x-ratelimit-limit"), body], [503, null, "busy"]);
      }
    },
    { mount: (listener) => (request, response) => void listener(request, answerBusy(response)) },
  );

  test(
    "leaves an answer alone that somebody gives meanwhile",
    async ({ connect, toText }) => {
      const connection = await connect();
      for (let n = 0; n < 2; n++) {
        connection.write(toText({ body: contact }));
        assert.deepEqual([(await connection.next()).body], ["busy"]);
      }
    },
    {
      mount: (listener) => (request, response) => {
        void listener(request, response);
        request.once("end", () => answerBusy(response));
      },
    },
  );

  test(
    "leaves an answer alone whose headers somebody has sent",
    async ({ ask }) => {
      const { status, body } = await ask({ body: contact });
      assert.deepEqual([status, body], [202, "mine"]);
    },
    {
      mount: (listener) => async (request, response) => {
        response.writeHead(202, { "Content-Length": 4 });
        await listener(request, response);
        response.end("mine");
      },
    },
  );

  test(
    "keeps headers that somebody has set, and says of its own what is true",
    async ({ ask }) => {
      const { headers, body } = await ask({ body: contact });
      assert.equal(headers.get("vary"), "Origin");
      assert.equal(headers.get("content-type"), "application/json");
      assert.equal(headers.get("content-length"), String(Buffer.byteLength(body)));
      assert.equal(headers.get("x-ratelimit-limit"), "100");
    },
    {
      mount: (listener) => (request, response) => {
        response.setHeader("Vary", "Origin");
        response.setHeader("content-type", "text/html");
        response.setHeader("Content-Length", 3);
        response.setHeader("x-ratelimit-limit", "7");
        void listener(request, response);
      },
    },
  );

  test(
    "answers the others when somebody's writeHead throws",
    async ({ connect, toText, ask }) => {
      const connections = await Promise.all([connect(), connect(), connect()]);
      const targets = ["/api/v1/contacts/u_1", "/api/v1/contacts/broken", "/api/v1/contacts/u_2"];
      for (const [n, connection] of connections.entries()) connection.write(toText({ target: targets[n]! }));
      assert.equal((await connections[0]!.next()).status, 404);
      assert.equal((await connections[2]!.next()).status, 404);
      assert.equal(await connections[1]!.closed(), "");
      assert.equal((await ask({ target: "/api/v1/contacts/u_1" })).status, 404);
    },
    {
      mount: (listener) => (request, response) => {
        if (request.url?.endsWith("broken")) {
          response.writeHead = () => {
            throw new Error("broken by somebody else");
          };
        }
        void listener(request, response);
      },
    },
  );

  define("answers a request that cannot be read 500, reports it once, and does not reject", async () => {
    const reported: unknown[] = [];
    const tracker = createTracker({ storage: memoryStorage(), onError: (error) => reported.push(error) });
    const listener = toListener(tracker);
    const get = (): never => {
      throw new Error("trapped");
    };
    for (const request of [{}, Object.defineProperty({}, "url", { get })]) {
      const written: unknown[] = [];
      const response: object = {
        writeHead: (status: number) => (written.push(status), response),
        write: (body: string) => written.push(JSON.parse(body)),
        cork() {},
        uncork() {},
        end() {},
      };
      await listener(untyped(request), untyped(response));
      assert.equal(written[0], 500);
    }
    assert.equal(reported.length, 2);
  });

  test("answers HEAD without a body, and with the Content-Length that GET has", async ({
    connect,
    toText,
    tracker,
  }) => {
    await tracker.contacts.upsert({ email: "ada@example.com", name: "é😀" });
    const connection = await connect();
    for (const target of ["/api/v1/contacts/ada@example.com", "/api/v1/contacts/nobody", "/api/v1/nowhere"]) {
      connection.write(toText({ target }));
      const { status, headers, body } = await connection.next();
      assert.equal(headers.get("content-length"), String(Buffer.byteLength(body)));
      connection.write(toText({ target, method: "HEAD" }));
      const head = await connection.next("HEAD");
      assert.deepEqual([head.status, head.headers.get("content-length")], [status, headers.get("content-length")]);
    }
    // Nothing of a body has come after the last head.
    connection.write(toText({ target: "/api/v1/contacts/nobody" }));
    assert.equal(codeOf(await connection.next()), "contact_not_found");
  });
});

function answerBusy(response: ServerResponse): ServerResponse {
  return response.writeHead(503, { "Content-Length": 4 }).end("busy");
}
