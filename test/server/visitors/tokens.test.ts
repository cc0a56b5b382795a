import assert from "node:assert/strict";
import { SignJWT } from "jose";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { visitors } from "../../../server/visitors/index.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { visitorCases } from "./cases.ts";
import { codeOf, event, openMemory, own, visitsTo, type Opened } from "./door.ts";
import { forgeries } from "./forgeries.ts";
import { authorizationOf, inSeconds, secretsOfTest, sign } from "./tokens.ts";

const [first, second] = secretsOfTest.default as [string, string];
const origin = "https://app.example";

/** Sends a request with a token alone. */
function askWith(
  ask: Opened["ask"],
  token: string,
  headers: object = {},
  path = "/me/checklists",
): ReturnType<Opened["ask"]> {
  return ask(path, { as: "", headers: { ...authorizationOf(token), ...headers } });
}

function sendEvent(ask: Opened["ask"], token: string): ReturnType<Opened["ask"]> {
  const headers = { ...authorizationOf(token), ...own };
  return ask("/me/events", { as: "", method: "POST", headers, body: { items: [event()] } });
}

suite("visitors with tokens", (define) => {
  const visit = visitsTo(openMemory, true);
  visitorCases(define, visit);
  const test = testsOn(define, visit);

  test("every forged token is answered 401, as no token is, and nothing is stored", async ({ ask, tracker }) => {
    const before = await tracker.contacts.export("ada");
    const refused = (await ask("/me/checklists", { as: "" })).body;
    const all = Object.entries(forgeries());
    assert.ok(all.length >= 60, String(all.length));
    for (const [what, token] of all) {
      const { status, headers, body } = await askWith(ask, token);
      assert.deepEqual([status, body, headers.get("www-authenticate")], [401, refused, "Bearer"], what);
      assert.equal(headers.get("x-whodid-visitor"), null, what);
      assert.equal((await sendEvent(ask, token)).status, 401, what);
    }
    for (const authorization of ["", "Bearer", `Basic ${sign()}`, sign(), `Bearer ${sign()}, Bearer ${sign()}`])
      assert.equal((await askWith(ask, "", { authorization })).status, 401, authorization);
    assert.equal((await ask(`/me/checklists?token=${sign()}`, { as: "" })).status, 401);
    assert.deepEqual(await tracker.contacts.export("ada"), before);
  });

  test("tokens of jose are right, with each secret of their workspace and at the ends of their time", async ({
    ask,
    tracker,
  }) => {
    await tracker.workspace("acme").contacts.upsert({ email: "ada@example.com", externalId: "ada" });
    for (const [secret, claims] of [
      [first, {}],
      [second, { nbf: inSeconds(50) }],
      [second, { exp: inSeconds(-30) }],
      [first, { exp: inSeconds(24 * 3_600 + 50), nbf: inSeconds(-9) }],
      [first, { exp: inSeconds(60) + 0.5, iat: 0, roles: [{ sub: "eve" }, "a:b", 'c":"d\\'] }],
      [secretsOfTest.acme[0]!, { workspace: "acme" }],
    ] as const) {
      const unsigned = new SignJWT({ sub: "ada", exp: inSeconds(60), ...claims }).setProtectedHeader({ alg: "HS256" });
      const token = await unsigned.sign(new TextEncoder().encode(secret));
      assert.equal((await askWith(ask, token)).status, 200, JSON.stringify(claims));
      assert.equal((await askWith(ask, "", { authorization: `bearer  ${token} ` })).status, 200);
    }
  });

  test(
    "a secret that was removed is refused, and the one that replaced it is not",
    async ({ ask }) => {
      assert.equal((await askWith(ask, sign({}, first))).status, 401);
      assert.equal((await askWith(ask, sign({}, second))).status, 200);
    },
    { secrets: { default: [second] } },
  );

  test("visitors of two workspaces have their own data, tags and limits, by their sub in any case of A to Z", async ({
    ask,
    tracker,
  }) => {
    const acme = tracker.workspace("acme");
    await acme.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
    const there = sign({ workspace: "acme" });
    const tagOf = async (token: string) => (await askWith(ask, token)).headers.get("x-whodid-visitor");
    assert.equal(await tagOf(sign({ sub: "ADA" })), await tagOf(sign()));
    assert.notEqual(await tagOf(there), await tagOf(sign()));
    let passed = 0;
    // The minute of the clock may end once.
    while (passed <= 120) {
      const sub = passed % 2 ? "ADA@example.com" : "ada@example.com";
      if ((await sendEvent(ask, sign({ sub }))).status === 429) break;
      passed++;
    }
    assert.ok(passed === 60 || passed === 120, String(passed));
    assert.equal((await sendEvent(ask, there)).status, 200);
    assert.deepEqual((await acme.events.list("ada")).items.length, 1);
  });

  test("120 reads a minute pass for a visitor, also those answered 304, and no other is limited", async ({ ask }) => {
    const tag = (await ask("/me/checklists")).headers.get("etag")!;
    let passed = 1;
    let answer = await ask("/me/checklists", { headers: { "if-none-match": tag } });
    // The minute of the clock may end once.
    for (; passed <= 240 && answer.status === 304; passed++)
      answer = await ask("/me/checklists", { headers: { "if-none-match": tag } });
    assert.equal(codeOf(answer), "429 rate_limited");
    assert.ok(passed === 120 || passed === 240, String(passed));
    assert.equal((await ask("/me/checklists", { as: "bob" })).status, 200);
    assert.equal((await sendEvent(ask, sign())).status, 200);
  });

  test(
    "a token creates the contact of an unknown visitor for 5 minutes, with an email, and changes none",
    async ({ ask, tracker, reported }) => {
      const eve = { sub: "eve", email: "eve@example.com", name: "Eve" };
      const statusOf = async (claims: Record<string, unknown>) => (await askWith(ask, sign(claims))).status;
      for (const wrong of [{ email: undefined }, { iat: undefined }, { iat: inSeconds(-370) }, { iat: inSeconds(600) }])
        assert.equal(await statusOf({ ...eve, ...wrong }), 404, JSON.stringify(wrong));
      assert.equal(await statusOf({ sub: "fay", email: "ada@example.com" }), 404);
      assert.equal(await statusOf({ sub: "gus", email: ["gus@example.com"] }), 404);
      const codes = reported.splice(0).map((error) => ((error as Error).cause as { code: string }).code);
      assert.deepEqual(codes, ["email_taken", "invalid_input"]);
      assert.equal(await tracker.contacts.count(), 2);
      assert.equal(await statusOf({ ...eve, iat: inSeconds(-330) }), 200);
      const created = await tracker.contacts.get("eve");
      assert.deepEqual([created?.externalId, created?.email, created?.name], ["eve", "eve@example.com", "Eve"]);
      assert.equal(await statusOf({ ...eve, email: "other@example.com", name: "Other" }), 200);
      assert.deepEqual(await tracker.contacts.get("eve"), created);
      assert.equal(await statusOf({ ...eve, workspace: "acme" }), 200);
      assert.equal((await tracker.workspace("acme").contacts.list()).items.length, 1);
      // The page of a deleted visitor is still open.
      await tracker.contacts.delete("eve");
      assert.equal(await statusOf({ ...eve, iat: inSeconds(-400) }), 404);
    },
    { create: () => ({ email: "eve@example.com" }) },
  );

  test("a token creates no contact by default", async ({ ask }) => {
    assert.equal((await askWith(ask, sign({ sub: "eve", email: "eve@example.com" }))).status, 404);
  });

  const vary = { vary: "Origin, Authorization" };
  const corsOf = ({ headers }: { headers: Headers }): Record<string, string> =>
    Object.fromEntries([...headers].filter(([name]) => /^(?:access-control|vary)/.test(name)));

  test(
    "pages of a listed origin may ask, and read every answer; of other origins none",
    async ({ ask }) => {
      const exposed = {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "ETag, Retry-After",
        ...vary,
      };
      const etag = (await ask("/me/checklists")).headers.get("etag")!;
      for (const [status, token, path, headers] of [
        [200, sign(), "/me/checklists", {}],
        [304, sign(), "/me/checklists", { "if-none-match": etag }],
        [401, "", "/me/checklists", {}],
        [404, sign(), "/me/nowhere", {}],
        [405, sign(), "/me/events", {}],
      ] as const) {
        const answer = await askWith(ask, token, { origin, ...headers }, path);
        assert.deepEqual([answer.status, corsOf(answer)], [status, exposed], path);
        // A phone sends none.
        for (const other of ["", `${origin}.evil`, "http://app.example", "https://APP.example", "null", "*"]) {
          const foreign = await askWith(ask, token, { ...(other && { origin: other }), ...headers }, path);
          assert.deepEqual([foreign.status, corsOf(foreign)], [status, vary], other);
        }
      }
      const askFirst = (headers: Record<string, string>) => ask("/me/events", { as: "", method: "OPTIONS", headers });
      const preflight = { "access-control-request-method": "POST" };
      const asked = await askFirst({ origin, ...preflight });
      const allowed = {
        "access-control-allow-headers": "authorization, content-type, if-none-match, x-whodid-visitor",
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-origin": origin,
        "access-control-max-age": "7200",
        ...vary,
      };
      assert.deepEqual([asked.status, corsOf(asked)], [204, allowed]);
      const foreign = await askFirst({ origin: "null", ...preflight });
      assert.deepEqual([foreign.status, corsOf(foreign)], [401, vary]);
      assert.equal((await askFirst({ origin })).status, 401);
      assert.equal((await askWith(ask, sign(), { origin, ...preflight })).status, 200);
    },
    { origins: [origin, "http://localhost:8080"] },
  );

  test("the module for pages is answered to every origin", async ({ mounted }) => {
    const script = await mounted.handle(new Request("http://localhost/me/whodid.js", { headers: { origin: "null" } }));
    assert.deepEqual([script.status, corsOf(script)], [200, { "access-control-allow-origin": "*" }]);
  });

  define("options that do not fit, weak secrets and origins that no browser sends are refused, without a value", () => {
    const tracker = createTracker({ storage: memoryStorage() });
    const refuses = (options: object, kind: ErrorConstructor): void =>
      assert.throws(
        () => visitors(tracker, untyped({ basePath: "/me", secrets: secretsOfTest, ...options })),
        (error) => error instanceof kind && !error.message.includes(first.slice(3)),
        JSON.stringify(options),
      );
    for (const options of [{ identify: () => "ada" }, { workspace: "acme" }, { create: () => ({}) }, { title: "x" }])
      refuses(options, TypeError);
    const lists = [
      [],
      first,
      [first, first, first],
      [first.slice(0, -1)],
      [`${first}A`],
      [`sk_${first.slice(3)}`],
      [[first]],
    ];
    for (const list of lists) refuses({ secrets: { default: list } }, RangeError);
    for (const secrets of [{}, [], "x", null, undefined, { "a b": [first] }]) refuses({ secrets }, RangeError);
    for (const other of [
      "*",
      "null",
      "",
      `${origin}/`,
      "https://APP.example",
      `${origin}:443`,
      "app.example",
      [origin],
    ])
      refuses({ origins: [other] }, RangeError);
    refuses({ origins: origin }, RangeError);
    const options = { basePath: "/me", identify: () => "ada", origins: [origin] };
    assert.throws(() => visitors(tracker, untyped(options)), TypeError);
  });
});
