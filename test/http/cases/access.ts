import assert from "node:assert/strict";
import { routes } from "../../../lib/http/routes/index.ts";
import type { Access } from "../../../lib/index.ts";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { clientOf, visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

const accesses: readonly Access[] = ["read", "write", "admin"];

/** What each access may do, on every route of the table. */
export function accessCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);
  const withKey = async (
    { door, tracker }: Client,
    options: { access?: Access; requestsPerMinute?: number; expiresAt?: string },
  ): Promise<Omit<Client, "setClock">> =>
    clientOf(door, (await tracker.apiKeys.create({ name: "second", ...options })).key);

  for (const { method, path, access: needed, input } of routes) {
    test(`${method} ${path} needs the access ${needed}`, async (client) => {
      for (const access of accesses) {
        const { send } = await withKey(client, { access });
        const body = input ? { body: "{}" } : {};
        const answer = await send({ method, path: `/api/v1${path.replaceAll(":", "")}`, ...body });
        if (accesses.indexOf(access) < accesses.indexOf(needed)) assertForbidden(answer, needed);
        else assert.notEqual(answer.status, 403);
      }
    });
  }

  test("403 comes after 405 and before 415", async (client) => {
    const { send } = await withKey(client, { access: "read" });
    assertRefused(await send({ method: "PATCH", path: "/api/v1/contacts" }), 405, "method_not_allowed");
    const headers = { "content-type": "text/plain" };
    assertForbidden(await send({ method: "POST", path: "/api/v1/contacts", headers, body: "x" }), "write");
  });

  test("429 comes before 403, and a refused request is counted", async (client) => {
    const { post } = await withKey(client, { access: "read", requestsPerMinute: 1 });
    assertForbidden(await post("/events", {}), "write");
    assertRefused(await post("/events", {}), 429, "rate_limited");
  });

  for (const rateLimit of [false, { requests: 7, perSeconds: 3_600 }] as const) {
    const limited = visitsTo(define, open, { rateLimit });
    limited(
      `a key's own limit holds in each minute where the common one is ${JSON.stringify(rateLimit)}`,
      async (client) => {
        const { get } = await withKey(client, { requestsPerMinute: 2 });
        client.setClock("2026-11-20T10:00:59.000Z");
        const told = ({ headers }: DoorAnswer): unknown[] =>
          ["Limit", "Remaining", "Reset"].map((name) => Number(headers.get(`X-RateLimit-${name}`)));
        const resetsAt = Date.parse("2026-11-20T10:01:00.000Z") / 1_000;
        assert.deepEqual(told(await get("/contacts")), [2, 1, resetsAt]);
        assert.deepEqual(told(await get("/contacts")), [2, 0, resetsAt]);
        const refused = await get("/contacts");
        assertRefused(refused, 429, "rate_limited");
        assert.equal(refused.headers.get("Retry-After"), "1");
        client.setClock("2026-11-20T10:01:00.000Z");
        assert.equal((await get("/contacts")).status, 200);
      },
    );
  }

  test("a key with an end creates no key that ends later or never", async (client) => {
    const { post } = await withKey(client, { access: "admin", expiresAt: "2026-11-20T11:00:00Z" });
    const create = (expiresAt?: string): Promise<DoorAnswer> => post("/api-keys", { name: "third", expiresAt });
    assert.equal((await create("2026-11-20T11:00:00Z")).status, 201);
    assertInvalid(await create("2026-11-20T11:00:00.001Z"), ["expiresAt: out_of_range"]);
    assertInvalid(await create(), ["expiresAt: required"]);
  });

  test("a key with a limit creates no key with a higher limit or without one", async (client) => {
    const { post } = await withKey(client, { access: "admin", requestsPerMinute: 10 });
    const create = (requestsPerMinute?: number): Promise<DoorAnswer> =>
      post("/api-keys", { name: "third", access: "admin", requestsPerMinute });
    assert.equal((await create(10)).status, 201);
    assertInvalid(await create(11), ["requestsPerMinute: out_of_range"]);
    assertInvalid(await create(), ["requestsPerMinute: required"]);
    const free = await withKey(client, { access: "admin" });
    assert.equal((await free.post("/api-keys", { name: "third" })).status, 201);
  });

  test("the last admin key that has not expired is revoked in process alone", async (client) => {
    const { tracker, setClock } = client;
    const { delete: remove } = await withKey(client, { access: "admin" });
    const end = "2026-11-20T11:00:00.000Z";
    await tracker.apiKeys.create({ name: "third", access: "admin", expiresAt: end });
    const [, second, third] = await tracker.apiKeys.list();
    setClock(end);
    assertRefused(await remove(`/api-keys/${second!.id}`), 409, "last_admin_key");
    assert.equal((await remove(`/api-keys/${third!.id}`)).status, 200);
    await tracker.apiKeys.revoke(second!.id);
    assertRefused(await remove(`/api-keys/${second!.id}`), 401, "invalid_api_key");
  });

  test("an expired key is none", async (client) => {
    const { get } = await withKey(client, { expiresAt: "2026-11-20T10:00:01Z" });
    assert.equal((await get("/contacts")).status, 200);
    client.setClock("2026-11-20T10:00:01.000Z");
    assertRefused(await get("/contacts"), 401, "invalid_api_key");
  });
}

function assertForbidden(answer: DoorAnswer, needed: Access): void {
  assertRefused(answer, 403, "forbidden");
  assert.match((answer.body as { error: { message: string } }).error.message, new RegExp(`"${needed}"`));
}
