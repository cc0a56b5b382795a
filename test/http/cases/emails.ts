import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

export function emailCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "a text that is no email is refused",
    visit(async ({ post }) => assertInvalid(await post("/contacts", { email: "ada" }), ["email: invalid_format"])),
  );

  test(
    "emails that differ in the case of A to Z only are one contact",
    visit(async ({ post }) => {
      const { id } = contactOf(await post("/contacts", { email: "ada@example.com" }));
      const second = await post("/contacts", { email: "Ada@EXAMPLE.com" });
      assert.equal(second.status, 200);
      assert.equal(contactOf(second).id, id);
    }),
  );
}
