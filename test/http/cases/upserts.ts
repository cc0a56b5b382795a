import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { contactOf, uuidV7 } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** POST /contacts. */
export function upsertCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("the first post of an email answers 201 and every field of the contact, null where unset", async ({ post }) => {
    const { status, body } = await post("/contacts", { email: "ada@example.com" });
    const { id } = (body as { contact: { id: string } }).contact;
    assert.match(id, uuidV7);
    assert.equal(status, 201);
    assert.deepEqual(body, {
      success: true,
      contact: {
        id,
        email: "ada@example.com",
        externalId: "ada@example.com",
        name: null,
        phone: null,
        avatarUrl: null,
        role: null,
        plan: null,
        signedUpAt: null,
        customAttributes: {},
        createdAt: "2026-11-20T10:00:00.000Z",
        updatedAt: "2026-11-20T10:00:00.000Z",
      },
    });
  });

  test("a second post of the email, in another case, answers 200 and the same contact", async ({ post }) => {
    const first = await post("/contacts", { email: "ada@example.com", name: "Ada" });
    const second = await post("/contacts", { email: "Ada@EXAMPLE.com", name: "Ada Lovelace" });
    assert.equal(second.status, 200);
    assert.deepEqual(second.body, { success: true, contact: { ...contactOf(first), name: "Ada Lovelace" } });
  });
}
