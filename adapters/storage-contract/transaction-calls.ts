import assert from "node:assert/strict";
import {
  accepted,
  allContacts,
  atOnce,
  callsOnContactsAndEvents,
  countOf,
  createContact,
  recordEvent,
  refused,
  rejected,
  update,
  upsert,
} from "./calls.ts";
import { at, contactDraft, eventDraft, newIds, workspace } from "./drafts.ts";
import type { Begun, StorageTest } from "./fresh-storage.ts";

export function transactionCalls(test: StorageTest): void {
  test("a refusal inside leaves nothing half written, and the transaction goes on", async ({ storage, begin }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
    const { inside, commit } = await begin();
    const bob = await createContact(inside, { email: "bob@example.com" });
    const taken = { fields: { name: "Bob", externalId: "u_1" }, at: at + 1 };
    refused(await update(inside, { externalId: "bob@example.com", ...taken }), "external_id_taken");
    const [carol, refusal, dan] = await inside.upsertContacts([
      contactDraft({ email: "carol@example.com" }),
      contactDraft({ email: "bob@example.com", ...taken }),
      contactDraft({ email: "dan@example.com" }),
    ]);
    refused(refusal, "external_id_taken");
    assert.deepEqual(await inside.recordEvents([eventDraft({ contact: { externalId: "nobody" } })]), [null]);
    refused(await inside.deleteContact(workspace, "nobody"), "contact_not_found");
    await commit();
    const [, ...written] = await allContacts(storage);
    assert.deepEqual(written, [bob, accepted(carol).contact, accepted(dan).contact]);
  });

  test("ten calls at once on one transaction all take effect", async ({ storage, begin }) => {
    const ids = newIds(5);
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    await Promise.all([
      atOnce(5, () => recordEvent(inside)),
      atOnce(5, (index) => upsert(inside, { attributes: { [ids[index]!]: index } })),
    ]);
    await commit();
    assert.equal(await countOf(storage, id), 5);
    const ada = await storage.findContact(workspace, "ada@example.com");
    assert.deepEqual(ada?.attributes, Object.fromEntries(ids.map((id, index) => [id, index])));
  });

  test("calls inside a transaction take no items, and many", async ({ storage, begin }) => {
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    assert.deepEqual(await inside.upsertContacts([]), []);
    assert.deepEqual(await inside.recordEvents([]), []);
    await inside.recordEvents(newIds(1_001).map((id) => eventDraft({ id })));
    await commit();
    assert.equal(await countOf(storage, id), 1_001);
  });

  test("a transaction may write to several workspaces", async ({ storage, begin }) => {
    const { inside, commit } = await begin();
    for (const workspace of ["acme", "other"]) await createContact(inside, { workspace, fields: { name: workspace } });
    await commit();
    for (const name of ["acme", "other"]) {
      assert.equal((await storage.findContact(name, "ada@example.com"))?.name, name);
    }
  });

  for (const end of ["commit", "rollback"] as const) {
    test(`after its ${end} a transaction rejects with transaction_required, and writes nothing`, async ({
      storage,
      begin,
    }) => {
      const begun: Begun = await begin();
      await createContact(begun.inside, { email: "bob@example.com" });
      await begun[end]();
      const before = await allContacts(storage);
      // The handle of before the end, and one made afterwards.
      for (const inside of [begun.inside, storage.within(begun.transaction)]) {
        for (const call of callsOnContactsAndEvents(inside)) await rejected(call(), "transaction_required");
      }
      assert.deepEqual(await allContacts(storage), before);
    });
  }
}
