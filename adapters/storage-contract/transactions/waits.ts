import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
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
  recordAll,
} from "../calls.ts";
import { spoiling } from "../values/index.ts";
import {
  at,
  completionDraft,
  contactDraft,
  contactUpdate,
  dismissalDraft,
  eventDraft,
  keyed,
  wholeList,
  workspace,
} from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { assertPending, start, waitBehind } from "../pending.ts";

const insertCompletion = (storage: Storage): Promise<unknown> => storage.insertCompletion(completionDraft());
const putDismissal = (storage: Storage): Promise<unknown> => storage.putDismissal(dismissalDraft());

// Each write, then the name and the numbers of events, completions and dismissals with those of the calls outside.
const writesToAda: [string, (storage: Storage) => Promise<unknown>, (string | number | null)[]][] = [
  ["an upsert", (storage) => upsert(storage, { fields: { name: "Ada" } }), ["Ada", 1, 1, 1]],
  ["an update", (storage) => update(storage, { fields: { name: "Ada" } }), ["Ada", 1, 1, 1]],
  ["an event", recordEvent, [null, 2, 1, 1]],
  ["a completion", insertCompletion, [null, 1, 2, 1]],
  ["a dismissal", putDismissal, [null, 1, 1, 2]],
];

const named = { fields: { name: "Ada", externalId: "u_1" } };

async function deleteAda(storage: Storage): Promise<object> {
  return accepted(await storage.deleteContact(workspace, "ada@example.com", at));
}

/** To Bob, to Cid and to somebody new; at once, because those that wait give up after 5 s, however busy the machine is. */
async function writeToOthers(storage: Storage): Promise<void> {
  const [upserted, updated] = await Promise.all([
    upsert(storage, { email: "cid@example.com", fields: { name: "Cid" } }),
    update(storage, { externalId: "bob@example.com", fields: { plan: "pro" } }),
    recordEvent(storage, { contact: { email: "bob@example.com" } }),
    createContact(storage, { email: "dan@example.com" }),
  ]);
  accepted(upserted);
  accepted(updated);
}

export function transactionWaits(test: StorageTest): void {
  for (const [what, write, counts] of writesToAda) {
    test(`writes elsewhere wait for ${what} inside, and then both have effect`, async ({ storage, begin }) => {
      const { id } = await createContact(storage);
      const [, , , ...found] = await waitBehind(
        begin,
        write,
        "commit",
        () => upsert(storage, { fields: { plan: "pro" } }),
        () => update(storage, { fields: { role: "admin" } }),
        () => recordEvent(storage),
        () => insertCompletion(storage),
        () => putDismissal(storage),
      );
      assert.deepEqual(found, [true, true]);
      const [ada, ...others] = await allContacts(storage);
      assert.deepEqual([ada?.id, ada?.plan, ada?.role, others], [id, "pro", "admin", []]);
      const completions = await storage.findCompletions(workspace, id);
      const dismissals = await storage.findDismissals(workspace, id);
      assert.deepEqual([ada?.name, await countOf(storage, id), completions.length, dismissals.length], counts);
    });
  }

  test("a write elsewhere waits for a rollback too, and then builds on what was before", async ({ storage, begin }) => {
    const ada = await createContact(storage);
    const renamed = (inside: Storage): Promise<unknown> => update(inside, { fields: { name: "Ada" } });
    const [updated] = await waitBehind(begin, renamed, "rollback", () =>
      update(storage, { fields: { plan: "pro" }, at: at + 1 }),
    );
    assert.deepEqual(updated, { ...ada, plan: "pro", updatedAt: at + 1 });
  });

  test("a deletion elsewhere waits, and takes with it what was recorded inside", async ({ storage, begin }) => {
    const { id } = await createContact(storage);
    const [deletion] = await waitBehind(begin, recordEvent, "commit", () => deleteAda(storage));
    assert.deepEqual(deletion, { contactId: id, events: 1 });
    assert.deepEqual(await storage.findSummaries(workspace, id), []);
  });

  test("writes elsewhere wait for a deletion inside, and then find no contact", async ({ storage, begin }) => {
    await createContact(storage);
    const [updated, recorded] = await waitBehind(
      begin,
      deleteAda,
      "commit",
      () => update(storage, { fields: { name: "Ada" } }),
      () => record(storage),
    );
    refused(updated, "contact_not_found");
    assert.equal(recorded, null);
    assert.deepEqual(await allContacts(storage), []);
  });

  test("an upsert elsewhere waits for a deletion inside, and then creates anew", async ({ storage, begin }) => {
    await createContact(storage, { fields: { name: "Ada" } });
    const id = newId(at);
    const [upserted] = await waitBehind(begin, deleteAda, "commit", () => upsert(storage, { id }));
    const { contact, created } = accepted(upserted);
    assert.deepEqual([contact.id, contact.name, created], [id, null, true]);
  });

  test("an update elsewhere waits, and then finds the contact by what it is called now", async ({ storage, begin }) => {
    await createContact(storage, { fields: { externalId: "u_1" } });
    const called = (inside: Storage): Promise<unknown> =>
      update(inside, { externalId: "u_1", fields: { externalId: "u_2" } });
    const [updated] = await waitBehind(begin, called, "commit", () =>
      update(storage, { externalId: "u_1", fields: { name: "Ada" } }),
    );
    refused(updated, "contact_not_found");
    assert.equal((await storage.findContact(workspace, { externalId: "u_2" }))?.name, null);
  });

  test("an array waits for the contact that is held, and is answered in its order", async ({ storage, begin }) => {
    const [ada, bob] = [await createContact(storage), await createContact(storage, { email: "bob@example.com" })];
    const emails = ["bob@example.com", "ada@example.com", "carol@example.com", "bob@example.com"];
    const drafts = emails.map((email) => eventDraft({ contact: { email: email.replace("carol", "nobody") } }));
    const [recorded, upserted] = await waitBehind(
      begin,
      recordEvent,
      "commit",
      () => recordAll(storage, drafts),
      () => storage.upsertContacts(emails.map((email) => contactDraft({ email }))),
    );
    const contactIds = recorded.map((row) => row?.contactId);
    assert.deepEqual(contactIds, [bob.id, ada.id, undefined, bob.id]);
    const contacts = upserted.map((result) => accepted(result)).map(({ contact, created }) => [contact.email, created]);
    const expected = emails.map((email) => [email, email === "carol@example.com"]);
    assert.deepEqual(contacts, expected);
    assert.deepEqual([await countOf(storage, ada.id), await countOf(storage, bob.id)], [2, 2]);
  });

  test("what is done to an input while its call waits changes nothing", async ({ storage, begin }) => {
    await createContact(storage);
    const { inside, commit } = await begin();
    await recordEvent(inside);
    const calls = [
      start(spoiling([contactDraft({ fields: { name: "Ada" } })], (items) => storage.upsertContacts(items))),
      start(spoiling(contactUpdate({ fields: { plan: "pro" } }), (input) => storage.updateContact(input))),
      // Calls inside run one after another, so the second one waits before its input is used.
      start(spoiling(contactUpdate({ fields: { role: "admin" } }), (input) => inside.updateContact(input))),
      start(spoiling([contactDraft({ fields: { phone: "1" } })], (items) => inside.upsertContacts(items))),
    ];
    await Promise.all(calls.slice(2).map(({ result }) => result));
    await commit();
    await Promise.all(calls.map(({ result }) => result));
    const [ada, ...others] = await allContacts(storage);
    assert.deepEqual([ada?.name, ada?.plan, ada?.role, ada?.phone, others], ["Ada", "pro", "admin", "1", []]);
  });

  test("writes elsewhere wait 5 s, are storage_unavailable and have written nothing", async ({ storage, begin }) => {
    const { id } = await createContact(storage);
    const { inside, commit } = await begin();
    accepted(await update(inside, { fields: { name: "Ada" } }));
    const begun = performance.now();
    await Promise.all([
      rejected(upsert(storage, { fields: { plan: "pro" } }), "storage_unavailable"),
      rejected(update(storage, { fields: { plan: "pro" } }), "storage_unavailable"),
      rejected(record(storage), "storage_unavailable"),
      rejected(storage.deleteContact(workspace, "ada@example.com", at), "storage_unavailable"),
    ]);
    const ms = performance.now() - begun;
    assert.ok(ms >= 3_500, `${ms} ms`);
    await commit();
    const ada = await storage.findContact(workspace, { externalId: "ada@example.com" });
    assert.deepEqual([ada?.id, ada?.name, ada?.plan], [id, "Ada", null]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), []);
  });
}

/** A write of a unique name waits until the name's owner is known. */
export function transactionNames(test: StorageTest): void {
  test("an upsert of an email that was created inside waits, and then patches it", async ({ storage, begin }) => {
    const id = newId(at);
    const create = (inside: Storage): Promise<unknown> => createContact(inside, { id, ...named });
    const [upserted] = await waitBehind(begin, create, "commit", () => upsert(storage, { fields: { plan: "pro" } }));
    const { contact, created } = accepted(upserted);
    assert.deepEqual([contact.id, contact.name, contact.plan, created], [id, "Ada", "pro", false]);
    assert.deepEqual(await allContacts(storage), [contact]);
  });

  test("an upsert of an email that was created inside creates it after a rollback", async ({ storage, begin }) => {
    const create = (inside: Storage): Promise<unknown> => createContact(inside, named);
    const id = newId(at);
    const [upserted] = await waitBehind(begin, create, "rollback", () => upsert(storage, { id }));
    const { contact, created } = accepted(upserted);
    assert.deepEqual([contact.id, contact.name, created], [id, null, true]);
  });

  for (const end of ["commit", "rollback"] as const) {
    test(`whether an externalId given inside is taken is decided by the ${end}`, async ({ storage, begin }) => {
      await createContact(storage, { email: "ada@example.com" });
      await createContact(storage, { email: "bob@example.com" });
      const give = (inside: Storage): Promise<unknown> => update(inside, { fields: { externalId: "u_1" } });
      const [updated] = await waitBehind(begin, give, end, () =>
        update(storage, { externalId: "bob@example.com", fields: { externalId: "u_1" } }),
      );
      if (end === "commit") refused(updated, "external_id_taken");
      else assert.equal(accepted(updated).externalId, "u_1");
    });

    test(`whether an email left inside is free elsewhere is decided by the ${end}`, async ({ storage, begin }) => {
      await createContact(storage, { email: "ada@example.com", fields: { externalId: "u_1" } });
      await createContact(storage, { email: "bob@example.com", fields: { externalId: "u_2" } });
      const move = (inside: Storage): Promise<unknown> =>
        update(inside, { externalId: "u_1", fields: { email: "ada@new.example" } });
      const [updated] = await waitBehind(begin, move, end, () =>
        update(storage, { externalId: "u_2", fields: { email: "ada@example.com" } }),
      );
      if (end === "rollback") refused(updated, "email_taken");
      else assert.equal(accepted(updated).email, "ada@example.com");
    });

    test(`whether an idempotency hash of inside is known is decided by the ${end}`, async ({ storage, begin }) => {
      const ada = await createContact(storage, { email: "ada@example.com" });
      const bob = await createContact(storage, { email: "bob@example.com" });
      const keyedOf = (target: Storage, email: string) => recordEvent(target, { contact: { email }, ...keyed("k") });
      const ofAda = (inside: Storage): Promise<unknown> => keyedOf(inside, "ada@example.com");
      const [event] = await waitBehind(begin, ofAda, end, () => keyedOf(storage, "bob@example.com"));
      assert.equal(event.contactId, end === "commit" ? ada.id : bob.id);
      assert.equal((await countOf(storage, ada.id)) + (await countOf(storage, bob.id)), 1);
    });
  }
}

export function transactionBystanders(test: StorageTest): void {
  test("writes to other contacts do not wait behind those that wait", async ({ storage, begin }) => {
    const names = ["ada", "bob", "cid", "eve"];
    await storage.upsertContacts(names.map((name) => contactDraft({ email: `${name}@example.com` })));
    const { inside, commit } = await begin();
    accepted(await update(inside, { fields: { name: "Ada" } }));
    await recordEvent(inside);
    await createContact(inside, { email: "carol@example.com" });
    const waiting = [start(recordEvent(storage)), start(upsert(storage)), start(update(storage))];
    await writeToOthers(storage);
    accepted(await storage.deleteContact(workspace, "eve@example.com", at));
    assert.deepEqual(
      waiting.map((call) => call.isSettled()),
      [false, false, false],
    );
    await commit();
    await Promise.all(waiting.map(({ result }) => result));
  });

  test("writes to other contacts do not wait behind an upsert that waits for its email", async ({ storage, begin }) => {
    await storage.upsertContacts(["bob@example.com", "cid@example.com"].map((email) => contactDraft({ email })));
    const { inside, commit } = await begin();
    await createContact(inside, { email: "ada@example.com" });
    const waiting = start(upsert(storage, { email: "ada@example.com" }));
    await writeToOthers(storage);
    assert.equal(waiting.isSettled(), false);
    await commit();
    assert.equal(accepted(await waiting.result).created, false);
  });

  test("names next to those of a contact written inside may be taken", async ({ storage, begin }) => {
    for (const email of ["ada@example.com", "mia@example.com", "zoe@example.com"]) {
      await createContact(storage, { email });
    }
    const { inside } = await begin();
    await recordEvent(inside, { contact: { externalId: "mia@example.com" } });
    accepted(await upsert(inside, { email: "mia@example.com", fields: { name: "Mia" } }));
    accepted(await update(inside, { externalId: "mia@example.com", fields: { plan: "pro" } }));
    await createContact(storage, { email: "leo@example.com" });
    await createContact(storage, { email: "pia@example.com", fields: { externalId: "m" } });
  });

  test("reads do not wait", async ({ storage, begin }) => {
    const ada = await createContact(storage);
    const event = await recordEvent(storage);
    const { inside } = await begin();
    accepted(await update(inside, { fields: { email: "ada@new.example", name: "Ada" } }));
    await recordEvent(inside, { contact: { email: "ada@new.example" } });
    const waiting = start(update(storage, { fields: { name: "Ada" } }));
    assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), ada);
    assert.deepEqual(await allContacts(storage), [ada]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [event]);
    assert.deepEqual((await storage.listEvents(workspace, "ada@example.com", "step", wholeList))?.rows, [event]);
    assert.equal(await countOf(storage, ada.id), 1);
    await assertPending(waiting);
  });
}
