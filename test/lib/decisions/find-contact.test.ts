import assert from "node:assert/strict";
import { isFoundByWord, wordSeparators } from "../../../lib/decisions/find-contact.ts";
import { suite } from "../../support/suite.ts";

// The storage contract asserts whom an identifier and a query mean.
suite("words of contacts", (test) => {
  test("a contact is found by a later word of its name, and by its email behind the @, in any case of A to Z", () => {
    const nina = { email: "nina@mail.example.com", name: "Nina O\u2019BRIEN-Berg" };
    for (const query of ["brien", "brien-b", "berg", "mail", "mail.example.com", "@mail"])
      assert.ok(isFoundByWord(nina, query), query);
    const unfound = ["nina", "rien", "erg", "berg ", "nina o", "example", "@example", "a@mail"];
    for (const query of unfound) assert.ok(!isFoundByWord(nina, query), query);
    assert.ok(!isFoundByWord({ ...nina, name: null }, "null"));
  });

  test("a word begins after any character of ASCII but letters, digits and most controls, and after some others", () => {
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const expected = [
      ...ascii.filter((text) => /[\t\n\r -/:-@[-`{-~]/.test(text)),
      ...Array.from("\u00a0·‐‑‒–—‘’“”„«»\u3000・"),
    ];
    assert.deepEqual([...wordSeparators].sort(), expected.sort());
  });
});
