import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Storage } from "../../lib/storage/port.ts";
import {
  accepted,
  allContacts,
  atOnce,
  callsOnContactsAndEvents,
  countOf,
  createContact,
  record,
  recordEvent,
  rejected,
  update,
  upsert,
} from "./calls.ts";
import { eventDraft, keyed, workspace } from "./drafts.ts";
import type { Begun, StorageTest } from "./fresh-storage.ts";

// Two transactions that wait for each other. The first of the answer was given up, the second was not.
async function lockEachOther(storage: Storage, begin: () => Promise<Begun>): Promise<[Begun, Begun]> {
  for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
  const [one, two] = [await begin(), await begin()];
  accepted(await update(one.inside, { externalId: "ada@example.com", fields: { name: "one" } }));
  accepted(await update(two.inside, { externalId: "bob@example.com", fields: { name: "two" } }));
  const [ofOne, ofTwo] = await Promise.allSettled([
    update(one.inside, { externalId: "bob@example.com", fields: { name: "one" } }),
    update(two.inside, { externalId: "ada@example.com", fields: { name: "two" } }),
  ]);
  assert.deepEqual([ofOne.status, ofTwo.status].sort(), ["fulfilled", "rejected"]);
  const lost = ofOne.status === "rejected" ? ofOne : ofTwo;
  await rejected(Promise.reject((lost as PromiseRejectedResult).reason as Error), "transaction_lost");
  return lost === ofOne ? [one, two] : [two, one];
}

export function transactionRaces(test: StorageTest): void {
  test("of two transactions that wait for each other one is lost with all it wrote, and the other commits", async ({
    storage,
    begin,
  }) => {
    const [lost, kept] = await lockEachOther(storage, begin);
    await createContact(kept.inside, { email: "carol@example.com", fields: { name: "kept" } });
    await kept.commit();
    await lost.rollback();
    const [ada, bob, carol] = await allContacts(storage);
    assert.equal(carol?.name, "kept");
    assert.equal(ada?.name, bob?.name);
    assert.notEqual(ada?.name, null);
  });

  test("a transaction that was lost rejects every further call with transaction_lost", async ({ storage, begin }) => {
    const [lost, kept] = await lockEachOther(storage, begin);
    for (const inside of [lost.inside, storage.within(lost.transaction)]) {
      for (const call of callsOnContactsAndEvents(inside)) await rejected(call(), "transaction_lost");
    }
    await kept.commit();
    const names = (await allContacts(storage)).map(({ name }) => name);
    assert.equal(names.length, 2);
    assert.equal(new Set(names).size, 1);
  });

  test("what a lost transaction held is free", async ({ storage, begin }) => {
    const [, kept] = await lockEachOther(storage, begin);
    await kept.rollback();
    for (const externalId of ["ada@example.com", "bob@example.com"]) {
      assert.equal(accepted(await update(storage, { externalId, fields: { plan: "pro" } })).name, null);
    }
  });

  test("a transaction waits for another's write to a contact, and then builds on it", async ({ storage, begin }) => {
    await createContact(storage);
    const [one, two] = [await begin(), await begin()];
    accepted(await update(one.inside, { fields: { name: "one" } }));
    const [updated] = await Promise.all([
      update(two.inside, { fields: { plan: "two" } }),
      pause(200).then(() => one.commit()),
    ]);
    assert.deepEqual([accepted(updated).name, accepted(updated).plan], ["one", "two"]);
    await two.commit();
    assert.deepEqual(await allContacts(storage), [updated]);
  });

  test("a transaction waits for another's creation of an email, and then patches that contact", async ({
    storage,
    begin,
  }) => {
    const [one, two] = [await begin(), await begin()];
    const { id } = await createContact(one.inside, { fields: { name: "one" } });
    const [upserted] = await Promise.all([
      upsert(two.inside, { fields: { plan: "two" } }),
      pause(200).then(() => one.commit()),
    ]);
    await two.commit();
    const { contact, created } = accepted(upserted);
    assert.deepEqual([contact.id, contact.name, contact.plan, created], [id, "one", "two", false]);
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("a call inside that waits 5 s for another transaction rejects with storage_unavailable and is not half written", async ({
    storage,
    begin,
  }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    const [one, two] = [await begin(), await begin()];
    accepted(await update(one.inside, { externalId: "ada@example.com", fields: { name: "one" } }));
    const drafts = ["bob@example.com", "ada@example.com"].map((email) => eventDraft({ contact: { email } }));
    await rejected(two.inside.recordEvents(drafts), "storage_unavailable");
    accepted(await update(two.inside, { externalId: "bob@example.com", fields: { name: "two" } }));
    await two.commit();
    await one.commit();
    const contacts = await allContacts(storage);
    assert.deepEqual(
      contacts.map(({ name }) => name),
      ["one", "two"],
    );
    assert.deepEqual(await Promise.all(contacts.map(({ id }) => countOf(storage, id))), [0, 0]);
  });

  test("transactions on different contacts, old and new, do not wait for each other", async ({ storage, begin }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    const [one, two] = [await begin(), await begin()];
    for (const [{ inside }, name] of [
      [one, "ada"],
      [two, "bob"],
    ] as const) {
      accepted(await update(inside, { externalId: `${name}@example.com`, fields: { name } }));
      await recordEvent(inside, { contact: { email: `${name}@example.com` } });
      await createContact(inside, { email: `${name}@new.example` });
      await createContact(inside, { email: `${name}@another.example` });
    }
    await Promise.all([one.commit(), two.commit()]);
    assert.equal((await allContacts(storage)).length, 6);
  });

  test("ten transactions that each record one event of a contact at once all commit", async ({ storage, begin }) => {
    const { id } = await createContact(storage);
    await atOnce(10, async () => {
      const { inside, commit } = await begin();
      await recordEvent(inside);
      await commit();
    });
    assert.equal(await countOf(storage, id), 10);
  });

  test("a write inside builds on what was committed elsewhere since the transaction began", async ({
    storage,
    begin,
  }) => {
    const ada = await createContact(storage);
    const { inside, commit } = await begin();
    assert.deepEqual(await inside.findContact(workspace, "ada@example.com"), ada);
    accepted(await update(storage, { fields: { name: "Ada" } }));
    await recordEvent(storage);
    const updated = accepted(await update(inside, { fields: { plan: "pro" } }));
    await recordEvent(inside);
    assert.deepEqual([updated.name, updated.plan], ["Ada", "pro"]);
    await commit();
    assert.deepEqual(await allContacts(storage), [updated]);
    assert.equal(await countOf(storage, ada.id), 2);
  });

  test("an upsert inside patches a contact that was created elsewhere since the transaction began", async ({
    storage,
    begin,
  }) => {
    const { inside, commit } = await begin();
    assert.deepEqual(await allContacts(inside), []);
    const ada = await createContact(storage, { fields: { name: "Ada" } });
    const { contact, created } = accepted(await upsert(inside, { fields: { plan: "pro" } }));
    assert.deepEqual([contact.id, contact.name, created], [ada.id, "Ada", false]);
    await commit();
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("an event inside is answered as it was recorded elsewhere since the transaction began", async ({
    storage,
    begin,
  }) => {
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    assert.equal(await countOf(inside, id), 0);
    const event = await recordEvent(storage, keyed("k"));
    assert.deepEqual(await record(inside, keyed("k", "other input")), event);
    assert.deepEqual(await record(inside, { id: event.id }), event);
    await commit();
    assert.equal(await countOf(storage, id), 1);
  });
}
