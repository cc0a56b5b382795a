import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactRow, Refused } from "../../../lib/storage/rows.ts";
import { accepted, allContacts, createContact, newAttributes, refused, update, upsert } from "../calls.ts";
import { type ContactUpdateParts, at, attributesOf, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

type Patch = (storage: Storage, parts: Omit<ContactUpdateParts, "externalId">) => Promise<ContactRow | Refused>;

// The two ways to patch the contact of ada@example.com.
const ways: Record<string, Patch> = {
  async "an upsert"(storage, parts) {
    const result = await upsert(storage, parts);
    return "contact" in result ? result.contact : result;
  },
  "an update": (storage, parts) => update(storage, parts),
};

const fields = {
  name: "Ada",
  phone: "+44 20 7946 0000",
  avatarUrl: "https://example.com/ada.png",
  role: "admin",
  plan: "pro",
  signedUpAt: 1_767_225_599_999,
};

export function patches(test: StorageTest): void {
  for (const [what, patch] of Object.entries(ways)) {
    test(`${what} leaves the fields that it does not name, and notes when it changed one`, async ({ storage }) => {
      const ada = await createContact(storage, { fields });
      const patched = accepted(await patch(storage, { fields: { role: "owner" }, at: at + 1 }));
      assert.deepEqual(patched, { ...ada, role: "owner", updatedAt: at + 1 });
      assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), patched);
    });

    for (const field of ["name", "phone", "avatarUrl", "role", "plan", "signedUpAt"] as const) {
      test(`${what} clears ${field} with null`, async ({ storage }) => {
        const ada = await createContact(storage, { fields });
        const patched = accepted(await patch(storage, { fields: { [field]: null }, at: at + 1 }));
        assert.deepEqual(patched, { ...ada, [field]: null, updatedAt: at + 1 });
        assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), patched);
      });
    }

    test(`${what} merges attributes one by one, and null removes one`, async ({ storage }) => {
      const ids = (await newAttributes(storage, 4)) as [string, string, string, string];
      const [kept, changed, removed, added] = ids;
      const ada = await createContact(storage, { attributes: { [kept]: "kept", [changed]: 1, [removed]: true } });
      const attributes = { [changed]: 2, [removed]: null, [added]: "added" };
      const patched = accepted(await patch(storage, { attributes, at: at + 1 }));
      const merged = { [kept]: "kept", [changed]: 2, [added]: "added" };
      assert.deepEqual(patched, { ...ada, attributes: merged, updatedAt: at + 1 });
      assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), patched);
    });

    test(`${what} that changes nothing keeps updatedAt`, async ({ storage }) => {
      const [text, number, unset] = (await newAttributes(storage, 3)) as [string, string, string];
      const ada = await createContact(storage, { fields, attributes: { [text]: "", [number]: 0.1 } });
      const same: ContactUpdateParts[] = [
        {},
        { fields },
        { fields: { externalId: null } },
        { attributes: { [number]: 0.1, [text]: "" } },
        { attributes: { [unset]: null } },
      ];
      for (const parts of same) assert.deepEqual(accepted(await patch(storage, { ...parts, at: at + 1 })), ada);
      assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), ada);
    });

    test(`${what} changes something also where only case, accents or blanks differ`, async ({ storage }) => {
      await createContact(storage, { fields: { name: "Ada" } });
      for (const [index, name] of ["ada", "ada ", "adá", "ada\u0301", ""].entries()) {
        const patched = accepted(await patch(storage, { fields: { name }, at: at + 1 + index }));
        assert.deepEqual([patched.name, patched.updatedAt], [name, at + 1 + index]);
        assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), patched);
      }
    });

    test(`${what} changes an attribute also where only its type differs`, async ({ storage }) => {
      const [id] = await newAttributes(storage, 1);
      await createContact(storage, { attributes: { [id]: 1 } });
      for (const [index, value] of (["1", "true", true, 0, false, "", "0"] as const).entries()) {
        const patched = accepted(await patch(storage, { attributes: { [id]: value }, at: at + 1 + index }));
        assert.deepEqual([patched.attributes, patched.updatedAt], [{ [id]: value }, at + 1 + index]);
        assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), patched);
      }
    });

    test(`${what} may give a contact 100 defined attributes, and is refused whole with more`, async ({ storage }) => {
      const definedAttributeIds = await newAttributes(storage, 101);
      const [first, last, ...until100] = definedAttributeIds as [string, string, ...string[]];
      await createContact(storage, { attributes: { [first]: 0 }, definedAttributeIds });
      const full = accepted(await patch(storage, { attributes: attributesOf(until100, 1), definedAttributeIds }));
      assert.equal(Object.keys(full.attributes).length, 100);

      const tooMany = { fields: { name: "Ada" }, attributes: { [last]: 1, [first]: 2 }, at: at + 1 };
      const refusal = refused(await patch(storage, { ...tooMany, definedAttributeIds }), "invalid_input");
      assert.deepEqual(refusal.issues, ["customAttributes too_long"]);
      assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), full);

      const replacement = { attributes: { [last]: 1, [first]: null }, definedAttributeIds };
      const { attributes } = accepted(await patch(storage, replacement));
      assert.deepEqual(attributes, attributesOf([last, ...until100], 1));
      // One of these 100 is no longer defined.
      const added = { attributes: { [first]: 1 }, definedAttributeIds: [first, ...until100] };
      assert.equal(accepted(await patch(storage, added)).attributes[first], 1);
    });

    test(`${what} is refused and changes nothing if an attribute is no longer defined`, async ({ storage, begin }) => {
      const [kept, deleted] = (await newAttributes(storage, 2)) as [string, string];
      const ada = await createContact(storage, { attributes: { [deleted]: 1 } });
      assert.equal(await storage.deleteDefinition(workspace, "attribute", deleted), true);
      const { inside, commit } = await begin();
      for (const target of [storage, inside]) {
        const attributes = { [kept]: 1, [deleted]: 2 };
        refused(await patch(target, { attributes, fields: { name: "Ada" } }), "definition_not_found");
        refused(await patch(target, { attributes: { [deleted]: null } }), "definition_not_found");
      }
      await commit();
      assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), ada);
    });

    test(`20 times ${what} at once loses no change`, async ({ storage }) => {
      const ids = await newAttributes(storage, 20);
      await createContact(storage);
      await Promise.all(ids.map((id, index) => patch(storage, { attributes: { [id]: index } })));
      const ada = await storage.findContact(workspace, { externalId: "ada@example.com" });
      assert.deepEqual(ada?.attributes, Object.fromEntries(ids.map((id, index) => [id, index])));
    });
  }

  test("a contact may be created with 100 attributes, and is not with 101", async ({ storage }) => {
    const ids = await newAttributes(storage, 101);
    refused(await upsert(storage, { attributes: attributesOf(ids, 1) }), "invalid_input");
    assert.equal(await storage.findContact(workspace, { externalId: "ada@example.com" }), null);
    const attributes = attributesOf(ids.slice(1), 1);
    assert.deepEqual((await createContact(storage, { attributes })).attributes, attributes);
  });

  test("an update of a contact that does not exist is refused, and creates none", async ({ storage }) => {
    refused(await update(storage, { externalId: "ada@example.com", fields: { name: "Ada" } }), "contact_not_found");
    assert.equal(await storage.findContact(workspace, { externalId: "ada@example.com" }), null);
  });

  test("an update moves the email and gives an externalId at once", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    const moved = await update(storage, { fields: { email: "ada@new.example", externalId: "u_1" }, at: at + 1 });
    assert.deepEqual(moved, { ...ada, email: "ada@new.example", externalId: "u_1", updatedAt: at + 1 });
    assert.deepEqual(await storage.findContact(workspace, { externalId: "u_1" }), moved);
  });

  test("a contact keeps its position in the list when it is changed", async ({ storage }) => {
    const ada = await createContact(storage);
    const bob = await createContact(storage, { email: "bob@example.com" });
    accepted(await update(storage, { fields: { name: "changed" }, at: at + 1 }));
    assert.deepEqual(await allContacts(storage), [{ ...ada, name: "changed", updatedAt: at + 1 }, bob]);
  });
}
