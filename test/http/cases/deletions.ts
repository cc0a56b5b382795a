import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertRefused, contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** DELETE /contacts/:identifier. */
export function deletionCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("delete by externalId answers 200 and a receipt, and then 404", async ({ post, delete: remove }) => {
    const { id } = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1" }));
    for (const eventKey of ["a", "b", "b"]) await post("/events", { externalId: "u_1", eventKey });
    const { status, body } = await remove("/contacts/u_1");
    assert.equal(status, 200);
    assert.deepEqual(body, { success: true, deleted: { contactId: id, events: 3 } });
    assertRefused(await remove("/contacts/u_1"), 404, "contact_not_found");
  });

  test("an identifier that is one's externalId and another's email deletes neither", async ({
    post,
    delete: remove,
    tracker,
  }) => {
    const ada = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1" }));
    const bob = contactOf(await post("/contacts", { email: "bob@example.com", externalId: "ada@example.com" }));
    const { status, body } = await remove("/contacts/ada@example.com");
    assert.equal(status, 409);
    const { message } = (body as { error: { message: string } }).error;
    const contacts = [
      { id: bob.id, email: "bob@example.com", externalId: "ada@example.com" },
      { id: ada.id, email: "ada@example.com", externalId: "u_1" },
    ];
    assert.deepEqual(body, {
      success: false,
      error: { code: "ambiguous_identifier", message, conflict: { field: "identifier", contacts } },
    });
    assert.deepEqual((await tracker.contacts.list()).items, [ada, bob]);
  });
}
