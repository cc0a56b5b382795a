/** Clients that attack a server through its routes for visitors: those of the demo, which are mounted in it, and those for tokens. */
import assert from "node:assert/strict";
import type { Server } from "node:http";
import { wholeList } from "../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../lib/index.ts";
import { codeOf, type RawRequest } from "../../support/raw-connection.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { withHttpServer, type InProcessOptions } from "../in-process.ts";
import { authorizationOf, secretsOfTest, sign } from "./tokens.ts";

interface Door {
  options: InProcessOptions;
  base: string;
  authorization: string | null;
}

const claims = { sub: "eve", email: "eve@example.com", name: "Eve" };
const doors: Readonly<Record<string, Door>> = {
  "the demo": { options: { isDemo: true }, base: "/demo/me", authorization: null },
  tokens: {
    options: {
      tokenVisitors: { basePath: "/visitors", secrets: secretsOfTest, events: ["project_created"], create: true },
    },
    base: "/visitors",
    ...authorizationOf(sign(claims)),
  },
};

const body = '{"items":[{"eventKey":"project_created","idempotencyKey":"k"}]}';
const ofApi: RawRequest = { target: "/api/v1/contacts/u_1" };
const tenGB = 10_000_000_000;

async function assertEmpty(storage: Storage): Promise<void> {
  assert.deepEqual((await storage.listContacts("default", wholeList)).rows, []);
}

suite({ name: "attacks through the routes for visitors", atOnce: 6 }, (define) => {
  const test = testsOn(define, withHttpServer);
  for (const [door, { options, base, authorization }] of Object.entries(doors)) {
    const write: RawRequest = {
      method: "POST",
      target: `${base}/events`,
      headers: { Authorization: authorization, "X-Whodid-Visitor": "1", "Content-Type": "application/json" },
    };
    const read: RawRequest = { target: `${base}/checklists`, headers: { Authorization: authorization } };
    for (const [how, headers] of [
      ["says that it is long", { "Content-Length": tenGB }],
      ["does not say how long it is", { "Transfer-Encoding": "chunked" }],
    ] as const) {
      test(
        `a body that ${how} is answered 413, its connection is closed, and nothing is stored, at ${door}`,
        async ({ connect, toText, storage, ask }) => {
          const connection = await connect();
          connection.write(toText({ ...write, headers: { ...write.headers, ...headers } }));
          const chunk = Buffer.from(`10000\r\n${"[".repeat(65_536)}\r\n`);
          const send = (): void => {
            while (connection.socket.writable && connection.socket.write(chunk));
          };
          connection.socket.on("drain", send);
          send();
          assert.equal(codeOf(await connection.next()), "body_too_large");
          assert.equal(await connection.closed(), "");
          await assertEmpty(storage);
          assert.equal((await ask({ ...write, body })).status, 200);
        },
        options,
      );
    }

    test(
      `connections of visitors give way to callers with an API key if no slot is free, at ${door}`,
      async ({ connect, toText, ask }) => {
        for (let n = 0; n < 5; n++) {
          const connection = await connect();
          connection.write(toText(read));
          assert.equal((await connection.next()).status, 200);
        }
        assert.equal((await ask(ofApi)).status, 404);
      },
      { ...options, prepare: (server: Server) => void (server.maxConnections = 3) },
    );

    test(
      `requests that a visitor sends all at once are refused beyond the limit, at ${door}`,
      async ({ connect, toText }) => {
        const connection = await connect();
        const statuses = new Set<number>();
        // Twice, because a new minute may begin.
        for (let round = 0; round < 2; round++) {
          connection.write(toText({ ...write, target: `${base}/checklists/none/dismiss`, body: "" }).repeat(64));
          for (let n = 0; n < 64; n++) statuses.add((await connection.next()).status);
        }
        assert.deepEqual([...statuses], [404, 429]);
      },
      options,
    );
  }

  test("without secrets there are no routes for tokens", async ({ ask }) => {
    const { base, authorization } = doors["tokens"]!;
    for (const path of ["checklists", "whodid.js"])
      assert.equal((await ask({ target: `${base}/${path}`, headers: { Authorization: authorization } })).status, 404);
  });
});
