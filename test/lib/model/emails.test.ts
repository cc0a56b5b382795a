import assert from "node:assert/strict";
import { foldEmail } from "../../../lib/model/emails.ts";
import { suite } from "../../support/suite.ts";

suite("emails", (test) => {
  test("folding an email lowers A to Z", () => {
    assert.equal(foldEmail("Ada.LOVELACE+Z@Example.COM"), "ada.lovelace+z@example.com");
  });

  test("folding an email keeps every other code point", () => {
    assert.equal(foldEmail("ÄÉİẞΣ\u212a@MÜLLER.de"), "ÄÉİẞΣ\u212a@mÜller.de");
  });
});
