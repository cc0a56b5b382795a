import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused, contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

export function pathCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const [path, what] of [
    ["/api/v1/contacts/u_1", "whole"],
    ["/contacts/u_1", "stripped by the mount"],
    ["/api/v1/contacts/u_1?expand=events&x=%zz", "followed by a query"],
  ] as const) {
    test(`a path ${what} is found`, async ({ post, send }) => {
      await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      assert.equal((await send({ method: "GET", path })).status, 200);
    });
  }

  for (const path of [
    "/api/v1",
    "/api/v1/",
    "/",
    "/api/v1/nowhere",
    "/api/v1/Contacts/u_1",
    "/api/v1/contactsu_1",
    "/api/v1/contacts/u_1/notes",
    "/api/v1/events/u_1",
    "/api/v1//contacts/u_1",
    "/api/v1x/contacts/u_1",
    "/api/v11/contacts/u_1",
    "/api/contacts/u_1",
    "/v1/contacts/u_1",
    "/api/v2/contacts/u_1",
    "/API/V1/contacts/u_1",
    "/api/v1/api/v1/contacts/u_1",
  ]) {
    test(`${path} is no route`, async ({ post, send }) => {
      await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      assertRefused(await send({ method: "GET", path }), 404, "route_not_found");
    });
  }

  const tracking = visitsTo(define, open, { basePath: "/tracking" });
  tracking("another base path takes the place of /api/v1", async ({ post, send }) => {
    // The client still says /api/v1, which is no base path here.
    assertRefused(await post("/contacts", { email: "ada@example.com" }), 404, "route_not_found");
    for (const path of ["/tracking/contacts/u_1", "/contacts/u_1"]) {
      assertRefused(await send({ method: "GET", path }), 404, "contact_not_found");
    }
    assertRefused(await send({ method: "GET", path: "/trackings/contacts/u_1" }), 404, "route_not_found");
  });

  const within = visitsTo(define, open, { basePath: "/con" });
  within("a base path is not taken off in the middle of a segment", async ({ send }) =>
    assertRefused(await send({ method: "GET", path: "/contacts/u_1" }), 404, "contact_not_found"),
  );

  for (const [externalId, segment] of [
    ["a b", "a%20b"],
    ["a/b", "a%2Fb"],
    ["a/b", "a%2fb"],
    ["/", "%2F"],
    ["a%2Fb", "a%252Fb"],
    ["100%", "100%25"],
    ["%zz", "%25zz"],
    ["a+b", "a+b"],
    ["a?b#c", "a%3Fb%23c"],
    ["é", "%C3%A9"],
    ["😀", "%f0%9f%98%80"],
    ["u_1", "%75%5F%31"],
    ["contacts", "contacts"],
    ["a;b=c,d@e:f!$&'()*", "a;b=c,d@e:f!$&'()*"],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
  ] as const) {
    test(`the externalId ${externalId} is found as ${segment}: decoded exactly once`, async ({
      post,
      get,
      patch,
      delete: remove,
    }) => {
      const { id } = contactOf(await post("/contacts", { email: "ada@example.com", externalId }));
      assert.equal(contactOf(await get(`/contacts/${segment}`)).externalId, externalId);
      assert.equal(contactOf(await patch(`/contacts/${segment}`, { name: "Ada" })).id, id);
      assert.equal((await remove(`/contacts/${segment}`)).status, 200);
    });
  }

  test("an encoded slash that was itself encoded is not taken for a slash", async ({ post, get }) => {
    await post("/contacts", { email: "ada@example.com", externalId: "a/b" });
    assertRefused(await get("/contacts/a%252Fb"), 404, "contact_not_found");
  });

  for (const segment of ["%", "%2", "%zz", "u_%", "%ff", "%C3", "%C3%28", "%ED%A0%80", "%F4%90%80%80", "%C0%AF"]) {
    test(`${segment} in a path is no valid encoding`, async ({ get, patch, delete: remove }) => {
      assertRefused(await get(`/contacts/${segment}`), 400, "invalid_path");
      assertRefused(await patch(`/contacts/${segment}`, {}), 400, "invalid_path");
      assertRefused(await remove(`/contacts/${segment}`), 400, "invalid_path");
    });
  }

  test("an encoded NUL is valid encoding, and no identifier", async ({ get, patch, delete: remove }) => {
    assertInvalid(await get("/contacts/a%00"), ["externalId: invalid_format"]);
    assertInvalid(await patch("/contacts/a%00", {}), ["externalId: invalid_format"]);
    assertInvalid(await remove("/contacts/a%00"), ["identifier: invalid_format"]);
  });
}
