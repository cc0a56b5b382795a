import assert from "node:assert/strict";
import { SignJWT, type JWTPayload } from "jose";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { visitors, type TokenVisitorsOptions } from "../../../server/visitors/index.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite, testsOn } from "../../support/suite.ts";
import { visitorCases } from "./cases.ts";
import { event, json, openMemory, own, visitsTo } from "./door.ts";
import { forgeries } from "./forgeries.ts";
import { inSeconds, secretsOfTest, sign } from "./tokens.ts";

interface Door {
  tracker: ReturnType<typeof createTracker>;
  reported: unknown[];
  /** Sends a request with the token, and any body as a write. */
  ask(token: string, path?: string, init?: RequestInit): Promise<Response>;
}

async function withDoor(
  run: (door: Door) => Promise<void>,
  options: Partial<TokenVisitorsOptions> = {},
): Promise<void> {
  const reported: unknown[] = [];
  const tracker = createTracker({ storage: memoryStorage(), onError: (error) => void reported.push(error) });
  await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
  await tracker.workspace("acme").contacts.upsert({ email: "ada@acme.example", externalId: "ada" });
  const mounted = visitors(tracker, { basePath: "/visitors", secrets: secretsOfTest, events: ["step"], ...options });
  const ask: Door["ask"] = (token, path = "/checklists", { headers, ...init } = {}) => {
    const all = { ...(token !== "" && { authorization: `Bearer ${token}` }), ...(headers as Record<string, string>) };
    return mounted.handle(new Request(`http://localhost/visitors${path}`, { ...init, headers: all }));
  };
  await run({ tracker, reported, ask });
  assert.deepEqual(reported, []);
  await tracker.close();
}

const write = (eventKey = "step"): RequestInit => ({
  method: "POST",
  headers: { ...own, ...json },
  body: JSON.stringify({ items: [event({ eventKey })] }),
});

async function signedByJose(claims: JWTPayload, secret: string): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(secret));
}

suite("visitors with tokens", (define) => {
  const visit = visitsTo(openMemory, true);
  visitorCases(define, visit);
  const test = testsOn(define, withDoor);

  test("every forged token is answered 401, with the same body as no token, and nothing is stored", async ({
    ask,
    tracker,
  }) => {
    const before = await tracker.contacts.export("ada");
    const refused = await (await ask("")).text();
    const all = Object.entries(forgeries());
    assert.ok(all.length >= 60, String(all.length));
    for (const [what, token] of all) {
      const answer = await ask(token);
      assert.deepEqual([answer.status, await answer.text()], [401, refused], what);
      assert.equal(answer.headers.get("www-authenticate"), "Bearer");
      assert.equal(answer.headers.get("x-whodid-visitor"), null);
      assert.equal((await ask(token, "/events", write())).status, 401, what);
    }
    for (const authorization of ["", "Bearer", `Basic ${sign()}`, sign(), `Bearer ${sign()}, Bearer ${sign()}`])
      assert.equal((await ask("", "/checklists", { headers: { authorization } })).status, 401, authorization);
    assert.equal((await ask("", `/checklists?token=${sign()}`)).status, 401);
    assert.deepEqual(await tracker.contacts.export("ada"), before);
  });

  test("tokens of jose are right, with each secret of their workspace and at the ends of their time", async ({
    ask,
  }) => {
    const [first, second] = secretsOfTest.default as [string, string];
    for (const [secret, claims] of [
      [first, {}],
      [second, { nbf: inSeconds(50) }],
      [second, { exp: inSeconds(-50) }],
      [first, { exp: inSeconds(24 * 3_600 + 50), nbf: inSeconds(-9) }],
      [first, { exp: inSeconds(60) + 0.5, iat: 0, roles: [{ sub: "eve" }, "a:b", 'c":"d'], __proto: 1 }],
      [secretsOfTest.acme[0]!, { workspace: "acme" }],
    ] as const) {
      const token = await signedByJose({ sub: "ada", exp: inSeconds(60), ...claims }, secret);
      assert.equal((await ask(token)).status, 200, JSON.stringify(claims));
      assert.equal((await ask("", "/checklists", { headers: { authorization: `bearer  ${token} ` } })).status, 200);
    }
  });

  test(
    "a secret that was removed is refused, and the one that replaced it is not",
    async ({ ask }) => {
      assert.equal((await ask(sign())).status, 401);
      assert.equal((await ask(sign({}, secretsOfTest.default[1]))).status, 200);
    },
    { secrets: { default: [secretsOfTest.default[1]!] } },
  );

  test("two workspaces have their own visitors, limits and tags, of their sub in any case of A to Z", async ({
    ask,
    tracker,
  }) => {
    const [here, there] = [sign(), sign({ workspace: "acme" })];
    const tagOf = async (token: string) => (await ask(token)).headers.get("x-whodid-visitor");
    assert.notEqual(await tagOf(here), await tagOf(there));
    assert.equal(await tagOf(sign({ sub: "ADA" })), await tagOf(here));
    let statuses: number[] = [];
    // The minute of the clock may end once.
    for (let n = 0; n < 130 && !statuses.includes(429); n++) {
      const sub = n % 2 ? "ADA@example.com" : "ada@example.com";
      statuses = [...statuses, (await ask(sign({ sub }), "/events", write())).status];
    }
    const passed = statuses.filter((status) => status !== 429).length;
    assert.ok(passed === 60 || passed === 120, String(passed));
    assert.equal((await ask(there, "/events", write())).status, 200);
    assert.equal((await tracker.workspace("acme").events.list("ada")).items.length, 1);
  });

  test("120 reads a minute pass for a visitor, also those answered 304, and no other is limited", async ({ ask }) => {
    const headers = { "if-none-match": (await ask(sign())).headers.get("etag")! };
    let passed = 1;
    let answer;
    // The minute of the clock may end once.
    for (; passed <= 240; passed++) {
      answer = await ask(sign(), "/checklists", { headers });
      if (answer.status === 429) break;
      assert.equal(answer.status, 304);
    }
    assert.ok(passed === 120 || passed === 240, String(passed));
    assert.ok(Number(answer!.headers.get("retry-after")) >= 1);
    assert.equal((await ask(sign({ workspace: "acme" }))).status, 200);
    assert.equal((await ask(sign(), "/events", write())).status, 200);
  });

  test(
    "a token creates the contact of an unknown visitor for 5 minutes, with an email, and changes none",
    async ({ ask, tracker, reported }) => {
      const contact = { email: "eve@example.com", name: "Eve" };
      const statusOf = async (claims: Record<string, unknown>) => (await ask(sign({ sub: "eve", ...claims }))).status;
      for (const [what, claims] of Object.entries({
        "no email": { name: "Eve" },
        "no iat": { ...contact, iat: undefined },
        "an old iat": { ...contact, iat: inSeconds(-370) },
        "a coming iat": { ...contact, iat: inSeconds(90) },
        "an expired token": { ...contact, exp: inSeconds(-90) },
      }))
        assert.equal(await statusOf(claims), what === "an expired token" ? 401 : 404, what);
      assert.equal(await statusOf({ sub: "fay", email: "ada@example.com" }), 404);
      assert.equal(await statusOf({ sub: "gus", email: ["gus@example.com"] }), 404);
      assert.deepEqual(
        reported.splice(0).map((error) => ((error as Error).cause as { code: string }).code),
        ["email_taken", "invalid_input"],
      );
      assert.equal(await tracker.contacts.count(), 1);
      assert.equal(await statusOf({ ...contact, iat: inSeconds(-350) }), 200);
      const eve = await tracker.contacts.get("eve");
      assert.deepEqual([eve?.externalId, eve?.email, eve?.name], ["eve", "eve@example.com", "Eve"]);
      assert.equal(await statusOf({ email: "other@example.com", name: "Other" }), 200);
      assert.deepEqual(await tracker.contacts.get("eve"), eve);
      await tracker.contacts.delete("eve");
      // The page of a deleted visitor is still open.
      assert.equal(await statusOf({ ...contact, iat: inSeconds(-400) }), 404);
    },
    { create: true },
  );

  test("a token creates no contact by default", async ({ ask }) => {
    assert.equal((await ask(sign({ sub: "eve", email: "eve@example.com" }))).status, 404);
  });

  const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
  const cors = (answer: Response): Record<string, string> =>
    Object.fromEntries([...answer.headers].filter(([name]) => /^(?:access-control|vary)/.test(name)));

  test(
    "pages of a listed origin may ask, and read every answer; of other origins none",
    async ({ ask }) => {
      const vary = "Origin, Authorization";
      const origin = "https://app.example";
      const exposed = {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "ETag, Retry-After",
        vary,
      };
      for (const [token, path, status] of [
        [sign(), "/checklists", 200],
        ["", "/checklists", 401],
        [sign(), "/nowhere", 404],
        [sign({ sub: "eve" }), "/checklists", 404],
        [sign(), "/events", 405],
      ] as const) {
        const answer = await ask(token, path, { headers: { origin } });
        assert.deepEqual([answer.status, cors(answer)], [status, exposed], path);
        for (const other of [
          "https://app.example.evil",
          "http://app.example",
          "https://APP.example",
          "null",
          "*",
          "",
        ]) {
          const foreign = await ask(token, path, { headers: { origin: other } });
          assert.deepEqual([foreign.status, cors(foreign)], [status, { vary }], other);
        }
        // A phone sends no origin.
        const alone = await ask(token, path);
        assert.deepEqual([alone.status, cors(alone)], [status, { vary }]);
      }
      // No page can send this header before a preflight.
      const { status } = await ask(sign(), "/events", { ...write(), headers: { ...json, origin } });
      assert.equal(status, 403);
      const tag = (await ask(sign())).headers.get("etag")!;
      const again = await ask(sign(), "/checklists", { headers: { origin, "if-none-match": tag } });
      assert.deepEqual([again.status, cors(again)], [304, exposed]);
      const asked = await ask("", "/events", { method: "OPTIONS", headers: { origin, ...preflight } });
      assert.deepEqual(
        [asked.status, cors(asked)],
        [
          204,
          {
            "access-control-allow-headers": "authorization, content-type, if-none-match, x-whodid-visitor",
            "access-control-allow-methods": "GET, POST",
            "access-control-allow-origin": origin,
            "access-control-max-age": "7200",
            vary,
          },
        ],
      );
      const foreign = await ask("", "/events", { method: "OPTIONS", headers: { origin: "null", ...preflight } });
      assert.deepEqual([foreign.status, cors(foreign)], [401, { vary }]);
      assert.equal((await ask("", "/events", { method: "OPTIONS", headers: { origin } })).status, 401);
    },
    { origins: ["https://app.example", "http://localhost:8080"] },
  );

  test("the module for pages is answered to every origin", async ({ ask }) => {
    const script = await ask("", "/whodid.js", { headers: { origin: "null" } });
    assert.deepEqual([script.status, cors(script)], [200, { "access-control-allow-origin": "*" }]);
  });

  define("options that do not fit, weak secrets and origins that no browser sends are refused, without a value", () => {
    const tracker = createTracker({ storage: memoryStorage() });
    const [secret] = secretsOfTest.default as [string];
    const usual = { basePath: "/visitors", secrets: secretsOfTest };
    const refuses = (options: object, kind: ErrorConstructor): void =>
      assert.throws(
        () => visitors(tracker, untyped({ ...usual, ...options })),
        (error) => error instanceof kind && !error.message.includes(secret.slice(3)),
        JSON.stringify(options),
      );
    for (const options of [
      { identify: () => "ada" },
      { workspace: "acme" },
      { create: () => ({}) },
      { origins: "https://a.example" },
      { secrets: undefined, origins: ["https://a.example"], identify: () => "ada" },
    ])
      refuses(options, TypeError);
    for (const secrets of [
      {},
      [],
      "x",
      null,
      { default: [] },
      { default: secret },
      { default: [secret, secret, secret] },
      { default: [secret.slice(0, -1)] },
      { default: [`${secret}A`] },
      { default: [secret.replace("vs_", "sk_")] },
      { "a b": [secret] },
    ])
      refuses({ secrets }, RangeError);
    for (const origin of [
      "*",
      "null",
      "",
      "https://a.example/",
      "https://A.example",
      "https://a.example:443",
      "a.example",
    ])
      refuses({ origins: [origin] }, RangeError);
  });
});
