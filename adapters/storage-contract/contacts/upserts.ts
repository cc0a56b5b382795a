import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactFields, ContactRow } from "../../../lib/storage/rows.ts";
import {
  accepted,
  allContacts,
  atOnce,
  createContact,
  isRefused,
  newAttributes,
  refused,
  update,
  upsert,
} from "../calls.ts";
import { at, attributesOf, contactDraft, newIds, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function upserts(test: StorageTest): void {
  test("an upsert creates the contact of a new email, null where nothing is given", async ({ storage }) => {
    const id = newId(at);
    const results = await storage.upsertContacts([
      contactDraft({ id, email: "ada@example.com", at: 1_769_850_000_123 }),
    ]);
    const contact = {
      workspace: "acme",
      id,
      email: "ada@example.com",
      externalId: null,
      name: null,
      phone: null,
      avatarUrl: null,
      role: null,
      plan: null,
      signedUpAt: null,
      attributes: {},
      createdAt: 1_769_850_000_123,
      updatedAt: 1_769_850_000_123,
    };
    assert.deepEqual(results, [{ contact, created: true }]);
    assert.deepEqual(await storage.findContact("acme", { externalId: "ada@example.com" }), contact);
  });

  test("an upsert stores every field and attribute that is given", async ({ storage }) => {
    const [plan, seats, active] = (await newAttributes(storage, 3)) as [string, string, string];
    const fields = {
      externalId: "u_1",
      name: "Ada",
      phone: "+44 20 7946 0000",
      avatarUrl: "https://example.com/ada.png",
      role: "admin",
      plan: "pro",
      signedUpAt: 1_767_225_599_999,
    };
    const attributes = { [plan]: "gold", [seats]: 12, [active]: false };
    const created = await createContact(storage, { fields, attributes });
    const { id, email, createdAt, updatedAt } = created;
    assert.deepEqual(created, { workspace, id, email, ...fields, attributes, createdAt, updatedAt });
    assert.deepEqual(await storage.findContact(workspace, { externalId: "u_1" }), created);
  });

  test("an upsert of an empty array is answered with an empty array", async ({ storage }) => {
    assert.deepEqual(await storage.upsertContacts([]), []);
  });

  test("1,001 contacts in one array are all created, and answered in its order", async ({ storage }) => {
    const drafts = newIds(1_001).map((id, index) => contactDraft({ id, email: `${index}@example.com` }));
    const results = await storage.upsertContacts(drafts);
    assert.deepEqual(
      results.map((result) => [accepted(result).contact.id, accepted(result).created]),
      drafts.map(({ id }) => [id, true]),
    );
    assert.equal((await allContacts(storage)).length, 1_001);
  });

  test("an item sees what the items before it wrote, and is answered as it left the contact", async ({ storage }) => {
    const id = newId(at);
    const [first, second] = await storage.upsertContacts([
      contactDraft({ id, fields: { name: "Ada" } }),
      contactDraft({ fields: { plan: "pro" }, at: at + 1 }),
    ]);
    assert.equal(accepted(first).created, true);
    assert.deepEqual([accepted(first).contact.name, accepted(first).contact.plan], ["Ada", null]);
    assert.deepEqual(second, {
      contact: { ...accepted(first).contact, plan: "pro", updatedAt: at + 1 },
      created: false,
    });
    assert.deepEqual(await allContacts(storage), [accepted(second).contact]);
  });

  test("an externalId that an item took is taken for the next, and one that it left is free", async ({ storage }) => {
    const [ada, bob, moved, carol] = await storage.upsertContacts([
      contactDraft({ email: "ada@example.com", fields: { externalId: "u_1" } }),
      contactDraft({ email: "bob@example.com", fields: { externalId: "u_1" } }),
      contactDraft({ email: "ada@example.com", fields: { externalId: "u_2" } }),
      contactDraft({ email: "carol@example.com", fields: { externalId: "u_1" } }),
    ]);
    const holder = { id: accepted(ada).contact.id, email: "ada@example.com", externalId: "u_1" };
    assert.deepEqual(refused(bob, "external_id_taken").conflict, { field: "externalId", contacts: [holder] });
    assert.equal(accepted(moved).contact.externalId, "u_2");
    assert.equal(accepted(carol).created, true);
    assert.equal((await storage.findContact(workspace, { externalId: "u_1" }))?.id, accepted(carol).contact.id);
  });

  test("a refused item changes nothing, and the items around it are written", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
    const bob = await createContact(storage, { email: "bob@example.com" });
    const [carol, refusal, dan] = await storage.upsertContacts([
      contactDraft({ email: "carol@example.com" }),
      contactDraft({ email: "bob@example.com", fields: { name: "Bob", externalId: "u_1" }, at: at + 1 }),
      contactDraft({ email: "dan@example.com" }),
    ]);
    refused(refusal, "external_id_taken");
    assert.deepEqual(await storage.findContact(workspace, { externalId: "bob@example.com" }), bob);
    assert.deepEqual(
      await storage.findContact(workspace, { externalId: "carol@example.com" }),
      accepted(carol).contact,
    );
    assert.deepEqual(await storage.findContact(workspace, { externalId: "dan@example.com" }), accepted(dan).contact);
  });

  test("of 50 first upserts of one email at once exactly one creates, and all are merged", async ({ storage }) => {
    const ids = await newAttributes(storage, 50);
    const results = await Promise.all(ids.map((id) => upsert(storage, { attributes: { [id]: true } })));
    const contacts = results.map((result) => accepted(result).contact);
    assert.equal(results.filter((result) => accepted(result).created).length, 1);
    assert.equal(new Set(contacts.map(({ id }) => id)).size, 1);
    const [contact, ...others] = await allContacts(storage);
    assert.deepEqual([contact?.id, contact?.attributes, others], [contacts[0]?.id, attributesOf(ids, true), []]);
  });

  test("arrays with the same new emails in opposite orders at once create each contact once", async ({ storage }) => {
    const ada = (): ReturnType<typeof contactDraft> => contactDraft({ email: "ada@example.com" });
    const bob = (): ReturnType<typeof contactDraft> => contactDraft({ email: "bob@example.com" });
    const results = await atOnce(20, (index) =>
      storage.upsertContacts(index % 2 === 0 ? [ada(), bob()] : [bob(), ada()]),
    );
    assert.equal(results.flat().filter((result) => accepted(result).created).length, 2);
    assert.equal((await allContacts(storage)).length, 2);
  });

  test("exactly one of 20 new contacts that want one externalId at once gets it", async ({ storage }) => {
    const results = await atOnce(20, (index) =>
      upsert(storage, { email: `${index}@example.com`, fields: { externalId: "u_1" } }),
    );
    const [contact, ...others] = await allContacts(storage);
    assert.ok(contact);
    assert.deepEqual([contact.externalId, others], ["u_1", []]);
    const { id, email } = contact;
    const conflict = { field: "externalId", contacts: [{ id, email, externalId: "u_1" }] };
    const refusals = results.filter((result) => !("created" in result));
    assert.deepEqual(
      refusals.map((refusal) => refused(refusal, "external_id_taken").conflict),
      Array.from({ length: 19 }, () => conflict),
    );
  });
}

// The calls must be refused, each with the conflict between these contacts, and the contacts stay what they are.
async function assertTaken(
  storage: Storage,
  field: "email" | "externalId",
  between: ContactRow[],
  ...calls: (() => Promise<object>)[]
): Promise<void> {
  const before = await allContacts(storage);
  const contacts = between.map(({ id, email, externalId }) => ({ id, email, externalId: externalId ?? email }));
  for (const call of calls) {
    const refusal = refused(await call(), field === "email" ? "email_taken" : "external_id_taken");
    assert.deepEqual(refusal.conflict, { field, contacts });
    assert.deepEqual(refusal.issues, []);
  }
  assert.deepEqual(await allContacts(storage), before);
}

const createAda = (storage: Storage, externalId: string | null = "u_1"): Promise<ContactRow> =>
  createContact(storage, { email: "ada@example.com", fields: { externalId } });
const createBob = (storage: Storage, externalId: string | null = "u_2"): Promise<ContactRow> =>
  createContact(storage, { email: "bob@example.com", fields: { externalId } });

export function conflicts(test: StorageTest): void {
  test("an email of another contact is refused: the one to write is named, then the holder", async ({ storage }) => {
    const ada = await createAda(storage, null);
    const bob = await createBob(storage);
    await assertTaken(storage, "email", [ada, bob], () =>
      update(storage, { fields: { email: "bob@example.com", name: "Ada" }, at: at + 1 }),
    );
  });

  test("an externalId of another is refused: the contact to write is named, then the holder", async ({ storage }) => {
    const ada = await createAda(storage, null);
    const bob = await createBob(storage);
    await assertTaken(
      storage,
      "externalId",
      [ada, bob],
      () => update(storage, { fields: { externalId: "u_2", name: "Ada" }, at: at + 1 }),
      () => upsert(storage, { fields: { externalId: "u_2", name: "Ada" }, at: at + 1 }),
    );
  });

  test("an externalId that is another contact's email, which stands in, is refused", async ({ storage }) => {
    const ada = await createAda(storage);
    const bob = await createBob(storage, null);
    await assertTaken(
      storage,
      "externalId",
      [ada, bob],
      () => update(storage, { externalId: "u_1", fields: { externalId: "bob@example.com" } }),
      () => upsert(storage, { email: "ada@example.com", fields: { externalId: "bob@example.com" } }),
    );
  });

  test("a contact whose email is another's externalId may not give its own up", async ({ storage }) => {
    const ada = await createAda(storage);
    const bob = await createBob(storage, "ada@example.com");
    await assertTaken(
      storage,
      "externalId",
      [ada, bob],
      () => update(storage, { externalId: "u_1", fields: { externalId: null } }),
      () => upsert(storage, { email: "ada@example.com", fields: { externalId: null } }),
    );
  });

  test("a contact without own externalId may not take an email that is another's externalId", async ({ storage }) => {
    const ada = await createAda(storage, "bob@new.example");
    const bob = await createBob(storage, null);
    await assertTaken(storage, "externalId", [bob, ada], () =>
      update(storage, { externalId: "bob@example.com", fields: { email: "bob@new.example" } }),
    );
  });

  test("a new contact is not created where its externalId is taken: the holder alone is named", async ({ storage }) => {
    const ada = await createAda(storage, "u_1");
    const bob = await createBob(storage, null);
    await assertTaken(storage, "externalId", [ada], () =>
      upsert(storage, { email: "carol@example.com", fields: { externalId: "u_1" } }),
    );
    await assertTaken(storage, "externalId", [bob], () =>
      upsert(storage, { email: "carol@example.com", fields: { externalId: "bob@example.com" } }),
    );
  });

  test("a contact is not created if its email is another's externalId, unless it brings one", async ({ storage }) => {
    const ada = await createAda(storage, "bob@example.com");
    await assertTaken(storage, "externalId", [ada], () => upsert(storage, { email: "bob@example.com" }));
    await createBob(storage, "u_2");
  });

  test("a draft that only inserts is refused where any contact has its email", async ({ storage }) => {
    const insert = (email: string): ReturnType<typeof upsert> =>
      upsert(storage, { email, fields: { name: "New" }, insertOnly: true, at: at + 1 });
    const ada = await createAda(storage);
    await assertTaken(storage, "email", [ada], () => insert(ada.email));
    const bob = await createBob(storage, null);
    await assertTaken(storage, "email", [bob], () => insert(bob.email));
    assert.equal(accepted(await insert("carol@example.com")).created, true);
  });

  test("one of 20 drafts at once that only insert creates the contact, and none changes it", async ({ storage }) => {
    const insert = (id: string): ReturnType<typeof contactDraft> =>
      contactDraft({ id, fields: { name: id }, insertOnly: true });
    const results = await atOnce(10, () => storage.upsertContacts(newIds(2).map(insert)));
    const [created, ...refusals] = results.flat().toSorted((a, b) => Number(isRefused(a)) - Number(isRefused(b)));
    const { contact } = accepted(created);
    assert.equal(contact.name, contact.id);
    for (const refusal of refusals) refused(refusal, "email_taken");
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("a contact's own email and externalId are no conflict", async ({ storage }) => {
    const ada = await createAda(storage);
    const own: Partial<ContactFields>[] = [
      { externalId: "u_1", email: "ada@example.com" },
      { externalId: "ada@example.com" },
      { externalId: "u_1", email: "ada@new.example" },
      { externalId: null },
      { externalId: "ada@example.com", email: "ada@example.com" },
    ];
    let named = "u_1";
    for (const fields of own) {
      const updated = accepted(await update(storage, { externalId: named, fields }));
      assert.deepEqual([updated.id, updated.externalId], [ada.id, fields.externalId]);
      named = updated.externalId ?? updated.email;
    }
  });

  test("an email and an externalId that differ in case only are two contacts' own", async ({ storage }) => {
    await createAda(storage, "BOB@example.com");
    await createBob(storage, null);
    await createContact(storage, { email: "carol@example.com", fields: { externalId: "ADA@example.com" } });
    assert.equal((await allContacts(storage)).length, 3);
  });

  test("an email and an externalId that a contact has left are free", async ({ storage }) => {
    await createAda(storage, "u_1");
    accepted(await update(storage, { externalId: "u_1", fields: { email: "ada@new.example", externalId: "u_3" } }));
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
  });

  test("exactly one of 20 contacts that want one email at once gets it", async ({ storage }) => {
    await atOnce(20, (index) => createContact(storage, { email: `${index}@example.com` }));
    const results = await atOnce(20, (index) =>
      update(storage, { externalId: `${index}@example.com`, fields: { email: "ada@example.com" } }),
    );
    const [written, ...refusals] = results.toSorted((a, b) => Number(isRefused(a)) - Number(isRefused(b)));
    const { id } = accepted(written);
    const holder = { id, email: "ada@example.com", externalId: "ada@example.com" };
    for (const refusal of refusals) assert.deepEqual(refused(refusal, "email_taken").conflict?.contacts[1], holder);
    assert.equal((await allContacts(storage)).filter(({ email }) => email === "ada@example.com").length, 1);
  });

  test("contacts that want each other's externalIds at once never share one", async ({ storage }) => {
    const ada = await createAda(storage);
    const bob = await createBob(storage);
    await atOnce(40, (index) =>
      upsert(storage, {
        email: index % 2 === 0 ? "ada@example.com" : "bob@example.com",
        fields: { externalId: `u_${index % 3}` },
      }),
    );
    const [first, second] = await allContacts(storage);
    assert.deepEqual([first?.id, second?.id], [ada.id, bob.id]);
    assert.notEqual(first?.externalId, second?.externalId);
  });
}
