import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactRow, Refused } from "../../../lib/storage/rows.ts";
import { accepted, allContacts, atOnce, createContact, isRefused, refused, update, upsert } from "../calls.ts";
import { at, contactDraft, workspace, type ContactDraftParts } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

/** Upserts by externalId. */
function put(
  storage: Storage,
  externalId: string,
  email: string | null,
  parts: ContactDraftParts = {},
): Promise<{ contact: ContactRow; created: boolean } | Refused> {
  const fields = { ...parts.fields, ...(email !== null && { email }) };
  return upsert(storage, { id: newId(at), ...parts, contact: { externalId }, fields });
}

/** Upserts by externalId. */
export function puts(test: StorageTest): void {
  test("an upsert by externalId creates the contact with this externalId of its own", async ({ storage }) => {
    const { contact, created } = accepted(await put(storage, "Ada@Example.com", "ada@example.com"));
    assert.equal(created, true);
    assert.deepEqual([contact.email, contact.externalId], ["ada@example.com", "Ada@Example.com"]);
    assert.deepEqual(await storage.findContact(workspace, { externalId: "Ada@Example.com" }), contact);
  });

  test("an upsert by externalId patches the contact that has it, and moves the email", async ({ storage }) => {
    const ada = await createContact(storage, { fields: { externalId: "u_1", name: "Ada" } });
    const answer = await put(storage, "u_1", "lovelace@example.com", { fields: { plan: "pro" }, at: at + 1 });
    const contact = { ...ada, email: "lovelace@example.com", plan: "pro", updatedAt: at + 1 };
    assert.deepEqual(answer, { contact, created: false });
    assert.deepEqual(
      accepted(await put(storage, "u_1", null, { fields: { plan: "pro" }, at: at + 2 })).contact,
      contact,
    );
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("an upsert by externalId gives it to the contact of the email that has none of its own", async ({ storage }) => {
    const ada = await createContact(storage);
    const byEmail = accepted(await put(storage, "u_1", "ada@example.com", { at: at + 1 }));
    assert.deepEqual(byEmail, { contact: { ...ada, externalId: "u_1", updatedAt: at + 1 }, created: false });
    const bob = await createContact(storage, { id: newId(at), email: "bob@example.com" });
    const folded = accepted(await put(storage, "BOB@example.com", null, { at: at + 1 }));
    assert.deepEqual(folded.contact, { ...bob, externalId: "BOB@example.com", updatedAt: at + 1 });
  });

  test("an upsert by externalId finds the contact that one before it in its call creates", async ({ storage }) => {
    const contact = { externalId: "BOB@example.com" };
    const fields = { email: "robert@example.com" };
    const drafts = [{ email: "bob@example.com" }, { id: newId(at), contact, fields }];
    const answers = await storage.upsertContacts(drafts.map(contactDraft));
    const answered = answers.map((answer) => accepted(answer).created);
    assert.deepEqual(answered, [true, false]);
  });

  test("an upsert by externalId without a contact and an email is refused, and creates none", async ({ storage }) => {
    const { issues } = refused(await put(storage, "u_1", null), "invalid_input");
    assert.deepEqual(issues, ["email required"]);
    assert.deepEqual(await allContacts(storage), []);
  });

  test("an upsert by externalId never takes the email of another contact", async ({ storage }) => {
    const ada = await createContact(storage, { fields: { externalId: "u_1" } });
    const bob = await createContact(storage, { id: newId(at), email: "bob@example.com" });
    const named = (row: ContactRow): object => ({
      id: row.id,
      email: row.email,
      externalId: row.externalId ?? row.email,
    });
    // Another id does not take a contact with an id of its own over.
    assert.deepEqual(refused(await put(storage, "u_2", "ada@example.com"), "email_taken").conflict, {
      field: "email",
      contacts: [named(ada)],
    });
    // `u_1` does not take the email of another contact, with an externalId of its own or without.
    assert.deepEqual(refused(await put(storage, "u_1", "bob@example.com"), "email_taken").conflict, {
      field: "email",
      contacts: [named(ada), named(bob)],
    });
    assert.deepEqual(await allContacts(storage), [ada, bob]);
  });

  test("of simultaneous upserts by one new externalId one creates the contact", async ({ storage }) => {
    const answers = await atOnce(8, () => put(storage, "u_1", "ada@example.com"));
    assert.equal(answers.filter((answer) => accepted(answer).created).length, 1);
    assert.equal((await allContacts(storage)).length, 1);
  });

  test("of simultaneous upserts by different externalIds with one email one succeeds", async ({ storage }) => {
    const answers = await atOnce(8, (n) => put(storage, `u_${n}`, "ada@example.com"));
    assert.equal(answers.filter((answer) => !isRefused(answer)).length, 1);
    for (const answer of answers) if (isRefused(answer)) refused(answer, "email_taken");
    assert.equal((await allContacts(storage)).length, 1);
  });

  test("an upsert by externalId takes effect in the order of the calls with a name in common", async ({ storage }) => {
    await createContact(storage, { fields: { externalId: "u_1" } });
    await createContact(storage, { id: newId(at), email: "bob@example.com" });
    await Promise.all([
      update(storage, { externalId: "u_1", fields: { plan: "one" } }),
      put(storage, "u_1", null, { fields: { plan: "two" } }),
      upsert(storage, { fields: { plan: "three" } }),
      put(storage, "u_1", "ada@example.com", { fields: { plan: "four" } }),
      put(storage, "BOB@example.com", null, { fields: { plan: "one" } }),
      upsert(storage, { email: "bob@example.com", fields: { plan: "two" } }),
    ]);
    const plans = (await allContacts(storage)).map(({ plan }) => plan);
    assert.deepEqual(plans, ["four", "two"]);
  });
}
