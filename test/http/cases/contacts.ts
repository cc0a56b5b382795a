import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused, contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** GET, HEAD and PATCH /contacts/:externalId. */
export function contactCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("get answers 200 and the contact as it was answered when written", async ({ post, get }) => {
    const written = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1", name: "Ada" }));
    const { status, body } = await get("/contacts/u_1");
    assert.equal(status, 200);
    assert.deepEqual(body, { success: true, contact: written });
  });

  test("get answers 404 when there is no such contact", async ({ get }) =>
    assertRefused(await get("/contacts/u_1"), 404, "contact_not_found"));

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

  test("HEAD of no contact answers 404 without a body", async ({ send }) => {
    const { status, body } = await send({ method: "HEAD", path: "/api/v1/contacts/u_1" });
    assert.deepEqual([status, body], [404, null]);
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

  test("a patch of no contact answers 404 and creates none", async ({ patch, tracker }) => {
    assertRefused(await patch("/contacts/ada@example.com", { name: "Ada" }), 404, "contact_not_found");
    assert.deepEqual((await tracker.contacts.list()).items, []);
  });

  test("a refused patch changes nothing", async ({ post, patch, get }) => {
    const before = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1", name: "Ada" }));
    assertInvalid(await patch("/contacts/u_1", { name: "Grace", email: null, id: "x" }), [
      "email: not_allowed_null",
      "id: unknown_field",
    ]);
    assert.deepEqual(contactOf(await get("/contacts/u_1")), before);
  });
}
