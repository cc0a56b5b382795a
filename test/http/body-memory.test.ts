import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker } from "../../lib/index.ts";
import { serving } from "../support/serving.ts";
import { suite } from "../support/suite.ts";

const bodies = 5;
const bytesEach = 65_000;

/** What is in use after a collection. */
function bytesInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** An object for each byte took 300 times as much as the bytes. */
function assertSmall(before: number): void {
  const times = (bytesInUse() - before) / (bodies * bytesEach);
  assert.ok(times < 8, `${times.toFixed(1)} times the bodies' size`);
}

suite("bodies that come in chunks of one byte, and of which the last is missing,", (test) => {
  test("take little more memory than their size in handle", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    const { key } = await tracker.apiKeys.create({ name: "test" });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    let sent = 0;
    const started: (() => void)[] = [];
    const bodyOf = (): ReadableStream => {
      let left = bytesEach;
      return new ReadableStream({
        pull(controller) {
          if (left-- > 0) return controller.enqueue(Uint8Array.of(32));
          if (++sent === bodies) for (const start of started) start();
          return new Promise(() => {});
        },
      });
    };
    const allSent = new Promise<void>((resolve) => started.push(resolve));
    // What compiling takes.
    await tracker.handle(new Request("http://localhost/api/v1/contacts", { method: "POST", headers, body: "{}" }));
    const before = bytesInUse();
    for (let n = 0; n < bodies; n++) {
      const init = { method: "POST", headers, body: bodyOf(), duplex: "half" } as const;
      void tracker.handle(new Request("http://localhost/api/v1/contacts", init));
    }
    await allSent;
    assertSmall(before);
  });

  test("take little more memory than their size over a socket", () =>
    serving(async ({ connect, toText }) => {
      const head = toText({ headers: { "Transfer-Encoding": "chunked" } });
      const chunks = "1\r\n \r\n".repeat(bytesEach);
      const connections = await Promise.all(Array.from({ length: bodies }, () => connect()));
      // What compiling and the sockets take.
      connections[0]!.write(head);
      const before = bytesInUse();
      for (const [n, connection] of connections.entries()) connection.write(n === 0 ? chunks : head + chunks);
      // Answered after all that the others have sent so far was read.
      for (const { socket } of connections) while (socket.writableLength > 0) await new Promise(setImmediate);
      const asking = await connect();
      asking.write(toText({ target: "/api/v1/contacts/u_1" }));
      assert.equal((await asking.next()).status, 404);
      assertSmall(before);
    }));
});
