import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { clientOf, visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

const text = { "content-type": "text/plain" };
const tooLarge = "x".repeat(65_537);

/** Two things are wrong with each request: which of them is answered. */
export function orderCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "401 comes before 429: a revoked key whose limit is used up",
    visit(
      async ({ door, tracker }) => {
        const { key, apiKey } = await tracker.apiKeys.create({ name: "second" });
        const client = clientOf(door, key);
        await client.get("/contacts/u_1");
        assertRefused(await client.get("/contacts/u_1"), 429, "rate_limited");
        await tracker.apiKeys.revoke(apiKey.id);
        assertRefused(await client.get("/contacts/u_1"), 401, "invalid_api_key");
      },
      { rateLimit: { requests: 1, perSeconds: 60 } },
    ),
  );

  for (const [name, call] of [
    ["an invalid path", { method: "GET", path: "/api/v1/contacts/%zz" }],
    ["no route", { method: "GET", path: "/api/v1/nowhere" }],
    ["a method that is not taken", { method: "PUT", path: "/api/v1/contacts" }],
    ["another media type", { method: "POST", path: "/api/v1/contacts", headers: text, body: "{}" }],
    ["too large a body", { method: "POST", path: "/api/v1/contacts", body: tooLarge }],
    ["a broken body", { method: "POST", path: "/api/v1/contacts", body: "{" }],
  ] as const) {
    test(
      `401 comes before ${name}`,
      visit(async ({ door }) => assertRefused(await door.send(call), 401, "missing_api_key")),
    );

    test(
      `429 comes before ${name}`,
      visit(
        async ({ send, get }) => {
          await get("/contacts/u_1");
          assertRefused(await send(call), 429, "rate_limited");
        },
        { rateLimit: { requests: 1, perSeconds: 60 } },
      ),
    );
  }

  test(
    "an invalid path comes before no such route",
    visit(async ({ get }) => assertRefused(await get("/nowhere/%zz"), 400, "invalid_path")),
  );

  test(
    "an invalid path comes before a method that is not taken",
    visit(async ({ send }) =>
      assertRefused(await send({ method: "PUT", path: "/api/v1/contacts/%zz" }), 400, "invalid_path"),
    ),
  );

  test(
    "no such route comes before the method and the body",
    visit(async ({ send }) => {
      const call = { method: "PUT", path: "/api/v1/nowhere", headers: text, body: "{" };
      assertRefused(await send(call), 404, "route_not_found");
    }),
  );

  test(
    "405 comes before 415",
    visit(async ({ send }) => {
      const call = { method: "PUT", path: "/api/v1/contacts", headers: text, body: "{" };
      assertRefused(await send(call), 405, "method_not_allowed");
    }),
  );

  test(
    "415 comes before 413",
    visit(async ({ send }) => {
      const call = { method: "POST", path: "/api/v1/contacts", headers: text, body: tooLarge };
      assertRefused(await send(call), 415, "unsupported_media_type");
    }),
  );

  test(
    "413 comes before 400",
    visit(async ({ send }) => {
      const call = { method: "POST", path: "/api/v1/contacts", body: tooLarge };
      assertRefused(await send(call), 413, "body_too_large");
    }),
  );

  test(
    "415 comes before an identifier that cannot be one",
    visit(async ({ send }) => {
      const call = { method: "PATCH", path: "/api/v1/contacts/%20", headers: text, body: "{}" };
      assertRefused(await send(call), 415, "unsupported_media_type");
    }),
  );

  test(
    "400 comes before 404",
    visit(async ({ post, patch }) => {
      assertInvalid(await patch("/contacts/u_1", { name: 1 }), ["name: wrong_type"]);
      assertInvalid(await patch("/contacts/u_1", { customAttributes: { seats: 1 } }), [
        "customAttributes.seats: attribute_not_defined",
      ]);
      assertInvalid(await post("/events", { externalId: "u_1", eventKey: "" }), ["eventKey: too_short"]);
      const header = { "Idempotency-Key": "" };
      const answer = await post("/events", { externalId: "u_1", eventKey: "bought" }, header);
      assertRefused(answer, 400, "invalid_header");
    }),
  );
}
