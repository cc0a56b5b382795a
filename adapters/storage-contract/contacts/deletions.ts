import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { ContactRow } from "../../../lib/storage/rows.ts";
import {
  accepted,
  allContacts,
  atOnce,
  countOf,
  createContact,
  eventsOf,
  isRefused,
  newAttributes,
  record,
  recordAll,
  recordEvent,
  refused,
  upsert,
} from "../calls.ts";
import { contentOf, fillWorkspace, ofContact } from "../content.ts";
import { at, eventDraft, keyed, newIds, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function deletions(test: StorageTest): void {
  test("a contact is deleted by each of its names, and leaves a new one nothing but them", async ({ storage }) => {
    const [attribute] = await newAttributes(storage, 1);
    for (const [externalId, identifier] of [
      ["u_1", "u_1"],
      ["u_1", "ada@example.com"],
      ["u_1", "ADA@Example.com"],
      [null, "Ada@example.com"],
      ["ada@example.com", "ada@example.com"],
    ] as const) {
      const { id, name, attributes } = await createContact(storage, { fields: { externalId } });
      assert.deepEqual([name, attributes], [null, {}]);
      accepted(await upsert(storage, { fields: { name: "Ada" }, attributes: { [attribute]: 1 } }));
      assert.deepEqual(await storage.deleteContact(workspace, identifier, at), { contactId: id, events: 0 });
      assert.deepEqual(await allContacts(storage), []);
    }
  });

  test("a deletion is refused where there is no such contact", async ({ storage }) => {
    const ada = await createContact(storage, { email: "kim@example.com", fields: { externalId: "u_1" } });
    for (const identifier of ["U_1", "u%1", "bob@example.com", "\u212aim@example.com", ada.id]) {
      refused(await storage.deleteContact(workspace, identifier, at), "contact_not_found");
    }
    assert.deepEqual(await allContacts(storage), [ada]);
  });

  test("a deletion leaves nothing of the contact, and tells how many events it removed", async ({ storage }) => {
    await fillWorkspace(storage, workspace);
    const [[ada]] = (await contentOf(storage, workspace)) as [[ContactRow]];
    assert.deepEqual(await storage.deleteContact(workspace, "u_1", at), { contactId: ada.id, events: 2 });

    assert.equal(await storage.findContact(workspace, { externalId: "ada@example.com" }), null);
    assert.equal(await eventsOf(storage, "u_1"), null);
    assert.deepEqual((await ofContact(storage, workspace, ada.id)).flat(), []);
    // The API key, the watch and the definitions stay, and of the changes that of the deletion.
    const left = (await contentOf(storage, workspace)).map(({ length }) => length);
    assert.deepEqual(left, [...Array(15).fill(0), 1, 1, 1, 5]);
    refused(await storage.deleteContact(workspace, "u_1", at), "contact_not_found");
  });

  test("a deletion leaves other contacts and their events as they are", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com" });
    const bob = await createContact(storage, { email: "bob@example.com" });
    await recordEvent(storage, { contact: { email: "ada@example.com" } });
    const event = await recordEvent(storage, { contact: { email: "bob@example.com" }, ...keyed("k") });
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    assert.deepEqual(await allContacts(storage), [bob]);
    assert.deepEqual(await eventsOf(storage, "bob@example.com"), [event]);
    assert.equal(await countOf(storage, bob.id), 1);
    assert.deepEqual(await record(storage, keyed("k")), event);
  });

  test("after a deletion its externalId is free as another's email, and the other way round", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "bob@example.com" } });
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    await createContact(storage, { email: "bob@example.com" });
    accepted(await storage.deleteContact(workspace, "bob@example.com", at));
    await createContact(storage, { email: "ada@example.com", fields: { externalId: "bob@example.com" } });
  });

  test("after a deletion its events' idempotency keys and ids are free", async ({ storage }) => {
    await createContact(storage);
    const draft = eventDraft(keyed("k"));
    await recordAll(storage, [draft]);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    assert.deepEqual(await recordAll(storage, [draft]), [null]);

    const { id } = await createContact(storage);
    const otherId = newId(at);
    const [byHash] = await recordAll(storage, [{ ...draft, id: otherId }]);
    assert.deepEqual([byHash?.id, byHash?.contactId], [otherId, id]);
    const [byId] = await recordAll(storage, [{ ...draft, idempotencyHash: null, fingerprint: null }]);
    assert.deepEqual([byId?.id, byId?.contactId], [draft.id, id]);
    assert.equal(await countOf(storage, id), 2);
  });

  test("an identifier that is one's externalId and another's email deletes none, names both", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com", fields: { externalId: "bob@example.com" } });
    const bob = await createContact(storage, { email: "bob@example.com", fields: { externalId: "u_2" } });
    const refusal = refused(await storage.deleteContact(workspace, "bob@example.com", at), "ambiguous_identifier");
    assert.deepEqual(refusal.conflict, {
      field: "identifier",
      contacts: [
        { id: ada.id, email: "ada@example.com", externalId: "bob@example.com" },
        { id: bob.id, email: "bob@example.com", externalId: "u_2" },
      ],
    });
    assert.deepEqual(await allContacts(storage), [ada, bob]);
  });

  test("an identifier is ambiguous also by an email in another case, not where it is exact", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com", fields: { externalId: "BOB@example.com" } });
    const bob = await createContact(storage, { email: "bob@example.com" });
    const refusal = refused(await storage.deleteContact(workspace, "BOB@example.com", at), "ambiguous_identifier");
    const ids = refusal.conflict?.contacts.map(({ id }) => id);
    assert.deepEqual(ids, [ada.id, bob.id]);
    assert.deepEqual(await storage.deleteContact(workspace, "bob@example.com", at), { contactId: bob.id, events: 0 });
    assert.deepEqual(await allContacts(storage), [ada]);
  });

  test("a contact of 2,500 events is deleted with all of them", async ({ storage }) => {
    const { id } = await createContact(storage);
    const results = await recordAll(
      storage,
      newIds(2_500).map((eventId) => eventDraft({ id: eventId })),
    );
    assert.equal(results.filter((row) => row?.contactId === id).length, 2_500);
    assert.deepEqual(await storage.deleteContact(workspace, "ada@example.com", at), { contactId: id, events: 2_500 });
    assert.deepEqual(await storage.findSummaries(workspace, id), []);
    await createContact(storage);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), []);
  });

  test("of 10 deletions of a contact at once exactly one removes it", async ({ storage }) => {
    const { id } = await createContact(storage);
    await recordEvent(storage);
    const results = await atOnce(10, () => storage.deleteContact(workspace, "ada@example.com", at));
    const receipts = results.filter((result) => !isRefused(result));
    assert.deepEqual(receipts, [{ contactId: id, events: 1 }]);
    for (const result of results) if (isRefused(result)) refused(result, "contact_not_found");
  });

  test("of events and a deletion at once, the deletion removes those that were recorded", async ({ storage }) => {
    const { id } = await createContact(storage);
    const recordings = (): Promise<(object | null)[]> => atOnce(20, () => record(storage));
    const [before, deletion, after] = await Promise.all([
      recordings(),
      storage.deleteContact(workspace, "ada@example.com", at),
      recordings(),
    ]);
    const recorded = [...before, ...after].filter((row) => row !== null).length;
    assert.deepEqual(deletion, { contactId: id, events: recorded });
    assert.deepEqual(await storage.findSummaries(workspace, id), []);
  });
}
