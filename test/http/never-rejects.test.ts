import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, type Storage, type Tracker } from "../../lib/index.ts";
import { suite } from "../support/suite.ts";
import { untyped } from "../support/stopped-tracker.ts";
import { within } from "../support/within.ts";

const contact = '{"email":"ada@example.com"}';

interface Opened {
  tracker: Tracker;
  reported: unknown[];
  /** A POST of a contact. */
  post(init?: RequestInit & { duplex?: "half" }): Request;
}

async function open(wrap = (memory: Storage): Storage => memory): Promise<Opened> {
  const reported: unknown[] = [];
  const tracker = createTracker({ storage: wrap(memoryStorage()), onError: (error) => reported.push(error) });
  const { key } = await tracker.apiKeys.create({ name: "test" });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = (init: RequestInit = {}): Request =>
    new Request("http://localhost/api/v1/contacts", { method: "POST", headers, body: contact, ...init });
  return { tracker, reported, post };
}

async function answerOf(tracker: Tracker, request: unknown): Promise<{ status: number; code: string }> {
  const response = await within(5_000, "an answer", tracker.handle(untyped(request)));
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code ?? "" };
}

function streamOf(...chunks: unknown[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** Neither ends nor holds anything. */
function stalled(onCancel = (): void => {}): ReadableStream {
  return new ReadableStream({ pull: () => new Promise(() => {}), cancel: onCancel });
}

const throwing = (): never => {
  throw new Error("trapped");
};

suite("handle never rejects, nor keeps its caller waiting:", (test) => {
  for (const [name, toRequest] of [
    ["undefined", () => undefined],
    ["null", () => null],
    ["a text", () => "http://localhost/api/v1/contacts"],
    ["an empty object", () => ({})],
    ["a Proxy that throws", (request: Request) => new Proxy(request, { get: throwing, has: throwing })],
    ["a Request whose url throws", (request: Request) => Object.defineProperty(request, "url", { get: throwing })],
    [
      "a Request whose headers throw",
      (request: Request) => Object.defineProperty(request, "headers", { get: throwing }),
    ],
  ] as const) {
    test(`${name} is answered 500, and reported once`, async () => {
      const { tracker, reported, post } = await open();
      assert.deepEqual(await answerOf(tracker, toRequest(post())), { status: 500, code: "internal" });
      assert.equal(reported.length, 1);
    });
  }

  test("a Proxy of a Request is answered, with 500 where Node refuses to read it", async () => {
    const { tracker, post } = await open();
    assert.ok([201, 500].includes((await answerOf(tracker, new Proxy(post(), {}))).status));
  });

  test("a Request whose body throws is answered 400", async () => {
    const { tracker, reported, post } = await open();
    const request = Object.defineProperty(post(), "body", { get: throwing });
    assert.deepEqual(await answerOf(tracker, request), { status: 400, code: "malformed_json" });
    assert.deepEqual(reported, []);
  });

  for (const [name, error, expected] of [
    ["without issues", { code: "contact_not_found", message: "x" }, { status: 404, code: "contact_not_found" }],
    ["of a code that is none", { code: "toString", message: "x" }, { status: 500, code: "internal" }],
    ["without a code", {}, { status: 500, code: "internal" }],
    ["that cannot be written as JSON", { code: "email_taken", conflict: 1n }, { status: 500, code: "internal" }],
  ] as const) {
    test(`a storage's error that is named as ours, ${name}, is answered ${expected.status}`, async () => {
      const named = Object.assign(new Error(), { name: "TrackerError" }, error);
      const { tracker, reported, post } = await open((memory) => ({
        ...memory,
        upsertContacts: () => Promise.reject(named),
      }));
      assert.deepEqual(await answerOf(tracker, post()), expected);
      assert.deepEqual(reported, expected.status === 500 ? [named] : []);
    });
  }

  test("a storage's error that is a Proxy which throws is answered 500", async () => {
    const { tracker, reported, post } = await open((memory) => ({
      ...memory,
      upsertContacts: () => Promise.reject(new Proxy(new Error(), { get: throwing, has: throwing })),
    }));
    assert.deepEqual(await answerOf(tracker, post()), { status: 500, code: "internal" });
    assert.equal(reported.length, 1);
  });

  test("a request aborted before, whose body does not end, is answered 400, and the body cancelled", async () => {
    const { tracker, post } = await open();
    let cancelled = false;
    const body = stalled(() => void (cancelled = true));
    const request = post({ body, duplex: "half", signal: AbortSignal.abort() });
    assert.deepEqual(await answerOf(tracker, request), { status: 400, code: "malformed_json" });
    assert.equal(cancelled, true);
  });

  test("a request aborted while its body is read is answered 400, and nothing of it stored", async () => {
    const { tracker, post } = await open();
    const abortion = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        // The whole contact, and then no end.
        if (controller.desiredSize === 1) controller.enqueue(Buffer.from(contact));
        setImmediate(() => abortion.abort());
        return new Promise(() => {});
      },
    });
    const request = post({ body, duplex: "half", signal: abortion.signal });
    assert.deepEqual(await answerOf(tracker, request), { status: 400, code: "malformed_json" });
    assert.deepEqual((await tracker.contacts.list()).items, []);
  });

  test("a body whose chunks come from another realm is read", async () => {
    const { tracker, post } = await open();
    const foreign = (text: string): unknown =>
      runInNewContext("Uint8Array.from(bytes)", { bytes: [...Buffer.from(text)] }) as unknown;
    assert.equal(foreign("") instanceof Uint8Array, false);
    for (const chunks of [[contact], [contact.slice(0, 9), contact.slice(9)]]) {
      const request = post({ body: streamOf(...chunks.map(foreign)), duplex: "half" });
      assert.ok([200, 201].includes((await answerOf(tracker, request)).status));
    }
  });
});
