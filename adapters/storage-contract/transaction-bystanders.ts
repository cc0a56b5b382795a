import assert from "node:assert/strict";
import { accepted, allContacts, countOf, createContact, eventsOf, recordEvent, update, upsert } from "./calls.ts";
import { wholeList, workspace } from "./drafts.ts";
import { assertWaiting, start } from "./pending.ts";
import type { StorageTest } from "./fresh-storage.ts";

export function transactionBystanders(test: StorageTest): void {
  test("writes to other contacts do not wait", async ({ storage, begin }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    const { inside } = await begin();
    accepted(await update(inside, { fields: { name: "Ada" } }));
    await recordEvent(inside);
    await createContact(inside, { email: "carol@example.com" });
    // A call that waited would reject after 5 s.
    await createContact(storage, { email: "dan@example.com" });
    accepted(await upsert(storage, { email: "bob@example.com", fields: { name: "Bob" } }));
    accepted(await update(storage, { externalId: "bob@example.com", fields: { plan: "pro" } }));
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    accepted(await storage.deleteContact(workspace, "bob@example.com"));
  });

  test("writes to other contacts do not wait behind those that wait", async ({ storage, begin }) => {
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    const { inside, commit } = await begin();
    accepted(await update(inside, { fields: { name: "Ada" } }));
    const waiting = [start(recordEvent(storage)), start(upsert(storage)), start(update(storage))];
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    accepted(await upsert(storage, { email: "bob@example.com", fields: { name: "Bob" } }));
    await createContact(storage, { email: "dan@example.com" });
    accepted(await storage.deleteContact(workspace, "bob@example.com"));
    await assertWaiting(...waiting);
    await commit();
    await Promise.all(waiting.map(({ result }) => result));
  });

  test("writes to other contacts do not wait behind an upsert that waits for its email", async ({ storage, begin }) => {
    await createContact(storage, { email: "bob@example.com" });
    const { inside, commit } = await begin();
    await createContact(inside, { email: "ada@example.com" });
    const waiting = start(upsert(storage, { email: "ada@example.com" }));
    accepted(await upsert(storage, { email: "bob@example.com", fields: { name: "Bob" } }));
    await createContact(storage, { email: "dan@example.com" });
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    await assertWaiting(waiting);
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
    assert.deepEqual(await storage.findContact(workspace, "ada@example.com"), ada);
    assert.deepEqual(await allContacts(storage), [ada]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [event]);
    assert.deepEqual(await storage.listEvents(workspace, "ada@example.com", "step", wholeList), [event]);
    assert.equal(await countOf(storage, ada.id), 1);
    await assertWaiting(waiting);
  });
}
