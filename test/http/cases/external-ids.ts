import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused, contactOf, eventOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

export function externalIdCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  for (const identifier of ["ada@example.com", "ADA@Example.com"]) {
    test(
      `get, patch, events and delete find a contact without an externalId of its own by ${identifier}`,
      visit(async (client) => {
        const { id } = contactOf(await client.post("/contacts", { email: "Ada@example.com" }));
        assert.equal(contactOf(await client.get(`/contacts/${identifier}`)).id, id);
        assert.equal(contactOf(await client.patch(`/contacts/${identifier}`, { name: "Ada" })).id, id);
        const event = await client.post("/events", { externalId: identifier, eventKey: "signed_up" });
        assert.equal(eventOf(event).contactId, id);
        const { body } = await client.delete(`/contacts/${identifier}`);
        assert.deepEqual(body, { success: true, deleted: { contactId: id, events: 1 } });
      }),
    );
  }

  test(
    "get, patch and events do not find a contact with an externalId of its own by its email",
    visit(async ({ post, get, patch }) => {
      await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      assertRefused(await get("/contacts/ada@example.com"), 404, "contact_not_found");
      assertRefused(await patch("/contacts/ada@example.com", {}), 404, "contact_not_found");
      const event = await post("/events", { externalId: "ada@example.com", eventKey: "signed_up" });
      assertRefused(event, 404, "contact_not_found");
    }),
  );

  test(
    "the default externalId moves with the email",
    visit(async ({ post, patch, get }) => {
      await post("/contacts", { email: "ada@example.com" });
      const moved = contactOf(await patch("/contacts/ada@example.com", { email: "lovelace@example.com" }));
      assert.equal(moved.externalId, "lovelace@example.com");
      assert.equal(contactOf(await get("/contacts/lovelace@example.com")).id, moved.id);
      assertRefused(await get("/contacts/ada@example.com"), 404, "contact_not_found");
    }),
  );

  test(
    "an externalId that is given stays when the email moves",
    visit(async ({ post, patch }) => {
      await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      const moved = contactOf(await patch("/contacts/u_1", { email: "lovelace@example.com" }));
      assert.equal(moved.externalId, "u_1");
    }),
  );

  test(
    "giving the email itself as externalId fixes it",
    visit(async ({ post, patch, get }) => {
      await post("/contacts", { email: "ada@example.com" });
      await patch("/contacts/ada@example.com", { externalId: "ada@example.com" });
      const moved = contactOf(await patch("/contacts/ada@example.com", { email: "lovelace@example.com" }));
      assert.equal(moved.externalId, "ada@example.com");
      assertRefused(await get("/contacts/lovelace@example.com"), 404, "contact_not_found");
    }),
  );

  test(
    "an email given as externalId is matched byte for byte from then on",
    visit(async ({ post, get }) => {
      await post("/contacts", { email: "ada@example.com", externalId: "ada@example.com" });
      assertRefused(await get("/contacts/ADA@example.com"), 404, "contact_not_found");
    }),
  );

  test(
    "null returns to the email",
    visit(async ({ post, patch, get }) => {
      await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
      assert.equal(contactOf(await patch("/contacts/u_1", { externalId: null })).externalId, "ada@example.com");
      assert.equal((await get("/contacts/Ada@example.com")).status, 200);
      assertRefused(await get("/contacts/u_1"), 404, "contact_not_found");
    }),
  );

  test(
    "an exact externalId is found before a folded email",
    visit(async ({ post, get }) => {
      await post("/contacts", { email: "ada@example.com" });
      await post("/contacts", { email: "bob@example.com", externalId: "ADA@example.com" });
      assert.equal(contactOf(await get("/contacts/ADA@example.com")).email, "bob@example.com");
      assert.equal(contactOf(await get("/contacts/Ada@example.com")).email, "ada@example.com");
    }),
  );

  for (const [one, other] of [
    ["u_1", "U_1"],
    ["é", "e\u0301"],
    ["é", "e"],
    ["ß", "ss"],
    ["a", "a."],
    ["u_1", "u_1\u200b"],
    ["K", "\u212a"],
    ["1", "01"],
  ] as const) {
    test(
      `the externalIds ${JSON.stringify(one)} and ${JSON.stringify(other)} are two`,
      visit(async ({ post, get }) => {
        await post("/contacts", { email: "ada@example.com", externalId: one });
        const second = await post("/contacts", { email: "bob@example.com", externalId: other });
        assert.equal(second.status, 201);
        assert.equal(contactOf(await get(`/contacts/${encodeURIComponent(one)}`)).email, "ada@example.com");
        assert.equal(contactOf(await get(`/contacts/${encodeURIComponent(other)}`)).externalId, other);
      }),
    );
  }

  for (const [externalId, code] of [
    ["", "too_short"],
    [" \t", "too_short"],
    [" u_1", "invalid_format"],
    ["u_1\n", "invalid_format"],
    ["u_1\u00a0", "invalid_format"],
    ["u\u0000x", "invalid_format"],
  ] as const) {
    test(
      `the externalId ${JSON.stringify(externalId)} is refused, in a body and in a path`,
      visit(async ({ post, get, delete: remove }) => {
        assertInvalid(await post("/contacts", { email: "ada@example.com", externalId }), [`externalId: ${code}`]);
        const event = await post("/events", { externalId, eventKey: "signed_up" });
        assertInvalid(event, [`externalId: ${code}`]);
        if (externalId === "") return;
        assertInvalid(await get(`/contacts/${encodeURIComponent(externalId)}`), [`externalId: ${code}`]);
        assertInvalid(await remove(`/contacts/${encodeURIComponent(externalId)}`), [`identifier: ${code}`]);
      }),
    );
  }
}
