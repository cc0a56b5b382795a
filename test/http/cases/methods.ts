import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertRefused } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

export function methodCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const [path, methods, allowed] of [
    ["/api/v1/contacts", ["PUT", "PATCH", "DELETE", "OPTIONS"], ["GET", "HEAD", "POST"]],
    ["/api/v1/contacts/u_1", ["POST", "OPTIONS"], ["DELETE", "GET", "HEAD", "PATCH", "PUT"]],
    ["/api/v1/events", ["PUT", "PATCH", "DELETE", "OPTIONS"], ["GET", "HEAD", "POST"]],
    ["/audiences/explain", ["PATCH"], ["DELETE", "POST", "PUT"]],
    ["/api/v1/attributes/seats", ["GET", "POST"], ["DELETE", "PUT"]],
    ["/api/v1/event-types/usage", ["POST"], ["DELETE", "GET", "HEAD", "PUT"]],
  ] as const) {
    for (const method of methods) {
      test(`${method} ${path} answers 405 and what is allowed: ${allowed.join(", ")}`, async ({ send }) => {
        const answer = await send({ method, path });
        assertRefused(answer, 405, "method_not_allowed");
        assert.deepEqual(answer.headers.get("Allow")?.split(", ").sort(), allowed);
      });
    }
  }

  test("HEAD of a route that only takes POST answers 405 without a body", async ({ send }) => {
    const { status, headers, body } = await send({ method: "HEAD", path: "/api/v1/events/batch" });
    assert.deepEqual([status, headers.get("Allow"), body], [405, "POST", null]);
  });

  test("HEAD of no route answers 404 without a body", async ({ send }) => {
    const { status, body } = await send({ method: "HEAD", path: "/api/v1/nowhere" });
    assert.deepEqual([status, body], [404, null]);
  });

  test("HEAD without a key answers 401 without a body", async ({ door }) => {
    const { status, headers, body } = await door.send({ method: "HEAD", path: "/api/v1/contacts/u_1" });
    assert.deepEqual([status, headers.get("WWW-Authenticate"), body], [401, "Bearer", null]);
  });

  test("only a 405 says what is allowed", async ({ get }) =>
    assert.equal((await get("/contacts/u_1")).headers.get("Allow"), null));

  test("delete needs neither a body nor a media type", async ({ post, send }) => {
    await post("/contacts", { email: "ada@example.com" });
    const answer = await send({ method: "DELETE", path: "/api/v1/contacts/ada@example.com" });
    assert.equal(answer.status, 200);
  });
}
