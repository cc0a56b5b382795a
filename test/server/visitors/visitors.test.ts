import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import express from "express";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { toListener } from "../../../adapters/node-http.ts";
import { createTracker } from "../../../lib/index.ts";
import { visitors } from "../../../server/visitors/index.ts";
import { listening } from "../../support/loopback.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { visitorCases } from "./cases.ts";
import { codeOf, event, json, openMemory, own, userOf, visitsTo } from "./door.ts";

const visit = visitsTo(openMemory);
const deep = `{"items":[{"eventKey":"step","idempotencyKey":"k","properties":${"[".repeat(30_000)}${"]".repeat(30_000)}}]}`;

suite("visitors", (define) => {
  const test = testsOn(define, visit);
  visitorCases(define, visit);

  for (const [what, identify] of [
    ["null", () => null],
    ["nothing", () => undefined],
    ["a number", () => 1],
    ["true", () => true],
    ["an object", () => ({ toString: () => "ada" })],
    ["a blank text", () => " "],
    ["a text with white space at its end", () => "ada "],
    ["a lone surrogate", () => "\ud800"],
    ["a long text", () => "x".repeat(256)],
  ] as [string, () => string][]) {
    test(
      `everything is answered 401 where identify returns ${what}`,
      async ({ ask, tracker }) => {
        const before = await tracker.contacts.export("ada");
        for (const path of ["/me/checklists", "/me/nowhere", "/me/%zz", "/me"]) {
          assert.equal(codeOf(await ask(path)), "401 unauthenticated", path);
        }
        const body = { items: [event()] };
        assert.equal(codeOf(await ask("/me/events", { method: "POST", body })), "401 unauthenticated");
        assert.deepEqual(await tracker.contacts.export("ada"), before);
      },
      { identify },
    );
  }

  for (const [what, error, reportedAs] of [
    ["an error", new Error("no session"), "no session"],
    [
      "an error of the tracker",
      untyped(Object.assign(new Error("gone"), { name: "TrackerError", code: "internal" })),
      "gone",
    ],
  ] as const) {
    test(
      `everything is answered 401 where identify throws ${what}, which is reported`,
      async ({ ask, reported }) => {
        const answer = await ask("/me/checklists");
        assert.equal(codeOf(answer), "401 unauthenticated");
        assert.doesNotMatch(JSON.stringify(answer.body), /no session|gone/);
        assert.deepEqual(
          reported.splice(0).map((thrown) => (thrown as Error).message),
          [reportedAs],
        );
      },
      { identify: () => Promise.reject(error) },
    );
  }

  test("a write without the header of a page is answered 403, whatever else it has", async ({ tracker, mounted }) => {
    const before = await tracker.contacts.export("ada");
    for (const path of ["events", "checklists/start/dismiss", "checklists/start/items/call/complete"]) {
      for (const headers of [{}, json, { "content-type": "text/plain" }]) {
        const init = { method: "POST", headers: { "x-user": "ada", ...headers }, body: "{}" };
        const answer = await mounted.handle(new Request(`http://localhost/me/${path}`, init));
        assert.equal(answer.status, 403, path);
      }
    }
    assert.deepEqual(await tracker.contacts.export("ada"), before);
  });

  test("every answer to a visitor has its tag, in any case of A to Z, and a write with the tag of another is answered 403", async ({
    ask,
    tracker,
  }) => {
    const tagOf = async (as: string, path = "/me/checklists"): Promise<string | null> =>
      (await ask(path, { as })).headers.get("x-whodid-visitor");
    const ada = (await tagOf("ada"))!;
    // A page keeps its events while processes of two versions answer it: each must give the same tag.
    assert.equal(ada, "v__e5DDUC9V97qwYbN");
    for (const path of ["/me/nowhere", "/me/events"]) assert.equal(await tagOf("ada", path), ada);
    assert.deepEqual([await tagOf("ADA"), await tagOf("")], [ada, null]);
    const bob = (await tagOf("bob"))!;
    assert.notEqual(bob, ada);
    const send = (tag: string) =>
      ask("/me/events", { method: "POST", headers: { "x-whodid-visitor": tag }, body: { items: [event()] } });
    for (const tag of [ada, "1", "yes"]) assert.equal((await send(tag)).status, 200, tag);
    assert.equal(codeOf(await send(bob)), "403 forbidden");
    assert.equal((await tracker.events.list("ada")).items.length, 3);
  });

  for (const [what, body, code] of [
    ["no JSON", "{", "400 malformed_json"],
    ["no list", "{}", "400 invalid_input"],
    ["an empty list", { items: [] }, "400 invalid_input"],
    ["21 items", { items: Array.from({ length: 21 }, () => event()) }, "400 invalid_input"],
    ["another field", { items: [event()], externalId: "bob" }, "400 invalid_input"],
    ["a megabyte", { items: [event({ properties: { a: "x".repeat(1_000_000) } })] }, "413 body_too_large"],
  ] as const) {
    test(`a body with ${what} is refused, and nothing is stored`, async ({ ask, tracker }) => {
      assert.equal(codeOf(await ask("/me/events", { method: "POST", body })), code);
      assert.deepEqual((await tracker.events.list("ada")).items, []);
    });
  }

  test("a body as deep as can be is refused without an error that is reported", async ({ ask }) => {
    const { status, body } = await ask("/me/events", { method: "POST", body: deep });
    assert.deepEqual([status, (body["items"]! as { status: number }[])[0]!.status], [200, 400]);
  });

  test("60 items a minute pass for a visitor, whatever they are, and no other is limited", async ({ ask, tracker }) => {
    const send = (items: object[], as = "ada") => ask("/me/events", { as, method: "POST", body: { items } });
    const some = (count: number): object[] => Array.from({ length: count }, () => event());
    let passed = 0;
    let refused;
    // The minute of the clock may end once.
    for (let n = 0; n < 8 && !refused; n++) {
      const answer = await send(some(20));
      if (answer.status === 200) passed += 20;
      else refused = answer;
    }
    assert.equal(codeOf(refused!), "429 rate_limited");
    const seconds = Number(refused!.headers.get("retry-after"));
    assert.ok(seconds >= 1 && seconds <= 60);
    assert.ok(passed === 60 || passed === 120, String(passed));
    assert.equal((await tracker.events.list("ada")).items.length, passed);
    assert.equal((await send(some(1), "bob")).status, 200);
    assert.equal((await ask("/me/checklists")).status, 200);
  });

  test(
    "reads that call create count as items, and others do not",
    async ({ ask, reported }) => {
      let answer;
      // The minute of the clock may end once.
      for (let n = 0; n < 125 && answer?.status !== 429; n++) answer = await ask("/me/checklists", { as: "eve" });
      assert.equal(codeOf(answer!), "429 rate_limited");
      const calls = reported.splice(0).length;
      assert.ok(calls === 60 || calls === 120, String(calls));
      assert.equal((await ask("/me/checklists")).status, 200);
    },
    { create: () => Promise.reject(new Error("no")) },
  );

  for (const thrown of [new Error("no"), undefined]) {
    test(
      `a create that throws ${thrown} is reported, and the visitor stays unknown`,
      async ({ ask, tracker, reported }) => {
        assert.equal(codeOf(await ask("/me/checklists", { as: "eve" })), "404 contact_not_found");
        assert.deepEqual(reported.splice(0), [thrown]);
        assert.equal(await tracker.contacts.count(), 2);
      },
      { create: () => Promise.reject(thrown) },
    );
  }

  test("the checklists have an ETag, and are answered 304 until something changes", async ({ ask, tracker }) => {
    const first = await ask("/me/checklists");
    const tag = first.headers.get("etag")!;
    assert.equal(first.headers.get("cache-control"), "private, no-cache");
    for (const known of [tag, `W/${tag}`, `"a", ${tag}`]) {
      const again = await ask("/me/checklists", { headers: { "if-none-match": known } });
      assert.deepEqual([again.status, again.body, again.headers.get("etag")], [304, {}, tag]);
    }
    await tracker.checklists.complete("ada", "start", "call");
    const changed = await ask("/me/checklists", { headers: { "if-none-match": tag } });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get("etag"), tag);
  });

  test("other methods are answered 405 with what is allowed, and HEAD as GET without a body", async ({ ask }) => {
    for (const [path, allowed] of [
      ["/me/checklists", "GET, HEAD"],
      ["/me/events", "POST"],
      ["/me/checklists/start/dismiss", "POST"],
    ] as const) {
      const answer = await ask(path, { method: "DELETE", headers: own });
      assert.deepEqual([codeOf(answer), answer.headers.get("allow")], ["405 method_not_allowed", allowed]);
    }
    const [get, head] = [await ask("/me/checklists"), await ask("/me/checklists", { method: "HEAD" })];
    assert.deepEqual([...head.headers], [...get.headers]);
    assert.deepEqual([head.status, head.body], [200, {}]);
  });

  test("no answer can be sniffed or kept, and unknown or badly encoded paths are refused", async ({ ask }) => {
    for (const path of ["/me/contacts", "/me/checklists/start", "/me/events/batch", "/api/v1/contacts"]) {
      const answer = await ask(path);
      assert.equal(codeOf(answer), "404 route_not_found", path);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    }
    assert.equal(codeOf(await ask("/me/checklists/%zz/dismiss")), "400 invalid_path");
  });

  test(
    "the module for pages is answered to anybody, with an ETag, and 304 until it changes",
    async ({ mounted }) => {
      for (const path of ["/me/whodid.js", "/whodid.js"]) {
        const send = (init: RequestInit = {}) => mounted.handle(new Request(`http://localhost${path}`, init));
        const answer = await send();
        const text = await answer.text();
        assert.deepEqual(
          [answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")],
          [200, "text/javascript; charset=utf-8", "no-cache"],
        );
        assert.equal(Buffer.byteLength(text), Number(answer.headers.get("content-length")));
        assert.match(text, /whodid-checklist/);
        assert.doesNotMatch(text, /innerHTML|style=|https?:/);
        const known = { "if-none-match": answer.headers.get("etag")! };
        const again = await send({ headers: known });
        assert.deepEqual([again.status, await again.text()], [304, ""]);
        assert.equal((await send({ method: "POST" })).status, 405);
      }
    },
    {
      identify: () => {
        throw new Error("not asked");
      },
    },
  );

  define("the module for pages has at most 6 kB gzipped, and can be imported by a server", async () => {
    const file = new URL("../../../server/visitors/app/index.js", import.meta.url);
    const size = gzipSync(readFileSync(file)).length;
    assert.ok(size <= 6_000, `${size} bytes`);
    assert.deepEqual(Object.keys((await import(file.href)) as object), ["createVisitor"]);
  });

  define("options that are none, and what is no tracker, are refused", () => {
    const tracker = createTracker({ storage: memoryStorage() });
    const usual = { basePath: "/me", identify: userOf };
    for (const basePath of [undefined, "me", "/me/", "/a?b", "/a\\b"]) {
      assert.throws(() => visitors(tracker, untyped({ ...usual, basePath })), RangeError, String(basePath));
    }
    for (const wrong of [{ identify: true }, { create: {} }, { events: "step" }, { checklists: {} }, { title: "x" }]) {
      assert.throws(() => visitors(tracker, untyped({ ...usual, ...wrong })), TypeError, JSON.stringify(wrong));
    }
    assert.throws(() => visitors(tracker, { ...usual, workspace: "a b" }), { code: "invalid_input" });
    assert.throws(() => visitors(untyped(tracker.workspace("acme")), usual), TypeError);
  });

  for (const isStripped of [true, false]) {
    for (const isParsed of [true, false]) {
      test(
        `Express is served ${isParsed ? "behind" : "before"} a parser, where it ${isStripped ? "removes" : "keeps"} the base path`,
        async ({ mounted, tracker }) => {
          const app = express();
          if (isParsed) app.use(express.json());
          if (isStripped) app.use("/me", toListener(mounted));
          else app.all(/^\/me/, toListener(mounted));
          await listening(createServer(app), async (port) => {
            const url = `http://127.0.0.1:${port}`;
            const headers = { "x-user": "ada", ...own, ...json };
            assert.equal((await fetch(`${url}/me/checklists`, { headers })).status, 200);
            const body = JSON.stringify({ items: [event()] });
            assert.equal((await fetch(`${url}/me/events`, { method: "POST", headers, body })).status, 200);
            const completion = { method: "POST", headers: { "x-user": "ada", ...own } };
            assert.equal((await fetch(`${url}/me/checklists/start/items/call/complete`, completion)).status, 200);
            assert.deepEqual((await tracker.checklists.progress("ada"))[0]!.progress, { completed: 2, total: 2 });
            assert.equal((await fetch(`${url}/me/checklists`)).status, 401);
          });
        },
        { identify: (request) => (request as { headers: Record<string, string> }).headers["x-user"] ?? null },
      );
    }
  }
});
