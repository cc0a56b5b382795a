import assert from "node:assert/strict";
import type { TrackerError } from "../../lib/errors.ts";
import type { ContactFields, ContactRow } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { accepted, allContacts, atOnce, createContact, refused, update, upsert } from "./calls.ts";
import { at } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

// The calls must be refused, each with the conflict, and the contacts stay what they are.
async function assertTaken(
  storage: Storage,
  field: "email" | "externalId",
  contacts: { id: string; email: string; externalId: string }[],
  ...calls: ((storage: Storage) => Promise<unknown>)[]
): Promise<void> {
  const before = await allContacts(storage);
  for (const call of calls) {
    const refusal: TrackerError = refused(await call(storage), field === "email" ? "email_taken" : "external_id_taken");
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
  test("an email that another contact has is refused: the contact to be written is named, then its holder", async ({
    storage,
  }) => {
    const ada = await createAda(storage, null);
    const bob = await createBob(storage);
    await assertTaken(
      storage,
      "email",
      [
        { id: ada.id, email: "ada@example.com", externalId: "ada@example.com" },
        { id: bob.id, email: "bob@example.com", externalId: "u_2" },
      ],
      (storage) => update(storage, { fields: { email: "bob@example.com", name: "Ada" }, at: at + 1 }),
    );
  });

  test("an externalId that another contact has is refused: the contact to be written is named, then its holder", async ({
    storage,
  }) => {
    const ada = await createAda(storage, null);
    const bob = await createBob(storage);
    await assertTaken(
      storage,
      "externalId",
      [
        { id: ada.id, email: "ada@example.com", externalId: "ada@example.com" },
        { id: bob.id, email: "bob@example.com", externalId: "u_2" },
      ],
      (storage) => update(storage, { fields: { externalId: "u_2", name: "Ada" }, at: at + 1 }),
      (storage) => upsert(storage, { fields: { externalId: "u_2", name: "Ada" }, at: at + 1 }),
    );
  });

  test("an externalId that is another contact's email, which stands in, is refused", async ({ storage }) => {
    const ada = await createAda(storage);
    const bob = await createBob(storage, null);
    await assertTaken(
      storage,
      "externalId",
      [
        { id: ada.id, email: "ada@example.com", externalId: "u_1" },
        { id: bob.id, email: "bob@example.com", externalId: "bob@example.com" },
      ],
      (storage) => update(storage, { externalId: "u_1", fields: { externalId: "bob@example.com" } }),
      (storage) => upsert(storage, { email: "ada@example.com", fields: { externalId: "bob@example.com" } }),
    );
  });

  test("a contact whose email is another's externalId may not give its own up", async ({ storage }) => {
    const ada = await createAda(storage);
    const bob = await createBob(storage, "ada@example.com");
    await assertTaken(
      storage,
      "externalId",
      [
        { id: ada.id, email: "ada@example.com", externalId: "u_1" },
        { id: bob.id, email: "bob@example.com", externalId: "ada@example.com" },
      ],
      (storage) => update(storage, { externalId: "u_1", fields: { externalId: null } }),
      (storage) => upsert(storage, { email: "ada@example.com", fields: { externalId: null } }),
    );
  });

  test("a contact without an externalId of its own may not move to an email that is another's externalId", async ({
    storage,
  }) => {
    const ada = await createAda(storage, "bob@new.example");
    const bob = await createBob(storage, null);
    await assertTaken(
      storage,
      "externalId",
      [
        { id: bob.id, email: "bob@example.com", externalId: "bob@example.com" },
        { id: ada.id, email: "ada@example.com", externalId: "bob@new.example" },
      ],
      (storage) => update(storage, { externalId: "bob@example.com", fields: { email: "bob@new.example" } }),
    );
  });

  test("a new contact is not created where its externalId is taken: the holder alone is named", async ({ storage }) => {
    const ada = await createAda(storage, "u_1");
    const bob = await createBob(storage, null);
    await assertTaken(storage, "externalId", [{ id: ada.id, email: "ada@example.com", externalId: "u_1" }], (storage) =>
      upsert(storage, { email: "carol@example.com", fields: { externalId: "u_1" } }),
    );
    await assertTaken(
      storage,
      "externalId",
      [{ id: bob.id, email: "bob@example.com", externalId: "bob@example.com" }],
      (storage) => upsert(storage, { email: "carol@example.com", fields: { externalId: "bob@example.com" } }),
    );
  });

  test("a new contact is not created where its email is another's externalId, unless it brings its own", async ({
    storage,
  }) => {
    const ada = await createAda(storage, "bob@example.com");
    await assertTaken(
      storage,
      "externalId",
      [{ id: ada.id, email: "ada@example.com", externalId: "bob@example.com" }],
      (storage) => upsert(storage, { email: "bob@example.com" }),
    );
    await createBob(storage, "u_2");
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

  test("of 20 contacts that want one email at once exactly one gets it", async ({ storage }) => {
    await atOnce(20, (index) => createContact(storage, { email: `${index}@example.com` }));
    const results = await atOnce(20, (index) =>
      update(storage, { externalId: `${index}@example.com`, fields: { email: "ada@example.com" } }),
    );
    const [written, ...refusals] = results.toSorted((a, b) => Number("code" in a) - Number("code" in b));
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
