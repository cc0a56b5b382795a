import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

const accepted = [
  "a@b",
  "ada.lovelace+tag@mail.example.com",
  "..a..@example.com",
  "!#$%&'*+/=?^_`{|}~-@example.com",
  "ada@1.2.3.4",
  "ünïcödé@exämple.com",
  "अदा@उदाहरण.भारत",
  `ada@${"x".repeat(63)}.com`,
];

const refused = [
  "ada",
  "@example.com",
  "ada@",
  "ada@@example.com",
  "ada@example..com",
  "ada@-example.com",
  "ada@example-.com",
  "ada@example.com.",
  "ada lovelace@example.com",
  "Ada <ada@example.com>",
  '"ada"@example.com',
  "ada@[127.0.0.1]",
  `ada@${"x".repeat(64)}.com`,
  " ada@example.com",
  "ada@example.com ",
  "ada@example.com\n",
  "\u00a0ada@example.com",
  "ada😀@example.com",
  "a\0da@example.com",
];

export function emailCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  for (const email of accepted) {
    test(
      `${email} is an email`,
      visit(async ({ post }) => {
        const answer = await post("/contacts", { email });
        assert.equal(answer.status, 201);
        assert.equal(contactOf(answer).email, email);
      }),
    );
  }

  for (const email of refused) {
    test(
      `${JSON.stringify(email)} is no email`,
      visit(async ({ post }) => assertInvalid(await post("/contacts", { email }), ["email: invalid_format"])),
    );
  }

  test(
    "A to Z of an email are lowered before it is stored",
    visit(async ({ post }) => {
      const { email } = contactOf(await post("/contacts", { email: "ABCDEFGHIJKLMNOPQRSTUVWXYZ@EXAMPLE.COM" }));
      assert.equal(email, "abcdefghijklmnopqrstuvwxyz@example.com");
    }),
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

  test(
    "the Kelvin sign is kept, and is no k",
    visit(async ({ post }) => {
      await post("/contacts", { email: "k@example.com" });
      const kelvin = await post("/contacts", { email: "\u212a@example.com" });
      assert.equal(kelvin.status, 201);
      assert.equal(contactOf(kelvin).email, "\u212a@example.com");
    }),
  );

  test(
    "letters beyond A to Z keep their case and their composition",
    visit(async ({ post }) => {
      for (const email of ["É@example.com", "é@example.com", "e\u0301@example.com", "İ@example.com", "ß@example.com"]) {
        const answer = await post("/contacts", { email });
        assert.equal(answer.status, 201);
        assert.equal(contactOf(answer).email, email);
      }
      assert.equal((await post("/contacts", { email: "ss@example.com" })).status, 201);
    }),
  );
}
