import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactRow, EventRow, EventSummary } from "../../../lib/storage/rows.ts";
import {
  accepted,
  allContacts,
  atOnce,
  callsOnContactsAndEvents,
  countOf,
  createContact,
  eventsOf,
  newAttributes,
  record,
  recordEvent,
  refused,
  rejected,
  update,
  upsert,
} from "../calls.ts";
import { at, contactDraft, eventDraft, keyed, newIds, workspace } from "../drafts.ts";
import type { Begun, StorageTest } from "../fresh-storage.ts";
import { waitBehind } from "../pending.ts";

// The visible contacts; ada, bob and carol; the events of these three; and the summaries of each visible contact.
type Seen = [ContactRow[], (ContactRow | null)[], (EventRow[] | null)[], EventSummary[][]];

async function seen(storage: Storage): Promise<Seen> {
  const contacts = await allContacts(storage);
  return [
    contacts,
    await Promise.all(
      ["ada", "bob", "carol"].map((name) => storage.findContact(workspace, { externalId: `${name}@example.com` })),
    ),
    await Promise.all(["ada", "bob", "carol"].map((name) => eventsOf(storage, `${name}@example.com`))),
    await Promise.all(contacts.map(({ id }) => storage.findSummaries(workspace, id))),
  ];
}

// Patches ada, deletes bob and creates carol. Records an event of ada and one of carol.
async function writeOfEachKind(inside: Storage): Promise<void> {
  accepted(await upsert(inside, { email: "ada@example.com", fields: { name: "Ada" }, at: at + 1 }));
  accepted(await update(inside, { externalId: "ada@example.com", fields: { plan: "pro" }, at: at + 2 }));
  await recordEvent(inside, { contact: { email: "ada@example.com" }, createdAt: at + 1 });
  accepted(await inside.deleteContact(workspace, "bob@example.com", at));
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
  test("what a transaction wrote is seen inside at once, outside after the commit", async ({ storage, begin }) => {
    await createAdaAndBob(storage);
    const before = await seen(storage);
    const { inside, commit } = await begin();
    await writeOfEachKind(inside);
    const written = await seen(inside);
    const [[ada, carol, ...others], found, events, summaries] = written;
    assert.deepEqual([ada?.name, ada?.plan, ada?.updatedAt], ["Ada", "pro", at + 2]);
    assert.deepEqual([carol?.email, others], ["carol@example.com", []]);
    assert.deepEqual(found, [ada, null, carol]);
    assert.deepEqual(
      events.map((rows) => rows && rows.length),
      [2, null, 1],
    );
    assert.deepEqual(summaries, [
      [{ eventKey: "step", count: 2, firstAt: at, lastAt: at + 1 }],
      [{ eventKey: "step", count: 1, firstAt: at, lastAt: at }],
    ]);
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
    assert.equal(accepted(await storage.deleteContact(workspace, "bob@example.com", at)).events, 1);
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
    accepted(await inside.deleteContact(workspace, "u_1", at));
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
    refused(await inside.deleteContact(workspace, "nobody", at), "contact_not_found");
    await commit();
    const [, ...written] = await allContacts(storage);
    assert.deepEqual(written, [bob, accepted(carol).contact, accepted(dan).contact]);
  });

  test("ten calls at once on one transaction all take effect", async ({ storage, begin }) => {
    const ids = await newAttributes(storage, 5);
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    await Promise.all([
      atOnce(5, () => recordEvent(inside)),
      ...ids.map((attributeId, index) => upsert(inside, { attributes: { [attributeId]: index } })),
    ]);
    await commit();
    assert.equal(await countOf(storage, id), 5);
    const ada = await storage.findContact(workspace, { externalId: "ada@example.com" });
    assert.deepEqual(ada?.attributes, Object.fromEntries(ids.map((attributeId, index) => [attributeId, index])));
  });

  test("calls inside a transaction take no items, and many", async ({ storage, begin }) => {
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    assert.deepEqual(await inside.upsertContacts([]), []);
    assert.deepEqual(await inside.recordEvents([]), []);
    await inside.recordEvents(newIds(1_001).map((eventId) => eventDraft({ id: eventId })));
    await commit();
    assert.equal(await countOf(storage, id), 1_001);
  });

  test("a transaction may write to several workspaces", async ({ storage, begin }) => {
    const { inside, commit } = await begin();
    for (const name of ["acme", "other"]) await createContact(inside, { workspace: name, fields: { name } });
    await commit();
    for (const name of ["acme", "other"]) {
      assert.equal((await storage.findContact(name, { externalId: "ada@example.com" }))?.name, name);
    }
  });

  for (const end of ["commit", "rollback"] as const) {
    test(`after its ${end} a transaction is transaction_required, and writes nothing`, async ({ storage, begin }) => {
      const begun: Begun = await begin();
      await createContact(begun.inside, { email: "bob@example.com" });
      await begun[end]();
      const before = await allContacts(storage);
      // One handle from before the end, and one made after it.
      for (const inside of [begun.inside, storage.within(begun.transaction)]) {
        for (const call of callsOnContactsAndEvents(inside)) await rejected(call(), "transaction_required");
      }
      assert.deepEqual(await allContacts(storage), before);
    });
  }
}

// Makes two transactions wait for each other. Resolves with the lost transaction, then the other.
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
  test("of two transactions in a deadlock one is lost whole, and the other commits", async ({ storage, begin }) => {
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
    const two = await begin();
    const rename = (inside: Storage): Promise<unknown> => update(inside, { fields: { name: "one" } });
    const patch = () => update(two.inside, { fields: { plan: "two" } });
    const [updated] = await waitBehind(begin, rename, "commit", patch);
    assert.deepEqual([accepted(updated).name, accepted(updated).plan], ["one", "two"]);
    await two.commit();
    assert.deepEqual(await allContacts(storage), [updated]);
  });

  test("a transaction waits for another's new email, and then patches that contact", async ({ storage, begin }) => {
    const two = await begin();
    const id = newId(at);
    const create = (inside: Storage): Promise<unknown> => createContact(inside, { id, fields: { name: "one" } });
    const patch = () => upsert(two.inside, { fields: { plan: "two" } });
    const [upserted] = await waitBehind(begin, create, "commit", patch);
    await two.commit();
    const { contact, created } = accepted(upserted);
    assert.deepEqual([contact.id, contact.name, contact.plan, created], [id, "one", "two", false]);
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("a call inside that waits 5 s is storage_unavailable, and not half written", async ({ storage, begin }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    const [one, two] = [await begin(), await begin()];
    accepted(await update(one.inside, { externalId: "ada@example.com", fields: { name: "one" } }));
    const drafts = ["bob@example.com", "ada@example.com"].map((email) => eventDraft({ contact: { email } }));
    await rejected(two.inside.recordEvents(drafts), "storage_unavailable");
    accepted(await update(two.inside, { externalId: "bob@example.com", fields: { name: "two" } }));
    await two.commit();
    await one.commit();
    const contacts = await allContacts(storage);
    const names = contacts.map(({ name }) => name);
    assert.deepEqual(names, ["one", "two"]);
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

  test("a write inside builds on what was committed since the transaction began", async ({ storage, begin }) => {
    const ada = await createContact(storage);
    const { inside, commit } = await begin();
    assert.deepEqual(await inside.findContact(workspace, { externalId: "ada@example.com" }), ada);
    accepted(await update(storage, { fields: { name: "Ada" } }));
    await recordEvent(storage);
    const updated = accepted(await update(inside, { fields: { plan: "pro" } }));
    await recordEvent(inside);
    assert.deepEqual([updated.name, updated.plan], ["Ada", "pro"]);
    await commit();
    assert.deepEqual(await allContacts(storage), [updated]);
    assert.equal(await countOf(storage, ada.id), 2);
  });

  test("an upsert inside patches a contact created since the transaction began", async ({ storage, begin }) => {
    const { inside, commit } = await begin();
    assert.deepEqual(await allContacts(inside), []);
    const ada = await createContact(storage, { fields: { name: "Ada" } });
    const { contact, created } = accepted(await upsert(inside, { fields: { plan: "pro" } }));
    assert.deepEqual([contact.id, contact.name, created], [ada.id, "Ada", false]);
    await commit();
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  for (const [how, parts, again] of [
    ["answered", keyed("k"), () => keyed("k", "other input")],
    ["answered by its id", {}, ({ id }: EventRow) => ({ id })],
  ] as const) {
    test(`an event inside is ${how} as recorded since the transaction began`, async ({ storage, begin }) => {
      const { id } = await createContact(storage);
      const { inside, commit } = await begin();
      assert.equal(await countOf(inside, id), 0);
      const event = await recordEvent(storage, parts);
      assert.deepEqual(await record(inside, again(event)), event);
      await commit();
      assert.equal(await countOf(storage, id), 1);
    });
  }
}
