import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker } from "../../lib/index.ts";
import { suite } from "../support/suite.ts";
import { within } from "../support/within.ts";

const contact = '{"email":"ada@example.com"}';
const tooLarge = contact.padEnd(65_537);

/** Bytes counted as they arrive, whatever is said of them and however they come. */
suite("a body that streams in", (test) => {
  test("may come byte by byte, without a Content-Length, cutting characters in half", async () => {
    const json = '{"email":"ada@example.com","name":"é😀"}';
    const response = await post(streamOf([...Buffer.from(json)].map((byte) => Uint8Array.of(byte))));
    assert.equal(response.status, 201);
    assert.equal(((await response.json()) as { contact: { name: string } }).contact.name, "é😀");
  });

  test("may be of chunks without bytes", async () => {
    const empty = new Uint8Array();
    assert.equal((await post(streamOf([empty, Buffer.from(contact), empty]))).status, 201);
  });

  test("may be of chunks that are parts of larger buffers", async () => {
    const buffer = Buffer.from(`xx${contact}xx`);
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + 2, contact.length);
    assert.equal((await post(streamOf([bytes]))).status, 201);
  });

  test("of exactly 64 KiB is read, and of a byte more answered 413, without a Content-Length", async () => {
    assert.equal((await post(streamOf(chunksOf(contact.padEnd(65_536), 1_000)))).status, 201);
    assert.equal((await post(streamOf(chunksOf(tooLarge, 1_000)))).status, 413);
  });

  test("is 413 also when its Content-Length lies low, or is no number", async () => {
    for (const contentLength of ["27", "0", "-1", "1e1", "many", ""]) {
      const headers = { "content-length": contentLength };
      assert.equal((await post(streamOf(chunksOf(tooLarge, 1_000)), { headers })).status, 413);
    }
  });

  test("is read whole when its Content-Length lies low", async () => {
    const headers = { "content-length": "3" };
    assert.equal((await post(streamOf(chunksOf(contact, 5)), { headers })).status, 201);
  });

  test("is 413 at once when its Content-Length says so", async () => {
    const headers = { "content-length": "65537" };
    assert.equal((await soon(post(stalled(), { headers }))).status, 413);
  });

  test("without an end is 413 as soon as it is too large, and cancelled", async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1_024;
        controller.enqueue(new Uint8Array(1_024));
      },
      cancel() {
        cancelled = true;
      },
    });
    assert.equal((await soon(post(endless))).status, 413);
    assert.equal(cancelled, true);
    assert.ok(pulled <= 65_536 + 4 * 1_024, `${pulled} bytes were asked for`);
  });

  test("that fails half-way is no JSON, whatever it fails with", async () => {
    for (const reason of [new Error("secret"), undefined, null, "secret"]) {
      const response = await soon(post(failing(reason)));
      assert.equal((await response.clone().text()).includes("secret"), false);
      assert.equal(await codeOf(response), "malformed_json");
    }
  });

  test("that fails half-way is no fault of ours", async () => {
    const reported: unknown[] = [];
    await post(failing(new Error("gone")), { onError: (error) => reported.push(error) });
    assert.deepEqual(reported, []);
  });

  test("of other things than bytes is no JSON", async () => {
    for (const chunk of [contact, 1, null, [123, 125], { byteLength: 2 }]) {
      assert.equal(await codeOf(await soon(post(streamOf([chunk])))), "malformed_json");
    }
  });

  test("is not waited for by a 401, 429, 404, 405 or 415", async () => {
    assert.equal((await soon(post(stalled(), { headers: { authorization: "Bearer x" } }))).status, 401);
    assert.equal((await soon(post(stalled(), { isUsedUp: true }))).status, 429);
    assert.equal((await soon(post(stalled(), { path: "/api/v1/nowhere" }))).status, 404);
    assert.equal((await soon(post(stalled(), { path: "/api/v1/contacts/u_1" }))).status, 405);
    assert.equal((await soon(post(stalled(), { headers: { "content-type": "text/plain" } }))).status, 415);
  });
});

interface PostOptions {
  headers?: Record<string, string>;
  path?: string;
  isUsedUp?: boolean;
  onError?: (error: unknown) => void;
}

async function post(body: ReadableStream, options: PostOptions = {}): Promise<Response> {
  const { headers, path = "/api/v1/contacts", isUsedUp = false, onError = () => {} } = options;
  const tracker = createTracker({ storage: memoryStorage(), rateLimit: { requests: 1, perSeconds: 3_600 }, onError });
  const { key } = await tracker.apiKeys.create({ name: "test" });
  const usual = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = { method: "POST", headers: { ...usual, ...headers }, body, duplex: "half" } as const;
  if (isUsedUp) await tracker.handle(new Request("http://localhost/", { headers: usual }));
  return tracker.handle(new Request(`http://localhost${path}`, init));
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

function streamOf(chunks: readonly unknown[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

function chunksOf(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}

function stalled(): ReadableStream {
  return new ReadableStream({ pull: () => new Promise(() => {}) });
}

function failing(reason: unknown): ReadableStream {
  let pulls = 0;
  return new ReadableStream({
    pull(controller) {
      if (pulls++ === 0) controller.enqueue(Buffer.from(contact.slice(0, 9)));
      else controller.error(reason);
    },
  });
}

const soon = (response: Promise<Response>): Promise<Response> => within(30_000, "an answer", response);
