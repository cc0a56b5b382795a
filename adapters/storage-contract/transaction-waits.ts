import assert from "node:assert/strict";
import { newId } from "../../lib/ids.ts";
import type { Storage } from "../../lib/storage/port.ts";
import {
  accepted,
  allContacts,
  countOf,
  createContact,
  eventsOf,
  record,
  recordEvent,
  refused,
  rejected,
  update,
  upsert,
} from "./calls.ts";
import { at, contactDraft, contactUpdate, eventDraft, workspace } from "./drafts.ts";
import { spoiling } from "./copies.ts";
import { assertWaiting, start } from "./pending.ts";
import type { StorageTest } from "./fresh-storage.ts";

const writesToAda: Record<string, (storage: Storage) => Promise<unknown>> = {
  "an upsert": (storage) => upsert(storage, { fields: { name: "Ada" } }),
  "an update": (storage) => update(storage, { fields: { name: "Ada" } }),
  "an event": (storage) => recordEvent(storage, { eventKey: "inside" }),
};

export function transactionWaits(test: StorageTest): void {
  for (const [what, write] of Object.entries(writesToAda)) {
    test(`writes elsewhere to a contact with ${what} inside wait for the commit, and then both have effect`, async ({
      storage,
      begin,
    }) => {
      const { id } = await createContact(storage);
      const { inside, commit } = await begin();
      await write(inside);
      const calls = [
        start(upsert(storage, { fields: { plan: "pro" } })),
        start(update(storage, { fields: { role: "admin" } })),
        start(recordEvent(storage, { eventKey: "outside" })),
      ];
      await assertWaiting(...calls);
      await commit();
      await Promise.all(calls.map(({ result }) => result));
      const ada = await storage.findContact(workspace, "ada@example.com");
      const eventKeys = (await storage.findSummaries(workspace, id)).map(({ eventKey }) => eventKey);
      assert.deepEqual(
        [ada?.id, ada?.name, ada?.plan, ada?.role, eventKeys],
        what === "an event"
          ? [id, null, "pro", "admin", ["inside", "outside"]]
          : [id, "Ada", "pro", "admin", ["outside"]],
      );
    });
  }

  test("a write elsewhere waits for a rollback too, and then builds on what was before", async ({ storage, begin }) => {
    const ada = await createContact(storage);
    const { inside, rollback } = await begin();
    accepted(await update(inside, { fields: { name: "Ada" } }));
    const call = start(update(storage, { fields: { plan: "pro" }, at: at + 1 }));
    await assertWaiting(call);
    await rollback();
    assert.deepEqual(await call.result, { ...ada, plan: "pro", updatedAt: at + 1 });
  });

  test("a deletion elsewhere waits, and takes with it what was recorded inside", async ({ storage, begin }) => {
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    await recordEvent(inside);
    const deletion = start(storage.deleteContact(workspace, "ada@example.com"));
    await assertWaiting(deletion);
    await commit();
    assert.deepEqual(await deletion.result, { contactId: id, events: 1 });
    assert.deepEqual(await storage.findSummaries(workspace, id), []);
  });

  test("writes elsewhere wait for a deletion inside, and then find no contact", async ({ storage, begin }) => {
    await createContact(storage);
    const { inside, commit } = await begin();
    accepted(await inside.deleteContact(workspace, "ada@example.com"));
    const updated = start(update(storage, { fields: { name: "Ada" } }));
    const recorded = start(record(storage));
    await assertWaiting(updated, recorded);
    await commit();
    refused(await updated.result, "contact_not_found");
    assert.equal(await recorded.result, null);
    assert.deepEqual(await allContacts(storage), []);
  });

  test("an upsert elsewhere waits for a deletion inside, and then creates the contact anew", async ({
    storage,
    begin,
  }) => {
    await createContact(storage, { fields: { name: "Ada" } });
    const { inside, commit } = await begin();
    accepted(await inside.deleteContact(workspace, "ada@example.com"));
    const id = newId(at);
    const call = start(upsert(storage, { id }));
    await assertWaiting(call);
    await commit();
    const { contact, created } = accepted(await call.result);
    assert.deepEqual([contact.id, contact.name, created], [id, null, true]);
  });

  test("an update elsewhere waits, and then finds the contact by what it is called now", async ({ storage, begin }) => {
    await createContact(storage, { fields: { externalId: "u_1" } });
    const { inside, commit } = await begin();
    accepted(await update(inside, { externalId: "u_1", fields: { externalId: "u_2" } }));
    const call = start(update(storage, { externalId: "u_1", fields: { name: "Ada" } }));
    await assertWaiting(call);
    await commit();
    refused(await call.result, "contact_not_found");
    assert.equal((await storage.findContact(workspace, "u_2"))?.name, null);
  });

  test("an array waits for the contact that is held, and is answered in its order", async ({ storage, begin }) => {
    const [ada, bob] = [await createContact(storage), await createContact(storage, { email: "bob@example.com" })];
    const { inside, commit } = await begin();
    await recordEvent(inside);
    const recorded = start(
      storage.recordEvents(
        ["bob@example.com", "ada@example.com", "nobody@example.com", "bob@example.com"].map((email) =>
          eventDraft({ contact: { email } }),
        ),
      ),
    );
    const emails = ["bob@example.com", "ada@example.com", "carol@example.com", "bob@example.com"];
    const upserted = start(storage.upsertContacts(emails.map((email) => contactDraft({ email }))));
    await assertWaiting(recorded, upserted);
    await commit();
    const contactIds = (await recorded.result).map((row) => row?.contactId);
    assert.deepEqual(contactIds, [bob.id, ada.id, undefined, bob.id]);
    const contacts = (await upserted.result).map((result) => accepted(result));
    assert.deepEqual(
      contacts.map(({ contact, created }) => [contact.email, created]),
      emails.map((email) => [email, email === "carol@example.com"]),
    );
    assert.deepEqual([await countOf(storage, ada.id), await countOf(storage, bob.id)], [2, 2]);
  });

  test("what is done to an input while its call waits changes nothing", async ({ storage, begin }) => {
    await createContact(storage);
    const { inside, commit } = await begin();
    await recordEvent(inside);
    const calls = [
      start(spoiling([contactDraft({ fields: { name: "Ada" } })], (items) => storage.upsertContacts(items))),
      start(spoiling(contactUpdate({ fields: { plan: "pro" } }), (input) => storage.updateContact(input))),
      // Behind the first call of its kind, so that it waits even to be looked at.
      start(spoiling(contactUpdate({ fields: { role: "admin" } }), (input) => inside.updateContact(input))),
      start(spoiling([contactDraft({ fields: { phone: "1" } })], (items) => inside.upsertContacts(items))),
    ];
    await Promise.all(calls.slice(2).map(({ result }) => result));
    await commit();
    await Promise.all(calls.map(({ result }) => result));
    const [ada, ...others] = await allContacts(storage);
    assert.deepEqual([ada?.name, ada?.plan, ada?.role, ada?.phone, others], ["Ada", "pro", "admin", "1", []]);
  });

  test("writes elsewhere wait 5 s, then reject with storage_unavailable and have written nothing", async ({
    storage,
    begin,
  }) => {
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    accepted(await update(inside, { fields: { name: "Ada" } }));
    const begun = performance.now();
    await Promise.all([
      rejected(upsert(storage, { fields: { plan: "pro" } }), "storage_unavailable"),
      rejected(update(storage, { fields: { plan: "pro" } }), "storage_unavailable"),
      rejected(record(storage), "storage_unavailable"),
      rejected(storage.deleteContact(workspace, "ada@example.com"), "storage_unavailable"),
    ]);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    assert.ok(seconds >= 4 && seconds <= 10, `${seconds} s`);
    await commit();
    const ada = await storage.findContact(workspace, "ada@example.com");
    assert.deepEqual([ada?.id, ada?.name, ada?.plan], [id, "Ada", null]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), []);
  });
}
