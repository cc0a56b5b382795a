import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { emailStruct, externalIdStruct } from "../../../lib/input/identifiers.ts";
import { check } from "../../../lib/input/shapes.ts";
import { suite } from "../../support/suite.ts";

const codesOf = (value: unknown, struct: typeof emailStruct): string[] =>
  check(value, struct).issues.map(({ code }) => code);

const emails = [
  "a@b",
  "ada@example.com",
  "Ada.Lovelace+news@Mail.Example.co.uk",
  ".ada..lovelace.@example.com",
  "!#$%&'*+/=?^_`{|}~-@example.com",
  "ada@1-2.example",
  "ada@127.0.0.1",
  "jörg@müller.de",
  "ユーザー@例え.jp",
  "e\u0301@example.com",
  "ada@हिन्दी.example",
  `ada@${"x".repeat(63)}.com`,
];

const noEmails = [
  "",
  "ada",
  "@example.com",
  "ada@",
  "ada@@example.com",
  "ada@b@example.com",
  " ada@example.com",
  "ada@example.com ",
  "ada@example.com\n",
  "ada\0@example.com",
  "a da@example.com",
  "ada@exa mple.com",
  "ada@.example.com",
  "ada@example..com",
  "ada@example.com.",
  "ada@-example.com",
  "ada@example-.com",
  "ada@exa_mple.com",
  `ada@${"x".repeat(64)}.com`,
  "Ada <ada@example.com>",
  `"ada"@example.com`,
  "ada@[127.0.0.1]",
  "ada,bob@example.com",
  "ada\u00a0@example.com",
  "ada\u200b@example.com",
  "ada👍@example.com",
  "\u0301@example.com",
  "\u0301ada@example.com",
  "ada@\u0301",
  "ada@example.\u0301com",
  "ada\ud800@example.com",
];

const externalIds = [
  "u_1",
  "0",
  "ada@example.com",
  "a b",
  "Größe",
  "a\nb",
  "👩‍🚀",
  "/contacts/1?x=%20#y",
  "%_\\",
  "null",
  "\u200b",
];

suite("identifiers", (test) => {
  for (const value of emails) {
    test(`an email: ${value}`, () => {
      assert.deepEqual(codesOf(value, emailStruct), []);
    });
  }

  for (const value of noEmails) {
    test(`no email: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(codesOf(value, emailStruct), ["invalid_format"]);
    });
  }

  test("a hostile email is refused, and not looked at for ever", () => {
    // Ends what else would keep the process from ending.
    const codesInTime = (email: string): unknown =>
      runInNewContext("codesOf()", { codesOf: () => codesOf(email, emailStruct) }, { timeout: 20_000 });
    assert.deepEqual(codesInTime(`a@${"a-".repeat(125)}`), ["invalid_format"]);
    assert.deepEqual(codesInTime(`${"a".repeat(10_000_000)}@`), ["too_long"]);
  });

  for (const value of externalIds) {
    test(`an externalId: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(codesOf(value, externalIdStruct), []);
    });
  }

  for (const value of ["", " ", "\t\r\n", "\u00a0\u3000", "\u0085"]) {
    test(`a blank externalId is refused: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(codesOf(value, externalIdStruct), ["too_short"]);
    });
  }

  // White space is not trimmed. Then come a NUL and a lone surrogate.
  for (const value of [" u_1", "u_1 ", "u_1\n", "\ufeffu_1", "u_1\u00a0", "u_1\u0085", "u\x001", "u\udfff1"]) {
    test(`no externalId: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(codesOf(value, externalIdStruct), ["invalid_format"]);
    });
  }

  test("an email has at most 254 bytes, and an externalId 255", () => {
    for (const [longest, struct] of [
      [`${"é".repeat(121)}@example.com`, emailStruct],
      [`${"é".repeat(127)}a`, externalIdStruct],
    ] as const) {
      assert.deepEqual([codesOf(longest, struct), codesOf(`a${longest}`, struct)], [[], ["too_long"]]);
    }
  });

  for (const [name, struct] of Object.entries({ email: emailStruct, externalId: externalIdStruct })) {
    test(`the ${name} is a text, and there`, () => {
      assert.deepEqual(codesOf(5, struct), ["wrong_type"]);
      assert.deepEqual(codesOf(["a@b"], struct), ["wrong_type"]);
      assert.deepEqual(codesOf(new String("a@b"), struct), ["wrong_type"]);
      assert.deepEqual(codesOf(null, struct), ["not_allowed_null"]);
      assert.deepEqual(codesOf(undefined, struct), ["required"]);
    });
  }
});
