import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** PUT /contacts/:externalId, and items of POST /contacts/batch by externalId. */
export function putCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("put answers 201 with a new contact, and 200 with the one that is there", async ({ put, get }) => {
    const created = await put("/contacts/a%2Fb", { email: "ada@example.com", externalId: "a/b" });
    assert.equal(created.status, 201);
    const updated = await put("/contacts/a%2Fb", { name: "Ada" });
    assert.deepEqual([updated.status, contactOf(updated)], [200, { ...contactOf(created), name: "Ada" }]);
    assert.deepEqual(contactOf(await get("/contacts/a%2Fb")), contactOf(updated));
  });

  test("an item of a batch is put by its externalId if it says so", async ({ post }) => {
    const { body } = await post("/contacts/batch", {
      items: [
        { by: "externalId", externalId: "u_1", email: "ada@example.com" },
        { by: "externalId", externalId: "u_1", email: "lovelace@example.com" },
        { by: "email", externalId: "u_2", email: "bob@example.com" },
      ],
    });
    const { items } = body as { items: { status: number; body: { error?: { issues?: { path: string }[] } } }[] };
    assert.deepEqual(
      items.map((item) => [item.status, item.body.error?.issues?.map(({ path }) => path)]),
      [
        [201, undefined],
        [200, undefined],
        [400, ["by"]],
      ],
    );
  });
}
