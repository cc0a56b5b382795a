import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as nodeRequest, type IncomingMessage, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import express from "express";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { toListener, type Listener } from "../../../adapters/node-http.ts";
import { createClient } from "../../../lib/client/index.ts";
import { createTracker, type Tracker } from "../../../lib/index.ts";
import { routes } from "../../../lib/http/routes/index.ts";
import { dashboard, type Dashboard, type DashboardOptions } from "../../../server/dashboard/index.ts";
import { listening } from "../../support/loopback.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const own = { "x-whodid-dashboard": "1" };
const json = { "content-type": "application/json" };
const ada = '{"email":"ada@example.com","externalId":"u/1"}';

function open(options: Partial<DashboardOptions> = {}): { tracker: Tracker; mounted: Dashboard } {
  const tracker = createTracker({ storage: memoryStorage() });
  return { tracker, mounted: dashboard(tracker, { basePath: "/whodid", authorize: () => true, ...options }) };
}

async function ask({ handle }: Dashboard, path: string, init: RequestInit = {}): Promise<Response> {
  return handle(new Request(`http://localhost${path}`, init));
}

async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}

/** Runs with the URL of a server. */
function serving(listener: RequestListener | Listener, run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => void listener(request, response));
  return listening(server, (port) => run(`http://127.0.0.1:${port}`));
}

suite("a dashboard", (test) => {
  test("answers its page, which names its files and where it is mounted, and the files", async () => {
    const { mounted } = open();
    for (const path of ["/whodid", "/whodid/", "/", "/whodid?x=1"]) {
      const page = await ask(mounted, path);
      assert.deepEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
      const html = await page.text();
      assert.match(html, /<html lang="en" data-base-path="\/whodid">/);
      const files = Array.from(html.matchAll(/(?:href|src)="([^"]+)"/g), ([, file]) => file!);
      assert.equal(files.length, 3);
      for (const file of files) {
        const answer = await ask(mounted, file);
        assert.equal(answer.status, 200);
        assert.match(
          answer.headers.get("content-type")!,
          /^(?:text\/javascript|text\/css|image\/svg\+xml); charset=utf-8$/,
        );
        assert.equal(Buffer.byteLength(await answer.text()), Number(answer.headers.get("content-length")));
        assert.equal(answer.headers.get("cache-control"), "private, max-age=31536000, immutable");
        const unversioned = await ask(mounted, file.replace(/\?.*/, ""));
        assert.deepEqual([unversioned.status, unversioned.headers.get("cache-control")], [200, "no-store"]);
      }
    }
  });

  test("has no inline script or style in its page, and no address of another origin", async () => {
    const html = await (await ask(open().mounted, "/whodid/")).text();
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:|"\/\//);
  });

  test("has a script and a style sheet of at most 85 kB gzipped together", async () => {
    const { mounted } = open();
    const html = await (await ask(mounted, "/whodid/")).text();
    const files = Array.from(html.matchAll(/"([^"]+\.(?:js|css)[^"]*)"/g), ([, file]) => file!);
    assert.equal(files.length, 2);
    let size = 0;
    for (const file of files) size += gzipSync(await (await ask(mounted, file)).text()).length;
    assert.ok(size <= 85_000, `${size} bytes`);
  });

  test("writes its base path into the page as text", async () => {
    const html = await (await ask(open({ basePath: '/a"><b>&x' }).mounted, "/")).text();
    assert.doesNotMatch(html, /<b>"|""|"><b>/);
    assert.match(html, /data-base-path="\/a&quot;><b>&amp;x"/);
  });

  test("answers its API with the access of an admin, without a key, and notes and counts the use of none", async () => {
    const { tracker, mounted } = open();
    const { key } = await tracker.apiKeys.create({ name: "backend", access: "read" });
    for (const headers of [
      { ...own, ...json },
      { ...own, ...json, authorization: `Bearer ${key}` },
    ]) {
      const written = await ask(mounted, "/whodid/api/contacts", { method: "POST", headers, body: ada });
      assert.ok(written.ok);
      const listed = await ask(mounted, "/whodid/api/api-keys", { headers });
      assert.equal(listed.status, 200);
      const owned = (await (await ask(mounted, "/whodid/api/key", { headers })).json()) as object;
      assert.deepEqual(owned, { success: true, workspace: "default", apiKey: null });
      assert.deepEqual(
        [...written.headers.keys(), ...listed.headers.keys()].filter((name) => name.startsWith("x-ratelimit")),
        [],
      );
    }
    const listed = await tracker.apiKeys.list();
    assert.deepEqual(
      listed.map(({ name, lastUsedAt }) => [name, lastUsedAt]),
      [["backend", null]],
    );
  });

  test("lets nobody into /api/v1 without a key", async () => {
    const { tracker, mounted } = open();
    const path = "http://localhost/api/v1/contacts";
    assert.equal((await tracker.handle(new Request(path, { headers: own }))).status, 401);
    assert.equal(await codeOf(await mounted.handle(new Request(path))), "404 route_not_found");
  });

  test("shows one workspace", async () => {
    const { tracker, mounted } = open({ workspace: "acme" });
    await tracker.workspace("acme").contacts.upsert({ email: "ada@acme.example" });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const { items } = (await (await ask(mounted, "/whodid/api/contacts")).json()) as { items: { email: string }[] };
    assert.deepEqual(
      items.map(({ email }) => email),
      ["ada@acme.example"],
    );
  });

  test("asks authorize for each request: the page, each file and the API", async () => {
    const asked: unknown[] = [];
    const { mounted } = open({ authorize: (request) => asked.push((request as Request).url) > 0 });
    const paths = ["/whodid", "/whodid/script.js", "/whodid/style.css", "/whodid/api/contacts", "/whodid/nowhere"];
    for (const path of paths) await ask(mounted, path);
    assert.deepEqual(
      asked,
      paths.map((path) => `http://localhost${path}`),
    );
  });

  for (const [what, authorize] of [
    ["false", () => false],
    ["undefined", () => undefined],
    ["1", () => 1],
    ['"true"', () => "true"],
    ["an object", () => ({})],
    ["a promise of 1", async () => 1],
    ["a rejected promise", () => Promise.reject(new Error("no"))],
    [
      "a throw",
      () => {
        throw new Error("no");
      },
    ],
  ] as [string, () => boolean][]) {
    test(`answers 403 to everything where authorize gives ${what}`, async () => {
      const { tracker, mounted } = open({ authorize });
      for (const path of ["/whodid", "/whodid/script.js", "/whodid/api/contacts", "/whodid/nowhere"]) {
        assert.equal(await codeOf(await ask(mounted, path)), "403 forbidden", path);
      }
      const write = { method: "POST", headers: { ...own, ...json }, body: ada };
      assert.equal((await ask(mounted, "/whodid/api/contacts", write)).status, 403);
      assert.deepEqual((await tracker.contacts.list()).items, []);
    });
  }

  test("lets in whom a promise of true says, and asks again each time", async () => {
    let isAdmin = true;
    const { mounted } = open({ authorize: async () => isAdmin });
    assert.equal((await ask(mounted, "/whodid/api/contacts")).status, 200);
    isAdmin = false;
    assert.equal((await ask(mounted, "/whodid/api/contacts")).status, 403);
  });

  test("refuses options that are none, and what is no tracker", () => {
    const tracker = createTracker({ storage: memoryStorage() });
    const usual = { basePath: "/whodid", authorize: () => true };
    for (const basePath of [undefined, null, 1, "whodid", "/whodid/", "/a//b", "/a?b", "/a#b", "/a\\b", "/%zz", "/ä"]) {
      assert.throws(() => dashboard(tracker, untyped({ ...usual, basePath })), RangeError, String(basePath));
    }
    for (const authorize of [undefined, true, null]) {
      assert.throws(() => dashboard(tracker, untyped({ ...usual, authorize })), TypeError);
    }
    assert.throws(() => dashboard(tracker, untyped({ ...usual, title: "x" })), /no option "title"/);
    assert.throws(() => dashboard(tracker, untyped(undefined)), TypeError);
    assert.throws(() => dashboard(tracker, { ...usual, workspace: "a b\n" }), { code: "invalid_input" });
    assert.throws(() => dashboard(untyped({}), usual), TypeError);
    assert.throws(() => dashboard(untyped(tracker.workspace("acme")), usual), TypeError);
  });

  test("answers 403 to a write of the API without a header of its own, whatever the method", async () => {
    const { tracker, mounted } = open();
    for (const method of ["POST", "PATCH", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await ask(mounted, "/whodid/api/contacts", { method, headers: json });
      assert.equal(await codeOf(answer), "403 forbidden", method);
    }
    assert.deepEqual((await tracker.contacts.list()).items, []);
    const written = await ask(mounted, "/whodid/api/contacts", {
      method: "POST",
      headers: { ...own, ...json },
      body: ada,
    });
    assert.equal(written.status, 201);
  });

  test("changes nothing by a GET or HEAD, header or none", async () => {
    const { tracker, mounted } = open();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "key" });
    const before = await tracker.contacts.export("key");
    for (const { path } of routes) {
      const target = `/whodid/api${path.replaceAll(/:\w+/g, "key")}`;
      for (const method of ["GET", "HEAD"]) await ask(mounted, target, { method, headers: own });
    }
    assert.deepEqual(await tracker.contacts.export("key"), before);
    assert.deepEqual(await tracker.apiKeys.list(), []);
  });

  test("gives each answer the headers that keep other origins out, refusals too", async () => {
    const { mounted } = open();
    const refusing = open({ authorize: () => false }).mounted;
    const answers = [
      await ask(mounted, "/whodid"),
      await ask(mounted, "/whodid/script.js"),
      await ask(mounted, "/whodid/nowhere"),
      await ask(mounted, "/whodid", { method: "POST" }),
      await ask(mounted, "/whodid/api/contacts"),
      await ask(mounted, "/whodid/api/contacts", { method: "HEAD" }),
      await ask(mounted, "/whodid/api/contacts/nobody"),
      await ask(mounted, "/whodid/api/contacts", { method: "DELETE", headers: own }),
      await ask(mounted, "/whodid/api/contacts", { method: "DELETE" }),
      await ask(refusing, "/whodid"),
    ];
    for (const { headers } of answers) {
      assert.match(headers.get("content-security-policy")!, /^default-src 'none';.* frame-ancestors 'none'/);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("referrer-policy"), "no-referrer");
      assert.equal(headers.get("cache-control"), "no-store");
    }
  });

  test("answers other methods of a page 405 with what is allowed, and HEAD as GET without a body", async () => {
    const { mounted } = open();
    for (const path of ["/whodid/", "/whodid/script.js"]) {
      const refused = await ask(mounted, path, { method: "POST" });
      assert.equal(refused.headers.get("allow"), "GET, HEAD");
      assert.equal(await codeOf(refused), "405 method_not_allowed");
      const [get, head] = [await ask(mounted, path), await ask(mounted, path, { method: "HEAD" })];
      assert.deepEqual([...head.headers], [...get.headers]);
      assert.deepEqual([head.status, await head.text()], [200, ""]);
    }
  });

  for (const path of ["/whodid/session", "/whodid/api", "/whodid/api/", "/whodid/apix", "/whodid/%61pi/contacts"]) {
    test(`answers ${path} 404`, async () => {
      assert.equal(await codeOf(await ask(open().mounted, path)), "404 route_not_found");
    });
  }

  test("takes externalIds with slashes, and refuses a path that is not validly encoded", async () => {
    const { tracker, mounted } = open();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u/1" });
    const found = await ask(mounted, "/whodid/api/contacts/u%2F1");
    assert.equal(found.status, 200);
    assert.equal(await codeOf(await ask(mounted, "/whodid/api/contacts/%ff")), "400 invalid_path");
  });

  for (const basePath of ["/contacts", "/api/v1", "/api", ""]) {
    test(`is not confused by the tracker's base path ${basePath}, or by its own`, async () => {
      const tracker = createTracker({ storage: memoryStorage(), basePath });
      await tracker.contacts.upsert({ email: "ada@example.com", externalId: "contacts" });
      for (const ofDashboard of ["/whodid", basePath]) {
        const mounted = dashboard(tracker, { basePath: ofDashboard, authorize: () => true });
        for (const prefix of [ofDashboard, ""]) {
          const page = await ask(mounted, `${prefix}/`);
          assert.match(page.headers.get("content-type")!, /^text\/html/);
          const listed = await ask(mounted, `${prefix}/api/contacts?limit=5`);
          assert.equal(((await listed.json()) as { items: unknown[] }).items.length, 1);
          assert.equal((await ask(mounted, `${prefix}/api/contacts/contacts`)).status, 200);
          assert.equal((await ask(mounted, `${prefix}/script.js`)).status, 200);
        }
      }
    });
  }

  test("never rejects, whatever handle is given", async () => {
    const throwing = (): never => {
      throw new Error("trapped");
    };
    const request = new Request("http://localhost/whodid/api/contacts");
    for (const given of [undefined, null, {}, "text", new Proxy(request, { get: throwing, has: throwing })]) {
      const asked: unknown[] = [];
      const { mounted } = open({ authorize: (received) => asked.push(received) < 0 });
      assert.equal((await mounted.handle(untyped(given))).status, 403);
      assert.equal(asked[0] ?? null, given ?? null);
      assert.ok(Number.isInteger((await open().mounted.handle(untyped(given))).status));
    }
  });

  test("answers hostile methods and headers over a socket", async () => {
    await serving(toListener(open().mounted), async (url) => {
      for (const [method, headers] of [
        ["PROPFIND", {}],
        ["M-SEARCH", own],
        ["TRACE", { "x-whodid-dashboard": "" }],
        ["DELETE", { "x-http-method-override": "GET" }],
        ["POST", { cookie: "a=b; __proto__=x", "content-type": "text/plain", ...own }],
      ] as const) {
        for (const path of ["/whodid", "/whodid/api/contacts", "/whodid/__proto__", "/whodid/constructor", "/*"]) {
          const sent = nodeRequest(url + path, { method, headers }).end();
          const [{ statusCode }] = (await once(sent, "response")) as [IncomingMessage];
          assert.ok([403, 404, 405, 415].includes(statusCode!), `${method} ${path} ${statusCode}`);
        }
      }
    });
  });

  for (const isStripped of [true, false]) {
    test(`hands Express's own request to authorize, and the host ${isStripped ? "removes" : "keeps"} the base path`, async () => {
      const { tracker, mounted } = open({
        authorize: (request) => (request as { user?: string; app?: unknown }).user === "admin",
      });
      const app = express();
      app.use(express.json(), (request, _response, next) => {
        Object.assign(request, { user: request.get("x-user") });
        next();
      });
      if (isStripped) app.use("/whodid", toListener(mounted));
      else app.all(/^\/whodid/, toListener(mounted));
      await serving(app, async (url) => {
        const admin = { "x-user": "admin" };
        assert.equal((await fetch(`${url}/whodid/`)).status, 403);
        assert.equal((await fetch(`${url}/whodid/api/contacts`)).status, 403);
        assert.match(await (await fetch(`${url}/whodid`, { headers: admin })).text(), /data-base-path="\/whodid"/);
        const write = { method: "POST", headers: { ...admin, ...own, ...json }, body: ada };
        assert.equal((await fetch(`${url}/whodid/api/contacts`, write)).status, 201);
        assert.equal((await fetch(`${url}/whodid/api/contacts/u%2F1`, { headers: admin })).status, 200);
        assert.equal((await tracker.contacts.list()).items.length, 1);
      });
    });
  }

  test("answers a client without a key", async () => {
    const { tracker, mounted } = open();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u/1" });
    await serving(toListener(mounted), async (url) => {
      const client = createClient({
        url: `${url}/whodid/api`,
        key: null,
        fetch: (target, init) => {
          const request = new Request(target, init);
          request.headers.set("x-whodid-dashboard", "1");
          return fetch(request);
        },
      });
      await client.attributes.define({ key: "seats", type: "number" });
      assert.deepEqual(await client.contacts.get("u/1"), await tracker.contacts.get("u/1"));
      assert.deepEqual(await client.attributes.list(), await tracker.attributes.list());
      await client.close();
    });
  });
});
