import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf, eventOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

export function externalIdCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("each route finds a contact without an externalId of its own by its email, in any case", async (client) => {
    const { id } = contactOf(await client.post("/contacts", { email: "Ada@example.com" }));
    assert.equal(contactOf(await client.get("/contacts/ADA@Example.com")).id, id);
    assert.equal(contactOf(await client.patch("/contacts/ADA@Example.com", { name: "Ada" })).id, id);
    const event = await client.post("/events", { externalId: "ADA@Example.com", eventKey: "signed_up" });
    assert.equal(eventOf(event).contactId, id);
    const { body } = await client.delete("/contacts/ADA@Example.com");
    assert.deepEqual(body, { success: true, deleted: { contactId: id, events: 1 } });
  });

  test("an externalId that can be none is refused, in a body and in a path", async ({ post, get, delete: remove }) => {
    assertInvalid(await post("/contacts", { email: "ada@example.com", externalId: " u" }), [
      "externalId: invalid_format",
    ]);
    assertInvalid(await post("/events", { externalId: " u", eventKey: "signed_up" }), ["externalId: invalid_format"]);
    assertInvalid(await get("/contacts/%20u"), ["externalId: invalid_format"]);
    assertInvalid(await remove("/contacts/%20u"), ["identifier: invalid_format"]);
  });
}
