import assert from "node:assert/strict";
import {
  chooseByExternalId,
  chooseForDeletion,
  effectiveExternalId,
  isFound,
  isFoundByWord,
  wordSeparators,
} from "../../../lib/decisions/find-contact.ts";
import type { ContactRow } from "../../../lib/storage/rows.ts";
import { contactWith } from "../../support/contact-data.ts";
import { suite } from "../../support/suite.ts";

const ada: ContactRow = { ...contactWith().row, externalId: "u_1", name: "Ada" };
const bob: ContactRow = { ...ada, id: "id-bob", email: "bob@example.com", externalId: null };

suite("identity", (test) => {
  test("the email stands in for a missing externalId", () => {
    assert.equal(effectiveExternalId(bob), "bob@example.com");
    assert.equal(effectiveExternalId(ada), "u_1");
  });

  test("an externalId finds the contact that has exactly it, before one that has it as its email", () => {
    assert.equal(chooseByExternalId(ada, bob), ada);
    assert.equal(chooseByExternalId(null, bob), bob);
    assert.equal(chooseByExternalId(null, null), null);
  });

  test("an externalId does not find by its email a contact that has one of its own", () => {
    assert.equal(chooseByExternalId(null, ada), null);
  });

  test("a contact is found by the beginning of its email, its own externalId or its name, in any case of A to Z", () => {
    const grace = { ...ada, email: "grace@example.com", externalId: "U_É1", name: "Hopper" };
    for (const query of ["", "g", "grace@example.com", "u_É", "hop"]) assert.ok(isFound(grace, query), query);
    for (const query of ["race", "u_é", "hopper ", "example"]) assert.ok(!isFound(grace, query), query);
    assert.ok(!isFound({ ...bob, name: null }, "null"));
  });

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

  test("a deletion means the one contact that the identifier finds", () => {
    assert.equal(chooseForDeletion(ada, null), ada);
    assert.equal(chooseForDeletion(null, bob), bob);
    assert.equal(chooseForDeletion(ada, { ...ada }), ada);
  });

  test("a deletion of nobody is refused", () => {
    assert.deepEqual(chooseForDeletion(null, null), { refused: { code: "contact_not_found" } });
  });

  test("a deletion that could mean two contacts is refused, and names both", () => {
    const refusal = chooseForDeletion(ada, bob);
    const conflict = {
      field: "identifier",
      contacts: [
        { id: "id-ada", email: "ada@example.com", externalId: "u_1" },
        { id: "id-bob", email: "bob@example.com", externalId: "bob@example.com" },
      ],
    };
    assert.deepEqual(refusal, { refused: { code: "ambiguous_identifier", conflict } });
  });
});
