import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** A body must be exactly one of the two shapes. */
export function eventShapeCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const [name, body, issues] of [
    ["no field", {}, ["externalId: required", "eventKey: required"]],
    ["an email only", { email: "ada@example.com" }, ["event: required"]],
    ["an event only", { event: "bought" }, ["email: required"]],
    ["externalId and event", { externalId: "u_1", event: "bought" }, ["eventKey: required", "event: unknown_field"]],
    [
      "email and eventKey",
      { email: "ada@example.com", eventKey: "bought" },
      ["externalId: required", "email: unknown_field"],
    ],
    [
      "both shapes at once",
      { externalId: "ada@example.com", eventKey: "bought", email: "ada@example.com", event: "bought" },
      ["email: unknown_field", "event: unknown_field"],
    ],
    [
      "the older shape and a field of neither",
      { email: "ada@example.com", event: "bought", at: "2026-11-20T10:00:00Z" },
      ["at: unknown_field"],
    ],
    [
      "the older shape and a timestamp",
      { email: "ada@example.com", event: "bought", timestamp: "2026-11-20T10:00:00Z" },
      ["timestamp: unknown_field"],
    ],
  ] as const) {
    test(`a body with ${name} is refused, and says by which fields`, async ({ post, tracker }) => {
      await post("/contacts", { email: "ada@example.com" });
      assertInvalid(await post("/events", body), [...issues]);
      assert.deepEqual((await tracker.events.list("ada@example.com")).items, []);
    });
  }

  for (const [createdAt, code] of [
    ["2026-11-20", "invalid_format"],
    ["2026-11-20T10:05:00.001Z", "out_of_range"],
    [null, "not_allowed_null"],
  ] as const) {
    test(`an event did not happen at ${JSON.stringify(createdAt)}, in either shape`, async ({ post, tracker }) => {
      await post("/contacts", { email: "a@b" });
      const newer = await post("/events", { externalId: "a@b", eventKey: "bought", createdAt });
      assertInvalid(newer, [`createdAt: ${code}`]);
      const older = await post("/events", { email: "a@b", event: "bought", createdAt });
      assertInvalid(older, [`createdAt: ${code}`]);
      assert.deepEqual((await tracker.events.list("a@b")).items, []);
    });
  }

  for (const [eventKey, code] of [
    ["", "too_short"],
    [" \t", "too_short"],
    ["a\nb", "invalid_format"],
    ["a\0", "invalid_format"],
    ["a\x7f", "invalid_format"],
    ["a\u0085b", "invalid_format"],
    [1, "wrong_type"],
    [null, "not_allowed_null"],
  ] as const) {
    test(`${JSON.stringify(eventKey)} is no event key, in either shape`, async ({ post }) => {
      assertInvalid(await post("/events", { externalId: "u_1", eventKey }), [`eventKey: ${code}`]);
      assertInvalid(await post("/events", { email: "ada@example.com", event: eventKey }), [`event: ${code}`]);
    });
  }

  test("an event without its contact is refused by the field that named it", async ({ post }) => {
    const messageOf = async (event: object): Promise<string> =>
      ((await post("/events", event)).body as { error: { message: string } }).error.message;
    assert.match(await messageOf({ externalId: "u_1", eventKey: "bought" }), /^No contact has this externalId\. /);
    assert.match(await messageOf({ email: "a@b", event: "bought" }), /^No contact has this email\. Create /);
  });
}
