import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertRefused } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

const threeAMinute = { rateLimit: { requests: 3, perSeconds: 60 } };

export function rateLimitCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);
  const limited = visitsTo(define, open, threeAMinute);

  test("by default a key has 100 requests a minute, and each response says what is left", async ({ get, setClock }) => {
    setClock("2026-11-20T10:00:30.500Z");
    // 1795168860 is 2026-11-20T10:01:00Z.
    assert.deepEqual(limitOf(await get("/contacts/u_1")), ["100", "99", "1795168860"]);
    for (let n = 2; n < 100; n++) await get("/contacts/u_1");
    assert.deepEqual(limitOf(await get("/contacts/u_1")), ["100", "0", "1795168860"]);
    const refused = await get("/contacts/u_1");
    assertRefused(refused, 429, "rate_limited");
    assert.deepEqual(limitOf(refused), ["100", "0", "1795168860"]);
  });

  limited("a refused key is told how long to wait, and then let through", async (client) => {
    client.setClock("2026-11-20T10:00:30.500Z");
    await exhaust(client);
    assert.equal((await client.get("/contacts/u_1")).headers.get("Retry-After"), "30");
    client.setClock("2026-11-20T10:01:00.500Z");
    assertRefused(await client.get("/contacts/u_1"), 404, "contact_not_found");
  });

  limited(
    "a key used up while the clock was ahead is told the next window's end, and then let through",
    async (client) => {
      client.setClock("2026-11-20T10:01:00.000Z");
      assert.equal((await client.get("/contacts/u_1")).status, 404);
      client.setClock("2026-11-20T10:00:30.000Z");
      assert.deepEqual(limitOf(await client.get("/contacts/u_1")), ["3", "1", "1795168920"]);
      await client.get("/contacts/u_1");
      for (const [time, seconds] of [
        ["2026-11-20T10:00:30.500Z", "90"],
        ["2026-11-20T10:01:30.000Z", "30"],
      ] as const) {
        client.setClock(time);
        const refused = await client.get("/contacts/u_1");
        assertRefused(refused, 429, "rate_limited");
        assert.deepEqual([...limitOf(refused), refused.headers.get("Retry-After")], ["3", "0", "1795168920", seconds]);
      }
      client.setClock("2026-11-20T10:02:00.000Z");
      assert.deepEqual(limitOf(await client.get("/contacts/u_1")), ["3", "2", "1795168980"]);
    },
  );

  test("only a 429 says when to try again", async ({ get }) =>
    assert.equal((await get("/contacts/u_1")).headers.get("Retry-After"), null));

  for (const [name, call, status] of [
    ["success", { method: "POST", path: "/api/v1/contacts", body: '{"email":"ada@example.com"}' }, 201],
    ["400 of a body", { method: "POST", path: "/api/v1/contacts", body: "{" }, 400],
    ["400 of a path", { method: "GET", path: "/api/v1/contacts/%zz" }, 400],
    ["404 of a contact", { method: "GET", path: "/api/v1/contacts/u_1" }, 404],
    ["404 of a route", { method: "GET", path: "/api/v1/nowhere" }, 404],
    ["405", { method: "PUT", path: "/api/v1/contacts" }, 405],
    ["413", { method: "POST", path: "/api/v1/contacts", body: " ".repeat(65_537) }, 413],
    ["415", { method: "POST", path: "/api/v1/contacts", headers: { "content-type": "text/plain" }, body: "{}" }, 415],
    ["HEAD", { method: "HEAD", path: "/api/v1/contacts/u_1" }, 404],
  ] as const) {
    limited(`a ${name} counts once and states the limit`, async ({ send, get }) => {
      const answer = await send(call);
      assert.equal(answer.status, status);
      assert.deepEqual(limitOf(answer), ["3", "2", "1795168860"]);
      assert.deepEqual(limitOf(await get("/contacts/u_1")), ["3", "1", "1795168860"]);
    });
  }

  limited("a 401 states the limit in full and counts nothing", async ({ door, get }) => {
    for (const headers of [{}, { Authorization: `Bearer sk_${"A".repeat(43)}` }]) {
      const answer = await door.send({ method: "GET", path: "/api/v1/contacts/u_1", headers });
      assert.deepEqual([answer.status, ...limitOf(answer)], [401, "3", "3", "1795168860"]);
    }
    assert.deepEqual(limitOf(await get("/contacts/u_1")), ["3", "2", "1795168860"]);
  });

  const unlimited = visitsTo(define, open, { rateLimit: false });
  unlimited("without a limit no response speaks of one, and none is refused", async ({ door, get }) => {
    for (let n = 0; n < 150; n++) assert.equal((await get("/contacts/u_1")).status, 404);
    const unknown = await door.send({ method: "GET", path: "/api/v1/contacts/u_1" });
    for (const answer of [await get("/contacts/u_1"), unknown]) {
      assert.deepEqual(limitOf(answer), [null, null, null]);
    }
  });
}

function limitOf({ headers }: DoorAnswer): (string | null)[] {
  return ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map((name) => headers.get(name));
}

async function exhaust({ get }: Client): Promise<void> {
  for (let n = 0; n < 3; n++) assert.equal((await get("/contacts/u_1")).status, 404);
}
