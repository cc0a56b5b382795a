import assert from "node:assert/strict";
import { accepted, allContacts, createContact, update } from "../calls.ts";
import { at } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function contactLists(test: StorageTest): void {
  test("a list shows each contact as findContact does", async ({ storage }) => {
    const ada = await createContact(storage, { fields: { externalId: "u_1", name: "Ada" } });
    assert.deepEqual(await allContacts(storage), [ada]);
  });

  test("a contact keeps its position when it is changed", async ({ storage }) => {
    const ada = await createContact(storage);
    const bob = await createContact(storage, { email: "bob@example.com" });
    const changed = accepted(await update(storage, { fields: { name: "changed" }, at: at + 1 }));
    assert.deepEqual(await allContacts(storage), [{ ...ada, name: "changed", updatedAt: at + 1 }, bob]);
    assert.equal(changed.createdAt, at);
  });
}
