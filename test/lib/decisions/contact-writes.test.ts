import assert from "node:assert/strict";
import { createContact, decideContactWrite, patchContact, refuseWrite } from "../../../lib/decisions/contact-writes.ts";
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

const eve = {
  workspace: "default",
  id: "id-eve",
  contact: { email: "eve@example.com" },
  patch: patchOf({}),
  at: 5_000,
};
const none = { email: null, externalId: null };

suite("contact writes", (test) => {
  test("a created contact has the draft's fields, and null for the others", () => {
    const patch = patchOf({ name: "Eve" }, { seats: 3, beta: null });
    assert.deepEqual(createContact({ ...eve, patch }), {
      workspace: "default",
      id: "id-eve",
      email: "eve@example.com",
      externalId: null,
      name: "Eve",
      phone: null,
      avatarUrl: null,
      role: null,
      plan: null,
      signedUpAt: null,
      attributes: { seats: 3 },
      createdAt: 5_000,
      updatedAt: 5_000,
    });
  });

  test("a patch changes the fields that it names, and updatedAt", () => {
    const after = patchContact(ada, patchOf({ name: null, plan: "pro" }, { seats: 0 }), 2_000);
    assert.deepEqual(after, {
      ...ada,
      name: null,
      plan: "pro",
      attributes: { seats: 0, beta: false },
      updatedAt: 2_000,
    });
  });

  test("a null in a patch removes the attribute", () => {
    assert.deepEqual(patchContact(ada, patchOf({}, { beta: null }), 2_000).attributes, { seats: 12 });
  });

  test("a patch leaves the contact before it alone", () => {
    const before = structuredClone(ada);
    patchContact(before, patchOf({ name: null }, { seats: null, beta: true, extra: 1 }), 2_000);
    assert.deepEqual(before, ada);
  });

  const nothing = {
    "an empty patch": patchOf({}),
    "a patch of what is there": patchOf({ name: "Ada", phone: null, signedUpAt: 0 }, { seats: 12, beta: false }),
    "removing an attribute that is not there": patchOf({}, { extra: null }),
  };
  for (const [what, patch] of Object.entries(nothing)) {
    test(`${what} changes nothing, not even updatedAt`, () => {
      assert.equal(patchContact(ada, patch, 2_000), ada);
    });
  }

  const something = {
    "another type of the same look": patchOf({}, { seats: "12" }),
    "one attribute in place of another": patchOf({}, { beta: null, extra: false }),
    "an attribute more": patchOf({}, { extra: 1 }),
    "the externalId that was the email": patchOf({ externalId: null }),
  };
  for (const [what, patch] of Object.entries(something)) {
    test(`${what} is a change`, () => {
      assert.equal(patchContact(ada, patch, 2_000).updatedAt, 2_000);
    });
  }

  test("a write is allowed where the contact itself holds email and externalId", () => {
    assert.equal(refuseWrite(ada, ada, patchOf({}), { email: ada, externalId: ada }), null);
    assert.equal(refuseWrite(null, ada, patchOf({}), none), null);
  });

  test("a write of an email that another contact holds is refused, and names both", () => {
    const after = { ...ada, email: "bob@example.com" };
    const refusal = refuseWrite(ada, after, patchOf({}), { email: bob, externalId: ada });
    assert.equal(refusal?.refused.code, "email_taken");
    assert.deepEqual(refusal.refused.conflict, {
      field: "email",
      contacts: [
        { id: "id-ada", email: "ada@example.com", externalId: "u_1" },
        { id: "id-bob", email: "bob@example.com", externalId: "bob@example.com" },
      ],
    });
  });

  test("a new contact of an externalId that another holds is refused, and names the other", () => {
    const refusal = refuseWrite(null, { ...bob, externalId: "u_1" }, patchOf({}), { email: null, externalId: ada });
    assert.equal(refusal?.refused.code, "external_id_taken");
    assert.deepEqual(refusal.refused.conflict, {
      field: "externalId",
      contacts: [{ id: "id-ada", email: "ada@example.com", externalId: "u_1" }],
    });
  });

  test("only attributes that are still defined count against the limit", () => {
    const ids = Array.from({ length: 101 }, (_, index) => `attribute-${index}`);
    const after = { ...ada, attributes: Object.fromEntries(ids.map((id) => [id, 1])) };
    const patch = (defined: string[]): ContactPatch => ({ fields: {}, attributes: {}, definedAttributeIds: defined });
    assert.equal(refuseWrite(ada, after, patch(ids.slice(1)), none), null);
    const refusal = refuseWrite(ada, after, patch(ids), none);
    assert.equal(refusal?.refused.code, "invalid_input");
    assert.deepEqual(refusal.refused.issues, [
      { path: "customAttributes", code: "too_long", message: "Too long: at most 100 attributes a contact." },
    ]);
  });

  test("a write without a contact creates it from a draft, and is refused as a change", () => {
    assert.deepEqual(
      decideContactWrite(eve, null, () => none),
      createContact(eve),
    );
    const change = { workspace: "default", externalId: "u_9", patch: patchOf({}), at: 5_000 };
    const refusal = decideContactWrite(change, null, () => assert.fail("holders were asked for"));
    assert.deepEqual(refusal, { refused: { code: "contact_not_found" } });
  });

  test("a write to a contact is the patched contact, or the contact itself where nothing changes", () => {
    const change = { workspace: "default", externalId: "u_1", patch: patchOf({ plan: "pro" }), at: 5_000 };
    const holders = { email: ada, externalId: ada };
    assert.deepEqual(
      decideContactWrite(change, ada, () => holders),
      { ...ada, plan: "pro", updatedAt: 5_000 },
    );
    assert.equal(
      decideContactWrite({ ...change, patch: patchOf({}) }, ada, () => holders),
      ada,
    );
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
