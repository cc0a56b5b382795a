import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf, uuidV7 } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** POST /contacts. */
export function upsertCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "the first post of an email answers 201 and every field of the contact, null where unset",
    visit(async ({ post }) => {
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
    }),
  );

  test(
    "every field that is sent is answered",
    visit(async ({ post, tracker }) => {
      await tracker.attributes.define({ key: "seats", type: "number" });
      const fields = {
        email: "ada@example.com",
        externalId: "u_1",
        name: "Ada",
        phone: "+44 20 7946 0000",
        avatarUrl: "https://example.com/ada.png",
        role: "admin",
        plan: "pro",
        signedUpAt: "2026-01-31T09:00:00.000Z",
        customAttributes: { seats: 12 },
      };
      const contact = contactOf(await post("/contacts", fields));
      assert.deepEqual({ ...contact, ...fields }, contact);
    }),
  );

  test(
    "a second post of the email answers 200 and the same contact",
    visit(async ({ post }) => {
      const first = await post("/contacts", { email: "ada@example.com", name: "Ada" });
      const second = await post("/contacts", { email: "ada@example.com", name: "Ada Lovelace" });
      assert.equal(second.status, 200);
      assert.deepEqual(second.body, { success: true, contact: { ...contactOf(first), name: "Ada Lovelace" } });
    }),
  );

  test(
    "null clears an optional field",
    visit(async ({ post }) => {
      await post("/contacts", {
        email: "ada@example.com",
        name: "Ada",
        phone: "1",
        avatarUrl: "https://example.com/",
        role: "admin",
        plan: "pro",
        signedUpAt: "2026-01-31T09:00:00Z",
      });
      const cleared = { name: null, phone: null, avatarUrl: null, role: null, plan: null, signedUpAt: null };
      const after = contactOf(await post("/contacts", { email: "ada@example.com", ...cleared }));
      const { name, phone, avatarUrl, role, plan, signedUpAt } = after;
      assert.deepEqual({ name, phone, avatarUrl, role, plan, signedUpAt }, cleared);
    }),
  );

  test(
    "an empty text is kept, not taken for nothing",
    visit(async ({ post }) => {
      assert.equal(contactOf(await post("/contacts", { email: "ada@example.com", name: "" })).name, "");
    }),
  );

  test(
    "a post that changes nothing answers 200 and keeps updatedAt",
    visit(async ({ post, tracker, setClock }) => {
      await tracker.attributes.define({ key: "vip", type: "boolean" });
      const same = { email: "ada@example.com", externalId: "u_1", name: "Ada", customAttributes: { vip: false } };
      const first = await post("/contacts", { ...same, signedUpAt: "2026-01-31T09:00:00Z" });
      setClock("2026-11-20T11:00:00.000Z");
      const second = await post("/contacts", { ...same, signedUpAt: "2026-01-31T10:00:00+01:00" });
      assert.equal(second.status, 200);
      assert.deepEqual(contactOf(second), contactOf(first));
    }),
  );

  test(
    "of twenty simultaneous first posts of one email, one answers 201 and the rest 200, about one contact",
    visit(async ({ post, tracker }) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => post("/contacts", { email: "ada@example.com", name: `Ada ${n}` })),
      );
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual([count(statuses, 201), count(statuses, 200)], [1, 19]);
      assert.equal(new Set(answers.map((answer) => contactOf(answer).id)).size, 1);
      assert.equal((await tracker.contacts.list()).items.length, 1);
    }),
  );

  test(
    "a refused post stores nothing",
    visit(async ({ post, tracker }) => {
      assertInvalid(await post("/contacts", { email: "ada@example.com", name: "Ada", nickname: "Countess" }), [
        "nickname: unknown_field",
      ]);
      assert.deepEqual((await tracker.contacts.list()).items, []);
    }),
  );
}

function count(statuses: number[], wanted: number): number {
  return statuses.filter((status) => status === wanted).length;
}
