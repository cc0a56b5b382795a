import assert from "node:assert/strict";
import type { Storage } from "../../lib/index.ts";
import { logError } from "../../server/log.ts";
import { withServer } from "../support/server-process.ts";
import { suite, testsOn } from "../support/suite.ts";
import { withHttpServer } from "./in-process.ts";
import { secretsOfTest, sign } from "./visitors/tokens.ts";

const marker = "mArKeR4711";

interface LogLine {
  time: string;
  event: string;
  [name: string]: unknown;
}

function linesOf(text: string): LogLine[] {
  assert.match(text, /^(?:.+\n)*$/);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogLine);
}

/** What is written to standard error meanwhile. */
async function written(run: () => void | Promise<void>): Promise<string> {
  let text = "";
  const original = process.stderr.write;
  process.stderr.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  try {
    await run();
  } finally {
    process.stderr.write = original;
  }
  return text;
}

/** A memory whose `upsertContacts` fails with what the function makes of the given email. */
function failingWith(toError: (email: string) => unknown): (memory: Storage) => Storage {
  return (memory) => ({
    ...memory,
    async upsertContacts([draft]) {
      throw toError(draft && "email" in draft.contact ? draft.contact.email : "");
    },
  });
}

/** Makes every look-up of the marker in a Map fail, with an error that quotes it. */
const brokenMaps = {
  MARKER: marker.toLowerCase(),
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    const { get } = Map.prototype;
    Map.prototype.get = function (key) {
      if (String(key).includes(process.env.MARKER)) throw new TypeError("cannot read " + key);
      return get.call(this, key);
    };
  `)}`,
};

suite("the server's log", (define) => {
  const test = testsOn(define, withHttpServer);
  define("is a line of JSON at the start and one at the stop, with neither bodies nor keys nor values between", () =>
    withServer(async ({ ask, child, key, output, stop }) => {
      await ask({ body: `{"email":"${marker}@example.com","name":"${marker}"}` });
      await ask({ body: `{"${marker}":"${marker}"` });
      await ask({ target: `/api/v1/contacts/${marker}?${marker}` });
      await ask({ target: `/${marker}`, headers: { Authorization: `Bearer ${marker}` } });
      await stop();
      const [{ time: startedAt, ...start }, { time: stoppedAt, ...stopped }, ...more] = linesOf(output.stderr) as [
        LogLine,
        LogLine,
      ];
      assert.ok(startedAt < stoppedAt);
      assert.deepEqual(start, { event: "start", pid: child.pid, storage: "memory" });
      assert.deepEqual([stopped, more], [{ event: "stop", signal: "SIGTERM" }, []]);
      assert.equal(output.stderr.includes(key), false);
    }),
  );

  define("is a line for an unexpected error, without the value that its message repeats", () =>
    withServer(async ({ ask, output, stop }) => {
      assert.equal((await ask({ body: `{"email":"${marker}@example.com"}` })).status, 500);
      assert.equal((await ask({ body: `{"email":"ada@example.com"}` })).status, 201);
      await stop();
      const [, { event, name, at }, ...more] = linesOf(output.stderr) as [LogLine, LogLine, LogLine];
      assert.deepEqual([event, name, more.length], ["error", "TypeError", 1]);
      assert.match(String((at as string[])[1]), /^at .*\/lib\//);
      assert.equal(output.stderr.toLowerCase().includes(marker.toLowerCase()), false);
    }, brokenMaps),
  );

  test(
    "names of an unexpected error the method, the route and the id that the answer has as X-Request-Id",
    async ({ ask }) => {
      let requestId: string | null = null;
      const text = await written(async () => {
        const headers = { "X-Request-Id": marker };
        const answer = await ask({ body: `{"email":"${marker}@example.com"}`, headers });
        requestId = answer.headers.get("x-request-id");
      });
      const [{ event, method, route, requestId: logged }] = linesOf(text) as [LogLine];
      assert.deepEqual([event, method, route, logged], ["error", "POST", "/api/v1/contacts", requestId]);
      assert.match(requestId!, /^[0-9a-f]{8}-[0-9a-z]+$/);
      assert.equal(text.includes(marker), false);
    },
    { storage: failingWith((value) => new Error(value)) },
  );

  test(
    "is one line for a refused contact of a visitor's token, with the code, and nothing of the token",
    async ({ ask }) => {
      await ask({ body: `{"email":"${marker}@example.com"}` });
      const token = sign({ sub: `${marker}-2`, email: `${marker}@example.com`, name: marker });
      let requestId: string | null = null;
      const text = await written(async () => {
        const headers = { Authorization: `Bearer ${token}` };
        const [answer] = await Promise.all([1, 2].map(() => ask({ target: "/visitors/checklists", headers })));
        assert.equal(answer!.status, 404);
        requestId = answer!.headers.get("x-request-id");
        assert.equal((await ask({ target: "/visitors/checklists", headers })).status, 404);
      });
      const [{ event, method, route, requestId: logged, cause }, ...more] = linesOf(text) as [LogLine];
      assert.deepEqual([event, method, route, cause, more], ["error", "GET", "/visitors", "email_taken", []]);
      assert.equal(logged, requestId);
      for (const part of [marker, ...token.split(".")]) assert.equal(text.includes(part), false, part);
    },
    { tokenVisitors: { basePath: "/visitors", secrets: secretsOfTest, create: true } },
  );

  test("has ids that every answer carries as X-Request-Id, each another, and none that a client sent", async ({
    ask,
  }) => {
    const ids = new Set<string | null>();
    const targets = ["/api/v1/contacts/u_1", "/api/v1/nowhere", "/healthz", "/openapi.json", "/nowhere"];
    for (const target of targets) {
      for (const headers of [{}, { Authorization: null }, { "X-Request-Id": marker }]) {
        ids.add((await ask({ target, headers })).headers.get("x-request-id"));
      }
    }
    assert.deepEqual([ids.size, ids.has(null), ids.has(marker)], [15, false, false]);
  });

  for (const [name, toError] of [
    ["an error that quotes it", (value) => new Error(`Duplicate entry '${value}'`)],
    ["an error that quotes it on a line like a stack's", (value) => new Error(`Duplicate entry\n    at ${value}`)],
    ["an error with a cause that quotes it", (value) => new Error("x", { cause: new Error(value) })],
    [
      "an error that carries it as mysql2's carry SQL",
      (value) => Object.assign(new Error("x"), { sql: value, values: [value] }),
    ],
    ["the value itself", (value) => value],
    ["an object that holds it", (value) => ({ name: value, code: value, message: value, stack: value })],
  ] as [string, (value: string) => unknown][]) {
    test(
      `never holds a value, where the storage throws ${name}`,
      async ({ ask }) => {
        const text = await written(async () => {
          assert.equal((await ask({ body: `{"email":"${marker}@example.com"}` })).status, 500);
        });
        const lines = linesOf(text);
        assert.deepEqual([lines.length, lines[0]?.event], [1, "error"]);
        assert.equal(text.toLowerCase().includes(marker.toLowerCase()), false, text);
      },
      { storage: failingWith(toError) },
    );
  }

  define("names an error's kind, code and stack frames, and its cause's code", async () => {
    const causedBy = Object.assign(new Error(marker), { code: "ER_DUP_ENTRY" });
    const error = Object.assign(new RangeError(marker, { cause: causedBy }), { code: "internal" });
    const [{ name, code, cause, at }] = linesOf(await written(() => logError(error))) as [LogLine];
    assert.deepEqual([name, code, cause], ["RangeError", "internal", "ER_DUP_ENTRY"]);
    assert.match(String((at as string[])[0]), /^at .*log\.test\.js:\d+:\d+/);
  });

  define("names the stack frames also of an error whose message was set later, as mysql2 does", async () => {
    const error = Object.assign(new Error(), { message: `Duplicate entry '${marker}'` });
    const text = await written(() => logError(error));
    const [{ at }] = linesOf(text) as [LogLine];
    assert.match(String((at as string[])[0]), /^at .*log\.test\.js:\d+:\d+/);
    assert.equal(text.includes(marker), false);
  });
});
