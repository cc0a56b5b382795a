import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertRefused, contactOf, eventOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** DELETE /contacts/:identifier. */
export function deletionCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "delete by externalId answers 200 and the receipt of what it removed",
    visit(async ({ post, delete: remove }) => {
      const { id } = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1" }));
      for (const eventKey of ["a", "b", "b"]) await post("/events", { externalId: "u_1", eventKey });
      const { status, body } = await remove("/contacts/u_1");
      assert.equal(status, 200);
      assert.deepEqual(body, { success: true, deleted: { contactId: id, events: 3 } });
    }),
  );

  for (const identifier of ["ada@example.com", "ADA@example.COM"]) {
    test(
      `delete takes ${identifier} for the email also of a contact with an externalId of its own`,
      visit(async ({ post, delete: remove }) => {
        const { id } = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1" }));
        const { body } = await remove(`/contacts/${identifier}`);
        assert.deepEqual(body, { success: true, deleted: { contactId: id, events: 0 } });
      }),
    );
  }

  test(
    "delete answers 404 for no contact, and for one deleted before",
    visit(async ({ post, delete: remove }) => {
      assertRefused(await remove("/contacts/u_1"), 404, "contact_not_found");
      await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      await remove("/contacts/u_1");
      assertRefused(await remove("/contacts/u_1"), 404, "contact_not_found");
    }),
  );

  test(
    "a deleted contact is not found by anything",
    visit(async ({ post, get, patch, delete: remove, tracker }) => {
      await post("/contacts", { email: "ada@example.com" });
      await remove("/contacts/ada@example.com");
      assertRefused(await get("/contacts/ada@example.com"), 404, "contact_not_found");
      assertRefused(await patch("/contacts/ada@example.com", {}), 404, "contact_not_found");
      for (const event of [
        { externalId: "ada@example.com", eventKey: "signed_up" },
        { email: "ada@example.com", event: "signed_up" },
      ]) {
        assertRefused(await post("/events", event), 404, "contact_not_found");
      }
      assert.deepEqual((await tracker.contacts.list()).items, []);
    }),
  );

  test(
    "the email and externalId of a deleted contact make a new, empty one",
    visit(async ({ post, delete: remove, tracker }) => {
      await tracker.attributes.define({ key: "seats", type: "number" });
      const named = { email: "ada@example.com", externalId: "u_1" };
      const first = contactOf(await post("/contacts", { ...named, name: "Ada", customAttributes: { seats: 1 } }));
      await post("/events", { externalId: "u_1", eventKey: "signed_up" });
      await remove("/contacts/u_1");
      const answer = await post("/contacts", named);
      assert.equal(answer.status, 201);
      const second = contactOf(answer);
      assert.notEqual(second.id, first.id);
      assert.deepEqual([second.name, second.customAttributes], [null, {}]);
      assert.deepEqual((await tracker.events.list("u_1")).items, []);
    }),
  );

  test(
    "the idempotency keys of a deleted contact's events are free",
    visit(async ({ post, delete: remove }) => {
      await post("/contacts", { email: "ada@example.com" });
      const event = { externalId: "ada@example.com", eventKey: "signed_up" };
      const first = await post("/events", event, { "Idempotency-Key": "k1" });
      await remove("/contacts/ada@example.com");
      await post("/contacts", { email: "ada@example.com" });
      const second = await post("/events", event, { "Idempotency-Key": "k1" });
      assert.equal(second.headers.get("Idempotent-Replayed"), null);
      assert.notEqual(eventOf(second).id, eventOf(first).id);
    }),
  );

  test(
    "an identifier that is one contact's externalId and another's email deletes neither",
    visit(async ({ post, delete: remove, tracker }) => {
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
    }),
  );

  test(
    "an identifier that is one contact's email and externalId both is not ambiguous",
    visit(async ({ post, delete: remove }) => {
      await post("/contacts", { email: "ada@example.com", externalId: "ada@example.com" });
      assert.equal((await remove("/contacts/ada@example.com")).status, 200);
    }),
  );

  test(
    "an identifier whose exact text is no externalId is not ambiguous",
    visit(async ({ post, delete: remove, get }) => {
      await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      await post("/contacts", { email: "bob@example.com", externalId: "ada@example.com" });
      assert.equal((await remove("/contacts/Ada@example.com")).status, 200);
      assertRefused(await get("/contacts/u_1"), 404, "contact_not_found");
    }),
  );
}
