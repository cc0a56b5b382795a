import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { clientOf, visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

const text = { "content-type": "text/plain" };
const tooLarge = "x".repeat(65_537);
const another = { method: "POST", path: "/api/v1/contacts", headers: text, body: "{}" };

/** Two things are wrong with each request: which of them is answered. */
export function orderCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);
  const limited = visitsTo(define, open, { rateLimit: { requests: 1, perSeconds: 60 } });

  limited("401 comes before 429: a revoked key whose limit is used up", async ({ door, tracker }) => {
    const { key, apiKey } = await tracker.apiKeys.create({ name: "second" });
    const client = clientOf(door, key);
    await client.get("/contacts/u_1");
    assertRefused(await client.get("/contacts/u_1"), 429, "rate_limited");
    await tracker.apiKeys.revoke(apiKey.id);
    assertRefused(await client.get("/contacts/u_1"), 401, "invalid_api_key");
  });

  for (const [name, call] of [
    ["an invalid path", { method: "GET", path: "/api/v1/contacts/%zz" }],
    ["no route", { method: "GET", path: "/api/v1/nowhere" }],
    ["a method that is not taken", { method: "PUT", path: "/api/v1/contacts" }],
    ["another media type", another],
    ["too large a body", { method: "POST", path: "/api/v1/contacts", body: tooLarge }],
    ["a broken body", { method: "POST", path: "/api/v1/contacts", body: "{" }],
  ] as const) {
    test(`401 comes before ${name}`, async ({ door }) => assertRefused(await door.send(call), 401, "missing_api_key"));

    limited(`429 comes before ${name}`, async ({ send, get }) => {
      await get("/contacts/u_1");
      assertRefused(await send(call), 429, "rate_limited");
    });
  }

  for (const [what, call, status, code] of [
    ["an invalid path comes before no such route", { method: "GET", path: "/api/v1/nowhere/%zz" }, 400, "invalid_path"],
    ["an invalid path comes before 405", { method: "PUT", path: "/api/v1/contacts/%zz" }, 400, "invalid_path"],
    [
      "no such route comes before the method and the body",
      { method: "PUT", path: "/api/v1/nowhere", headers: text, body: "{" },
      404,
      "route_not_found",
    ],
    ["405 comes before 415", { ...another, method: "PUT" }, 405, "method_not_allowed"],
    ["415 comes before 413", { ...another, body: tooLarge }, 415, "unsupported_media_type"],
    ["413 comes before 400", { method: "POST", path: "/api/v1/contacts", body: tooLarge }, 413, "body_too_large"],
    [
      "415 comes before an identifier that cannot be one",
      { ...another, method: "PATCH", path: "/api/v1/contacts/%20" },
      415,
      "unsupported_media_type",
    ],
  ] as const) {
    test(what, async ({ send }) => assertRefused(await send(call), status, code));
  }

  test("400 comes before 404", async ({ post, patch }) => {
    assertInvalid(await patch("/contacts/u_1", { name: 1 }), ["name: wrong_type"]);
    assertInvalid(await patch("/contacts/u_1", { customAttributes: { seats: 1 } }), [
      "customAttributes.seats: attribute_not_defined",
    ]);
    assertInvalid(await post("/events", { externalId: "u_1", eventKey: "" }), ["eventKey: too_short"]);
    const header = { "Idempotency-Key": "" };
    const answer = await post("/events", { externalId: "u_1", eventKey: "bought" }, header);
    assertRefused(answer, 400, "invalid_header");
  });
}
