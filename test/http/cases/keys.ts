import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertRefused, contactOf } from "../answers.ts";
import { clientOf, visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** Who is let in, and to what. */
export function keyCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("a request without a key answers 401 with a challenge", async ({ door }) => {
    const answer = await door.send({ method: "GET", path: "/api/v1/contacts/u_1" });
    assertRefused(answer, 401, "missing_api_key");
    assert.equal(answer.headers.get("WWW-Authenticate"), "Bearer");
  });

  for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
    test(`the scheme may be written ${scheme}`, async ({ door, key }) => {
      const headers = { Authorization: `${scheme} ${key}` };
      const answer = await door.send({ method: "GET", path: "/api/v1/contacts/u_1", headers });
      assertRefused(answer, 404, "contact_not_found");
    });
  }

  for (const [name, authorization] of [
    ["an unknown key", () => `Bearer sk_${"A".repeat(43)}`],
    ["a bare key", (key: string) => key],
    ["another scheme", (key: string) => `Basic ${key}`],
    ["a scheme without a key", () => "Bearer"],
    ["a scheme run into the key", (key: string) => `Bearer${key}`],
    ["a key in quotes", (key: string) => `Bearer "${key}"`],
    ["two keys", (key: string) => `Bearer ${key} ${key}`],
    ["two credentials in one header", (key: string) => `Bearer ${key}, Bearer ${key}`],
    ["a key cut short", (key: string) => `Bearer ${key.slice(0, -1)}`],
    ["a key with a character more", (key: string) => `Bearer ${key}A`],
    ["a key without its prefix", (key: string) => `Bearer ${key.slice(3)}`],
    ["a key in lower case", (key: string) => `Bearer ${key.toLowerCase()}`],
  ] as const) {
    test(`${name} answers 401 with a challenge`, async ({ door, key }) => {
      const headers = { Authorization: authorization(key) };
      const answer = await door.send({ method: "GET", path: "/api/v1/contacts/u_1", headers });
      assertRefused(answer, 401, "invalid_api_key");
      assert.equal(answer.headers.get("WWW-Authenticate"), "Bearer");
    });
  }

  test("a key opens the contacts of its workspace and of no other", async ({
    door,
    tracker,
    post,
    get,
    patch,
    delete: remove,
  }) => {
    const acme = clientOf(door, (await tracker.workspace("acme").apiKeys.create({ name: "acme" })).key);
    await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
    const theirs = contactOf(await acme.post("/contacts", { email: "ada@example.com", externalId: "u_2" }));
    assertRefused(await get("/contacts/u_2"), 404, "contact_not_found");
    assertRefused(await patch("/contacts/u_2", { name: "x" }), 404, "contact_not_found");
    assertRefused(await remove("/contacts/u_2"), 404, "contact_not_found");
    assertRefused(await post("/events", { externalId: "u_2", eventKey: "x" }), 404, "contact_not_found");
    assert.deepEqual((await tracker.workspace("acme").contacts.list()).items, [theirs]);
  });

  test("a request notes the minute of its key's use", async ({ tracker, get, setClock }) => {
    setClock("2026-11-20T10:07:59.999Z");
    await get("/contacts/u_1");
    const [apiKey] = await tracker.apiKeys.list();
    assert.equal(apiKey?.lastUsedAt, "2026-11-20T10:07:00.000Z");
  });

  const unlimited = visitsTo(define, open, { rateLimit: false });
  unlimited("a key is used also where there is no limit", async ({ tracker, get }) => {
    await get("/contacts/u_1");
    assert.equal((await tracker.apiKeys.list())[0]?.lastUsedAt, "2026-11-20T10:00:00.000Z");
  });
}
