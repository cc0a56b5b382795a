import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { newId } from "../../lib/ids.ts";
import { accepted, allContacts, countOf, createContact, recordEvent, refused, update, upsert } from "./calls.ts";
import { at, keyed } from "./drafts.ts";
import { assertWaiting, start } from "./pending.ts";
import type { StorageTest } from "./fresh-storage.ts";

/** What must stay unique is decided when it is known who has it. */
export function transactionNames(test: StorageTest): void {
  test("an upsert elsewhere of an email that was created inside waits, and then patches that contact", async ({
    storage,
    begin,
  }) => {
    const { inside, commit } = await begin();
    const { id } = await createContact(inside, { fields: { name: "Ada", externalId: "u_1" } });
    const call = start(upsert(storage, { fields: { plan: "pro" } }));
    await assertWaiting(call);
    await commit();
    const { contact, created } = accepted(await call.result);
    assert.deepEqual([contact.id, contact.name, contact.plan, created], [id, "Ada", "pro", false]);
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("an upsert elsewhere of an email that was created inside creates it after a rollback", async ({
    storage,
    begin,
  }) => {
    const { inside, rollback } = await begin();
    await createContact(inside, { fields: { name: "Ada", externalId: "u_1" } });
    const id = newId(at);
    const call = start(upsert(storage, { id }));
    await assertWaiting(call);
    await rollback();
    const { contact, created } = accepted(await call.result);
    assert.deepEqual([contact.id, contact.name, created], [id, null, true]);
  });

  for (const end of ["commit", "rollback"] as const) {
    test(`whether an externalId given inside is taken elsewhere is decided by the ${end}`, async ({
      storage,
      begin,
    }) => {
      await createContact(storage, { email: "ada@example.com" });
      await createContact(storage, { email: "bob@example.com" });
      const begun = await begin();
      accepted(await update(begun.inside, { fields: { externalId: "u_1" } }));
      const call = start(update(storage, { externalId: "bob@example.com", fields: { externalId: "u_1" } }));
      await pause(200);
      await begun[end]();
      if (end === "commit") refused(await call.result, "external_id_taken");
      else assert.equal(accepted(await call.result).externalId, "u_1");
    });

    test(`whether an email left inside is free elsewhere is decided by the ${end}`, async ({ storage, begin }) => {
      await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
      await createContact(storage, { email: "bob@example.com", fields: { externalId: "u_2" } });
      const begun = await begin();
      accepted(await update(begun.inside, { externalId: "u_1", fields: { email: "ada@new.example" } }));
      const call = start(update(storage, { externalId: "u_2", fields: { email: "ada@example.com" } }));
      await pause(200);
      await begun[end]();
      if (end === "rollback") refused(await call.result, "email_taken");
      else assert.equal(accepted(await call.result).email, "ada@example.com");
    });

    test(`whether an idempotency hash used inside is used elsewhere is decided by the ${end}`, async ({
      storage,
      begin,
    }) => {
      const ada = await createContact(storage, { email: "ada@example.com" });
      const bob = await createContact(storage, { email: "bob@example.com" });
      const begun = await begin();
      await recordEvent(begun.inside, { contact: { email: "ada@example.com" }, ...keyed("k") });
      const call = start(recordEvent(storage, { contact: { email: "bob@example.com" }, ...keyed("k") }));
      await pause(200);
      await begun[end]();
      assert.equal((await call.result).contactId, end === "commit" ? ada.id : bob.id);
      assert.equal((await countOf(storage, ada.id)) + (await countOf(storage, bob.id)), 1);
    });
  }
}
