import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import type { TLSSocket } from "node:tls";
import { createPoster } from "../../../lib/webhooks/post.ts";
import { blackHole, ended, failureOf, message, ok, posting, receiving } from "../../support/posting.ts";
import { suite } from "../../support/suite.ts";
import { within } from "../../support/within.ts";

const begun: RequestListener = (_request, response) =>
  void response.writeHead(202, { "content-length": "100" }).write("half");
const cut: RequestListener = (request, response) => {
  begun(request, response);
  setImmediate(() => request.socket.destroy());
};
const informative: RequestListener = (_request, response) => {
  response.writeEarlyHints({ link: "</a>; rel=preload" });
  response.writeContinue();
  response.writeHead(202).end();
};
/** Answers without reading the request. */
const early: RequestListener = (request) =>
  void request.pause().socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n");

suite("a post", (test) => {
  test("sends headers and body as they are, and resolves with status and Retry-After", async () => {
    let received: unknown[] = [];
    const answer: RequestListener = (request, response) => {
      const { method, url, headers } = request;
      request.setEncoding("utf8").on("data", (body: string) => {
        const name = (request.socket as TLSSocket).servername;
        received = [method, url, headers["webhook-id"], headers["content-length"], headers.host, name, body];
      });
      request.on("end", () => response.writeHead(429, { "retry-after": "120" }).end());
    };
    await posting({ answer }, async ({ post, port }) => {
      const body = '{"name":"Ada 🦊"}';
      assert.deepEqual(await post("partner.test", body), { status: 429, retryAfter: "120" });
      const host = [`partner.test:${port}`, "partner.test"];
      assert.deepEqual(received, ["POST", "/secret-path?secret=query", "1", "19", ...host, body]);
    });
  });

  test("follows no redirect", () =>
    receiving({}, async (other) => {
      for (const location of ["http://169.254.169.254/latest/", `https://partner.test:${other.port}/`]) {
        for (const status of [301, 302, 303, 307, 308]) {
          const answer: RequestListener = (_request, response) => void response.writeHead(status, { location }).end();
          await posting({ answer }, async ({ post, lookedUp }) =>
            assert.deepEqual([(await post()).status, lookedUp.length], [status, 1]),
          );
        }
      }
      assert.equal(other.connections.length, 0);
    }));

  test("keeps the connection of an answer of up to 4 KiB, and ends that of a longer one, be it 1 GB", async () => {
    let written = 0;
    for (const [bytes, count] of [
      [4_096, 1],
      [4_097, 2],
      [2 ** 30, 2],
    ] as const) {
      const answer: RequestListener = (_request, response) => {
        const writeOn = (left: number): void => {
          const length = Math.min(left, 2 ** 16);
          written += length;
          if (length === left) response.end("x".repeat(length));
          else if (response.write("x".repeat(length))) writeOn(left - length);
          else response.once("drain", () => writeOn(left - length));
        };
        writeOn(bytes);
      };
      await posting({ answer }, async ({ post, connections }) => {
        assert.deepEqual([(await post()).status, (await post()).status, connections.length], [200, 200, count]);
        if (count === 2) await ended(connections[0]!);
      });
    }
    assert.ok(written < 2 ** 26, `${written}`);
  });

  test("has the status of an answer that is cut, does not end in time, or comes early or after informative ones", async () => {
    for (const answer of [cut, begun, early, informative]) {
      const body = "x".repeat(answer === early ? 2 ** 25 : 1);
      await posting({ answer, tryMs: answer === begun ? 1_000 : 15_000 }, async ({ post }) =>
        assert.equal((await within(10_000, "the status", post("partner.test", body))).status, 202),
      );
    }
  });

  test("fails with a code, and shows the origin alone", async () => {
    for (const [bytes, reason] of [
      ["", "connection failed (ECONNRESET)"],
      ["HTTP/1.1 200 OK\r\ndate: ", "connection failed (ECONNRESET)"],
      ["SSH-2.0-OpenSSH_9.2\r\n", "connection failed (HPE_INVALID_CONSTANT)"],
      [`HTTP/1.1 200 OK\r\nx: ${"x".repeat(2 ** 15)}\r\n\r\n`, "connection failed (HPE_HEADER_OVERFLOW)"],
      ["HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "connection failed"],
    ] as const) {
      await posting({ answer: ({ socket }) => void socket.end(bytes) }, async ({ post, port }) => {
        const error = await post().catch((thrown: Error) => thrown);
        assert.ok(error instanceof Error);
        assert.equal(error.message, `https://partner.test:${port}: ${reason}`);
        assert.ok(!`${error.stack}${JSON.stringify(error)}${String(error.cause)}`.includes("secret"));
      });
    }
    const gone = Object.assign(new Error("getaddrinfo ENOTFOUND secret.test"), { code: "ENOTFOUND" });
    await posting({ resolve: () => Promise.reject(gone) }, async ({ post }) => {
      assert.match(await failureOf(post()), /^https:\/\/partner.test:\d+: look-up failed \(ENOTFOUND\)$/);
      assert.equal(await failureOf(post("127.1:8443")), "https://127.0.0.1:8443: refused URL");
    });
  });

  test("ends in time, or with the signal's reason, at each of its steps, and leaves no timer", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    await blackHole("127.0.0.3", async (port) => {
      for (const [host, resolve] of [
        ["partner.test", () => new Promise<never>(() => {})],
        [`partner.test:${port}`, async () => ["127.0.0.3"]],
        ["partner.test", async () => ["127.0.0.1"]],
      ] as const) {
        const options = { answer: () => {}, isAllowedAddress: () => true, resolve };
        await posting({ ...options, tryMs: 300 }, async ({ post, connections }) => {
          assert.match(await within(10_000, "the end", failureOf(post(host))), /: time-out$/);
          await Promise.all(connections.map(ended));
        });
        await posting(options, async ({ post }) => {
          const controller = new AbortController();
          setImmediate(() => controller.abort(new Error("stopped")));
          for (let n = 0; n < 2; n++)
            assert.equal(await within(10_000, "the end", failureOf(post(host, "{}", controller.signal))), "stopped");
        });
      }
    });
    await posting({ answer: ok }, async ({ post }) => void (await post()));
    assert.equal(timers(), before);
  });

  test("looks the host up with the system by default", async () => {
    const url = "https://localhost:8443";
    assert.equal(await failureOf(createPoster({ allow: new Set() }).post(url, message)), `${url}: refused address`);
  });
});
