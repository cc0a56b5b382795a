import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { isUint8Array } from "node:util/types";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, type Storage } from "../../lib/index.ts";
import { createBeside } from "../../server/beside.ts";
import { createPages } from "../../server/dashboard/pages.ts";
import type { RawAnswer } from "../support/raw-connection.ts";
import { suite, testsOn } from "../support/suite.ts";
import { within } from "../support/within.ts";
import { withHttpServer } from "./in-process.ts";

const target = "/api/v1/contacts/u_1";

/** Asks until the server, which may not have seen another one go yet, does not close the connection. */
async function firstAnswer(ask: () => Promise<RawAnswer>): Promise<RawAnswer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!String(error).includes("closed before an answer")) throw error;
    }
  }
}

suite("the server's bounds", (define) => {
  const test = testsOn(define, withHttpServer);
  test(
    "a connection beyond the ten thousandth is closed at once, and others are answered as soon as one goes",
    async ({ connect, ask, toText }) => {
      const first = await connect();
      first.write(toText({ target }));
      assert.equal((await first.next()).status, 404);
      await connect();
      const third = await connect();
      assert.equal(await third.closed(), "");
      first.destroy();
      await first.closed();
      assert.equal(
        (
          await within(
            5_000,
            "an answer",
            firstAnswer(() => ask({ target })),
          )
        ).status,
        404,
      );
    },
    {
      prepare(server) {
        assert.equal(server.maxConnections, 10_000);
        server.maxConnections = 2;
      },
    },
  );

  define("64 requests of a connection may wait for /healthz, again and again, and the 65th is cut off", async () => {
    let gate = Promise.resolve();
    const slow = (memory: Storage): Storage => ({
      ...memory,
      findContact: (...args) => gate.then(() => memory.findContact(...args)),
    });
    await withHttpServer(
      async ({ connect, toText }) => {
        let open = (): void => {};
        gate = new Promise<void>((resolve) => (open = resolve));
        const [patient, greedy] = await Promise.all([connect(), connect()]);
        greedy.write(toText({ target: "/healthz" }).repeat(65));
        assert.equal(await greedy.closed(), "");
        patient.write(toText({ target: "/healthz" }).repeat(64));
        open();
        for (let round = 0; round < 2; round++) {
          for (let n = 0; n < 64; n++) assert.equal((await patient.next()).status, 200);
          if (round === 0) patient.write(toText({ target: "/healthz" }).repeat(64));
        }
      },
      { storage: slow },
    );
  });

  define("a connection is forgotten whose client disconnects while two requests wait", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    let asked = 0;
    const sockets: WeakRef<Socket>[] = [];
    await withHttpServer(
      async ({ connect, toText }) => {
        const connection = await connect();
        connection.write(toText({ target }).repeat(2));
        while (asked < 2) await new Promise(setImmediate);
        connection.destroy();
        open();
        setFlagsFromString("--expose-gc");
        const collect = runInNewContext("gc") as () => void;
        const collected = async (): Promise<void> => {
          while (sockets[0]!.deref()) await new Promise((resolve) => setTimeout(resolve, 10)).then(collect);
        };
        await within(20_000, "the socket going", collected());
      },
      {
        storage: (memory) => ({
          ...memory,
          findContact: (...args) => (asked++, gate.then(() => memory.findContact(...args))),
        }),
        prepare: (server) => server.on("connection", (socket) => sockets.push(new WeakRef(socket))),
      },
    );
  });

  for (const path of ["/dashboard/script.js", "/openapi.json"]) {
    define(`a client that reads nothing is cut off once 64 answers of ${path} wait for it`, async () => {
      let asked = 0;
      const sockets: Socket[] = [];
      await withHttpServer(
        async ({ connect, toText, ask }) => {
          const { socket, write } = await connect();
          socket.pause();
          write(toText({ target: path }).repeat(64));
          while (asked < 64) await new Promise(setImmediate);
          // The server has written what it could.
          assert.equal((await ask({ target })).status, 404);
          const closed = within(15_000, "the server closing the connection", once(sockets[0]!, "close"));
          write(toText({ target: path }).repeat(64));
          await closed;
          assert.equal((await ask({ target: path })).status, 200);
        },
        {
          hasDashboard: true,
          prepare: (server) => server.on("connection", (socket) => sockets.push(socket)).on("request", () => asked++),
        },
      );
    });
  }

  define("the files of the dashboard and the OpenAPI document are encoded once", async () => {
    const answerBeside = createBeside(createTracker({ storage: memoryStorage() }), "/api/v1", null);
    const answerPage = createPages({ basePath: "/dashboard", apiPath: "/api/v1" });
    const paths = ["", "/script.js", "/style.css", "/icon.svg"];
    const bodies = async (): Promise<unknown[]> => [
      ...paths.map((path) => answerPage({ method: "GET", path, query: "" }).body),
      (await answerBeside({ method: "GET", path: "/openapi.json" })).body,
    ];
    const [first, second] = [await bodies(), await bodies()];
    for (const [index, body] of first.entries()) {
      assert.ok(isUint8Array(body));
      assert.equal(body, second[index]);
    }
  });

  for (const [name, request] of [
    ["a header", { headers: { "X-Long": "x".repeat(17_000) } }],
    [
      "two thousand headers",
      { headers: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`X-${n}`, "12345"])) },
    ],
    ["a target", { target: `/api/v1/contacts/${"x".repeat(17_000)}` }],
  ] as const) {
    test(`${name} of more than 16 KiB is answered 431 and the connection closed`, async ({ connect, toText, ask }) => {
      const connection = await connect();
      connection.write(toText({ target, ...request }));
      assert.match(await connection.closed(), /^HTTP\/1\.1 431 /);
      assert.equal((await ask({ target })).status, 404);
    });
  }

  test("a header of 15 KB is none of our business", async ({ ask }) => {
    assert.equal((await ask({ target, headers: { "X-Long": "x".repeat(15_000) } })).status, 404);
  });
});
