import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactRow } from "../../../lib/storage/rows.ts";
import {
  accepted,
  createContact,
  eventsOf,
  isRefused,
  record,
  recordEvent,
  refused,
  update,
  upsert,
} from "../calls.ts";
import { ofContact } from "../content.ts";
import { completionDraft, dismissalDraft, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

// All methods that take an externalId must find this contact by it; none may if `contact` is `null`.
async function assertNames(storage: Storage, externalId: string, contact: ContactRow | null): Promise<void> {
  const updated = await update(storage, { externalId });
  if (isRefused(updated)) refused(updated, "contact_not_found");
  const found = {
    findContact: (await storage.findContact(workspace, { externalId }))?.id,
    updateContact: isRefused(updated) ? undefined : updated.id,
    recordEvents: (await record(storage, { contact: { externalId } }))?.contactId,
    listEvents: (await eventsOf(storage, externalId))?.[0]?.contactId,
  };
  const id = contact?.id;
  assert.deepEqual(found, { findContact: id, updateContact: id, recordEvents: id, listEvents: id }, externalId);
  await assertNamesByHand(storage, externalId, contact);
}

// The methods of completions and dismissals must find the contact, too.
async function assertNamesByHand(storage: Storage, externalId: string, contact: ContactRow | null): Promise<void> {
  const [completion, dismissal] = [completionDraft({ externalId }), dismissalDraft({ externalId })];
  const found = [await storage.insertCompletion(completion), await storage.putDismissal(dismissal)];
  if (contact) {
    const rows = (await ofContact(storage, workspace, contact.id)).flat();
    for (const { checklistId } of [completion, dismissal])
      assert.ok(
        rows.some((row) => "checklistId" in row && row.checklistId === checklistId),
        externalId,
      );
  }
  found.push(await storage.putDismissal({ ...dismissal, dismissedAt: null }));
  assert.deepEqual(found, Array(3).fill(contact !== null), externalId);
}

export function identifiers(test: StorageTest): void {
  test("a contact is named by its externalId, byte for byte", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com", fields: { externalId: "Äda_1" } });
    await assertNames(storage, "Äda_1", ada);
    for (const other of ["äda_1", "ÄDA_1", "A\u0308da_1", "Ada_1", "Äda%1", "Äda%", "Äda_1\u200b", "Äda_１"]) {
      await assertNames(storage, other, null);
    }
  });

  test("a contact without an own externalId is named by its email, in any case of A to Z", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    for (const spelling of ["ada@example.com", "ADA@Example.com"]) await assertNames(storage, spelling, ada);
  });

  test("an email is folded in A to Z only", async ({ storage }) => {
    const kim = await createContact(storage, { email: "kim@straße.example" });
    await assertNames(storage, "KIM@STRAße.example", kim);
    for (const other of ["\u212aim@straße.example", "kim@strasse.example", "kim@straẞe.example"]) {
      await assertNames(storage, other, null);
    }
  });

  test("a contact with an externalId of its own is not named by its email", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
    await assertNames(storage, "ada@example.com", null);
  });

  test("an exact externalId comes before a folded email", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    const bob = await createContact(storage, { email: "bob@example.com", fields: { externalId: "ADA@example.com" } });
    await assertNames(storage, "ADA@example.com", bob);
    await assertNames(storage, "Ada@example.com", ada);
    await assertNames(storage, "ada@example.com", ada);
  });

  test("the email that stands in for an externalId moves", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com" });
    const moved = accepted(await update(storage, { fields: { email: "ada@new.example" } }));
    await assertNames(storage, "ada@new.example", moved);
    await assertNames(storage, "ada@example.com", null);
  });

  test("an externalId that equals the email stays when the email moves", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "ada@example.com" } });
    const moved = accepted(await update(storage, { fields: { email: "ada@new.example" } }));
    assert.equal(moved.externalId, "ada@example.com");
    await assertNames(storage, "ada@example.com", moved);
    await assertNames(storage, "ADA@example.com", null);
    await assertNames(storage, "ada@new.example", null);
  });

  test("an externalId set to null gives way to the email", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
    accepted(await update(storage, { externalId: "u_1", fields: { externalId: null } }));
    await assertNames(storage, "ada@example.com", ada);
    await assertNames(storage, "u_1", null);
  });

  test("an upsert goes by the email alone, not by another contact's externalId", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "bob@example.com" } });
    const bob = await createContact(storage, { email: "bob@example.com", fields: { externalId: "u_2" } });
    const again = accepted(await upsert(storage, { email: "bob@example.com", fields: { name: "Bob" } }));
    assert.equal(again.contact.id, bob.id);
  });

  test("a reference by email finds a contact with an own externalId, and none by externalId", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com", fields: { externalId: "bob@example.com" } });
    const bob = await createContact(storage, { email: "bob@example.com", fields: { externalId: "u_2" } });
    assert.deepEqual(await storage.findContact(workspace, { email: "bob@example.com" }), bob);
    assert.deepEqual(await storage.findContact(workspace, { externalId: "bob@example.com" }), ada);
    assert.equal(await storage.findContact(workspace, { email: "u_2" }), null);
    assert.equal((await recordEvent(storage, { contact: { email: "bob@example.com" } })).contactId, bob.id);
    assert.equal((await recordEvent(storage, { contact: { externalId: "bob@example.com" } })).contactId, ada.id);
    assert.equal(await record(storage, { contact: { email: "u_2" } }), null);
  });
}
