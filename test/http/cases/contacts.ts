import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertConflict, assertRefused, contactOf, eventOf, uuidV7 } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** POST /contacts; GET, HEAD, PATCH and DELETE of one; and the contacts that a 409 names. */
export function contactCases(define: Test, open: OpenDoor): void {
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

  test("get answers 200 and the contact as it was answered when written", async ({ post, get }) => {
    const written = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1", name: "Ada" }));
    const { status, body } = await get("/contacts/u_1");
    assert.equal(status, 200);
    assert.deepEqual(body, { success: true, contact: written });
  });

  test("HEAD answers as GET does, without the body", async ({ post, get, send }) => {
    await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
    const byGet = await get("/contacts/u_1");
    const byHead = await send({ method: "HEAD", path: "/api/v1/contacts/u_1" });
    assert.equal(byHead.status, 200);
    assert.equal(byHead.body, null);
    for (const name of ["content-type", "content-length"]) {
      assert.equal(byHead.headers.get(name), byGet.headers.get(name));
    }
  });

  test("patch answers 200, changes what it sends and leaves the rest", async ({ post, patch, get, setClock }) => {
    const before = contactOf(
      await post("/contacts", { email: "ada@example.com", externalId: "u_1", name: "Ada", plan: "pro" }),
    );
    setClock("2026-11-20T10:00:00.001Z");
    const { status, body } = await patch("/contacts/u_1", { name: "Ada L.", plan: null });
    assert.equal(status, 200);
    const after = { ...before, name: "Ada L.", plan: null, updatedAt: "2026-11-20T10:00:00.001Z" };
    assert.deepEqual(body, { success: true, contact: after });
    assert.deepEqual(contactOf(await get("/contacts/u_1")), after);
  });

  test("delete by externalId answers 200 and a receipt, and then 404", async ({ post, delete: remove }) => {
    const { id } = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1" }));
    for (const eventKey of ["a", "b", "b"]) await post("/events", { externalId: "u_1", eventKey });
    const { status, body } = await remove("/contacts/u_1");
    assert.equal(status, 200);
    assert.deepEqual(body, { success: true, deleted: { contactId: id, events: 3 } });
    assertRefused(await remove("/contacts/u_1"), 404, "contact_not_found");
  });

  test("each route finds a contact without an externalId of its own by its email, in any case", async (client) => {
    const { id } = contactOf(await client.post("/contacts", { email: "Ada@example.com" }));
    assert.equal(contactOf(await client.get("/contacts/ADA@Example.com")).id, id);
    assert.equal(contactOf(await client.patch("/contacts/ADA@Example.com", { name: "Ada" })).id, id);
    const event = await client.post("/events", { externalId: "ADA@Example.com", eventKey: "signed_up" });
    assert.equal(eventOf(event).contactId, id);
    const { body } = await client.delete("/contacts/ADA@Example.com");
    assert.deepEqual(body, { success: true, deleted: { contactId: id, events: 1 } });
  });

  test("an identifier that is one's externalId and another's email deletes neither", async (client) => {
    const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
    const bob = await add(client, { email: "bob@example.com", externalId: "ada@example.com" });
    const answer = await client.delete("/contacts/ada@example.com");
    assertConflict(answer, "ambiguous_identifier", "identifier", [bob, ada]);
    assert.equal((await client.tracker.contacts.list()).items.length, 2);
  });

  test("a patch to another contact's email is a conflict that names both, and changes nothing", async (client) => {
    const ada = await add(client, { email: "ada@example.com", externalId: "u_1" });
    const bob = await add(client, { email: "bob@example.com", externalId: "u_2" });
    const answer = await client.patch("/contacts/u_2", { email: "ADA@example.com", name: "Bob" });
    assertConflict(answer, "email_taken", "email", [bob, ada]);
    assert.equal(contactOf(await client.get("/contacts/u_2")).name, null);
  });
}

interface Named {
  id: string;
  email: string;
  externalId: string;
}

async function add({ post }: Client, fields: object): Promise<Named> {
  const { id, email, externalId } = contactOf(await post("/contacts", fields));
  return { id, email, externalId };
}
