import assert from "node:assert/strict";
import { newId } from "../../lib/ids.ts";
import { accepted, allContacts, atOnce, createContact, refused, upsert } from "./calls.ts";
import { at, attributesOf, contactDraft, newIds, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

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
    assert.deepEqual(await storage.findContact("acme", "ada@example.com"), contact);
  });

  test("an upsert stores every field and attribute that is given", async ({ storage }) => {
    const [plan, seats, active] = [newId(at), newId(at), newId(at)];
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
    assert.deepEqual(await storage.findContact(workspace, "u_1"), created);
  });

  test("an upsert of a known email patches its contact, which keeps its id and createdAt", async ({ storage }) => {
    const ada = await createContact(storage, { fields: { name: "Ada" } });
    const again = await upsert(storage, { id: newId(at), fields: { plan: "pro" }, at: at + 1 });
    const contact = { ...ada, plan: "pro", updatedAt: at + 1 };
    assert.deepEqual(again, { contact, created: false });
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("upserts of no contacts are answered with none", async ({ storage }) => {
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

  test("an externalId that an item took is taken for the next, and one that an item left is free", async ({
    storage,
  }) => {
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
    assert.equal((await storage.findContact(workspace, "u_1"))?.id, accepted(carol).contact.id);
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
    assert.deepEqual(await storage.findContact(workspace, "bob@example.com"), bob);
    assert.deepEqual(await storage.findContact(workspace, "carol@example.com"), accepted(carol).contact);
    assert.deepEqual(await storage.findContact(workspace, "dan@example.com"), accepted(dan).contact);
  });

  test("of 50 first upserts of one email in one array only the first creates, and all are merged", async ({
    storage,
  }) => {
    const ids = newIds(50);
    const drafts = ids.map((id) => contactDraft({ id, attributes: { [id]: true } }));
    const results = (await storage.upsertContacts(drafts)).map(accepted);
    assert.deepEqual(
      results.map(({ contact, created }) => [contact.id, created]),
      ids.map((_, index) => [ids[0], index === 0]),
    );
    const [contact, ...others] = await allContacts(storage);
    assert.deepEqual([contact?.attributes, others], [attributesOf(ids, true), []]);
  });

  test("of 50 first upserts of one email at once exactly one creates, and all are merged", async ({ storage }) => {
    const ids = newIds(50);
    const results = await atOnce(50, (index) => upsert(storage, { attributes: { [ids[index]!]: true } }));
    const contacts = results.map((result) => accepted(result).contact);
    assert.equal(results.filter((result) => accepted(result).created).length, 1);
    assert.equal(new Set(contacts.map(({ id }) => id)).size, 1);
    const [contact, ...others] = await allContacts(storage);
    assert.deepEqual([contact?.id, contact?.attributes, others], [contacts[0]?.id, attributesOf(ids, true), []]);
  });

  test("arrays that name the same new emails in opposite orders at once create each contact once", async ({
    storage,
  }) => {
    const ada = (): ReturnType<typeof contactDraft> => contactDraft({ email: "ada@example.com" });
    const bob = (): ReturnType<typeof contactDraft> => contactDraft({ email: "bob@example.com" });
    const results = await atOnce(20, (index) =>
      storage.upsertContacts(index % 2 === 0 ? [ada(), bob()] : [bob(), ada()]),
    );
    assert.equal(results.flat().filter((result) => accepted(result).created).length, 2);
    assert.equal((await allContacts(storage)).length, 2);
  });

  test("of 20 new contacts that want one externalId at once exactly one gets it", async ({ storage }) => {
    const results = await atOnce(20, (index) =>
      upsert(storage, { email: `${index}@example.com`, fields: { externalId: "u_1" } }),
    );
    const contacts = await allContacts(storage);
    assert.deepEqual(
      contacts.map(({ externalId }) => externalId),
      ["u_1"],
    );
    const { id, email } = contacts[0]!;
    const conflict = { field: "externalId", contacts: [{ id, email, externalId: "u_1" }] };
    const refusals = results.filter((result) => !("created" in result));
    assert.deepEqual(
      refusals.map((refusal) => refused(refusal, "external_id_taken").conflict),
      Array.from({ length: 19 }, () => conflict),
    );
  });
}
