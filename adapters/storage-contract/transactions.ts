import assert from "node:assert/strict";
import type { Storage } from "../../lib/storage/port.ts";
import {
  accepted,
  allContacts,
  countOf,
  createContact,
  eventsOf,
  record,
  recordEvent,
  update,
  upsert,
} from "./calls.ts";
import { at, keyed, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

// What can be seen of the contacts ada, bob and carol, and of their events.
async function seen(storage: Storage): Promise<unknown[]> {
  const contacts = await allContacts(storage);
  return [
    contacts,
    await Promise.all(["ada", "bob", "carol"].map((name) => storage.findContact(workspace, `${name}@example.com`))),
    await Promise.all(["ada", "bob", "carol"].map((name) => eventsOf(storage, `${name}@example.com`))),
    await Promise.all(contacts.map(({ id }) => storage.findSummaries(workspace, id))),
  ];
}

// Patches ada, who has an event, deletes bob, and creates carol, each with an event.
async function writeOfEachKind(inside: Storage): Promise<void> {
  accepted(await upsert(inside, { email: "ada@example.com", fields: { name: "Ada" }, at: at + 1 }));
  accepted(await update(inside, { externalId: "ada@example.com", fields: { plan: "pro" }, at: at + 2 }));
  await recordEvent(inside, { contact: { email: "ada@example.com" }, createdAt: at + 1 });
  accepted(await inside.deleteContact(workspace, "bob@example.com"));
  await createContact(inside, { email: "carol@example.com" });
  await recordEvent(inside, { contact: { email: "carol@example.com" }, ...keyed("carol") });
}

async function createAdaAndBob(storage: Storage): Promise<void> {
  for (const email of ["ada@example.com", "bob@example.com"]) {
    await createContact(storage, { email });
    await recordEvent(storage, { contact: { email }, ...keyed(email) });
  }
}

export function transactions(test: StorageTest): void {
  test("what a transaction wrote is seen inside at once", async ({ storage, begin }) => {
    await createAdaAndBob(storage);
    const { inside } = await begin();
    await writeOfEachKind(inside);
    const [ada, carol, ...others] = await allContacts(inside);
    assert.deepEqual([ada?.name, ada?.plan, ada?.updatedAt], ["Ada", "pro", at + 2]);
    assert.deepEqual([carol?.email, others], ["carol@example.com", []]);
    assert.deepEqual(await inside.findContact(workspace, "ada@example.com"), ada);
    assert.deepEqual(await inside.findContact(workspace, "carol@example.com"), carol);
    assert.equal(await inside.findContact(workspace, "bob@example.com"), null);
    assert.equal((await eventsOf(inside, "ada@example.com"))?.length, 2);
    assert.equal((await eventsOf(inside, "carol@example.com"))?.length, 1);
    assert.equal(await eventsOf(inside, "bob@example.com"), null);
    assert.deepEqual(await inside.findSummaries(workspace, ada!.id), [
      { eventKey: "step", count: 2, firstAt: at, lastAt: at + 1 },
    ]);
    assert.equal(await countOf(inside, carol!.id), 1);
  });

  test("what a transaction wrote is seen outside after the commit, and not before", async ({ storage, begin }) => {
    await createAdaAndBob(storage);
    const before = await seen(storage);
    const { inside, commit } = await begin();
    await writeOfEachKind(inside);
    const written = await seen(inside);
    assert.notDeepEqual(written, before);
    assert.deepEqual(await seen(storage), before);
    await commit();
    assert.deepEqual(await seen(storage), written);
  });

  test("what a transaction wrote is seen nowhere after a rollback", async ({ storage, begin }) => {
    await createAdaAndBob(storage);
    const before = await seen(storage);
    const { inside, rollback } = await begin();
    await writeOfEachKind(inside);
    await rollback();
    assert.deepEqual(await seen(storage), before);
    assert.equal(accepted(await upsert(storage, { email: "carol@example.com" })).created, true);
    assert.ok(await record(storage, { contact: { email: "carol@example.com" }, ...keyed("carol") }));
    assert.equal(accepted(await storage.deleteContact(workspace, "bob@example.com")).events, 1);
  });

  test("a transaction that wrote nothing may be committed and rolled back", async ({ storage, begin }) => {
    await createAdaAndBob(storage);
    const before = await seen(storage);
    for (const end of ["commit", "rollback"] as const) {
      const begun = await begin();
      await seen(begun.inside);
      await begun[end]();
    }
    assert.deepEqual(await seen(storage), before);
  });

  test("inside a transaction names and idempotency keys are free at once", async ({ storage, begin }) => {
    const fields = { externalId: "u_1" };
    const first = await createContact(storage, { fields });
    await recordEvent(storage, keyed("k"));
    const { inside, commit } = await begin();
    accepted(await inside.deleteContact(workspace, "u_1"));
    const second = await createContact(inside, { fields });
    assert.equal((await recordEvent(inside, keyed("k"))).contactId, second.id);
    await commit();
    assert.deepEqual(await allContacts(storage), [second]);
    assert.notEqual(second.id, first.id);
    assert.equal((await recordEvent(storage, keyed("k"))).contactId, second.id);
    assert.equal(await countOf(storage, second.id), 1);
  });

  test("an event recorded inside is answered as it was, inside and after the commit", async ({ storage, begin }) => {
    await createContact(storage);
    const { inside, commit } = await begin();
    const event = await recordEvent(inside, keyed("k"));
    assert.deepEqual(await record(inside, keyed("k", "other input")), event);
    assert.deepEqual(await record(inside, { id: event.id }), event);
    await commit();
    assert.deepEqual(await record(storage, keyed("k")), event);
    assert.equal(await countOf(storage, event.contactId), 1);
  });

  test("transactions begun one after another each see what the last committed", async ({ storage, begin }) => {
    const { id } = await createContact(storage);
    for (let count = 0; count < 3; count++) {
      const { inside, commit } = await begin();
      assert.equal(await countOf(inside, id), count);
      await recordEvent(inside);
      await commit();
    }
    assert.equal(await countOf(storage, id), 3);
  });
}
