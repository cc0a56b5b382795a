import assert from "node:assert/strict";
import { decideContactWrite, patchContact } from "../../../lib/decisions/contact-writes.ts";
import type { ContactPatch, ContactRow } from "../../../lib/storage/rows.ts";
import { contactWith } from "../../support/contact-data.ts";
import { suite } from "../../support/suite.ts";

const ada: ContactRow = {
  ...contactWith().row,
  externalId: "u_1",
  name: "Ada",
  signedUpAt: 0,
  attributes: { seats: 12, beta: false },
};
const bob: ContactRow = { ...ada, id: "id-bob", email: "bob@example.com", externalId: null };

function patchOf(fields: ContactPatch["fields"], attributes: ContactPatch["attributes"] = {}): ContactPatch {
  return { fields, attributes, definedAttributeIds: Object.keys(attributes) };
}

// The storage contract asserts what a write does.
suite("contact writes", (test) => {
  test("a patch leaves the contact before it alone", () => {
    const before = structuredClone(ada);
    patchContact(before, patchOf({ name: null }, { seats: null, beta: true, extra: 1 }), 2_000);
    assert.deepEqual(before, ada);
  });

  test("a write looks for the holders of the names that the contact will have", () => {
    const patch = patchOf({ email: "bob@example.com", externalId: null });
    const change = { workspace: "default", externalId: "u_1", patch, at: 5_000 };
    const answer = decideContactWrite(change, ada, ({ email, externalId }) => {
      assert.deepEqual([email, externalId], ["bob@example.com", null]);
      return { email: bob, externalId: bob };
    });
    assert.ok("refused" in answer);
    assert.equal(answer.refused.code, "email_taken");
  });

  test("a write with unknown holders is answered as unknown", () => {
    const unknown = Symbol("unknown");
    const change = { workspace: "default", externalId: "u_1", patch: patchOf({}), at: 5_000 };
    assert.equal(
      decideContactWrite(change, ada, () => unknown),
      unknown,
    );
  });
});
