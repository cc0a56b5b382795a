/** How contacts are named, found and deleted: by email and by externalId. */
import assert from "node:assert/strict";
import { issuesOf, refusalOf, stoppedTracker } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

suite("external ids", (test) => {
  test("until one is given, the email is the externalId, and moves with it", async () => {
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.equal(contact.externalId, "ada@example.com");
    const moved = await tracker.contacts.update("ada@example.com", { email: "Ada@new.example" });
    assert.equal(moved.externalId, "ada@new.example");
    assert.equal(await tracker.contacts.get("ada@example.com"), null);
    assert.equal((await tracker.contacts.get("ada@new.example"))?.id, contact.id);
  });

  test("an externalId equal to the email is fixed when it is given", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada@example.com" });
    const moved = await tracker.contacts.update("ada@example.com", { email: "ada@new.example" });
    assert.equal(moved.externalId, "ada@example.com");
  });

  test("giving the externalId that the email stands in for is a change", async () => {
    const { tracker, clock } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    clock.set("2026-02-01T00:00:00Z");
    const fixed = await tracker.contacts.update("ada@example.com", { externalId: "ada@example.com" });
    assert.equal(fixed.updatedAt, "2026-02-01T00:00:00.000Z");
  });

  test("null returns the externalId to the email", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
    assert.equal((await tracker.contacts.update("u_1", { externalId: null })).externalId, "ada@example.com");
    assert.equal(await tracker.contacts.get("u_1"), null);
  });

  test("an externalId that stands in is matched like an email, in any case of A to Z", async () => {
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.deepEqual(await tracker.contacts.get("ADA@Example.com"), contact);
    await tracker.events.track({ externalId: "ADA@Example.com", eventKey: "step" });
    assert.equal((await tracker.events.list("Ada@example.COM")).items.length, 1);
  });

  for (const other of ["U_1", "u_1\u200b", "u_１"]) {
    test(`an externalId given is matched byte for byte, not by ${other}`, async () => {
      const { tracker } = stoppedTracker();
      await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
      assert.equal(await tracker.contacts.get(other), null);
    });
  }

  test("a contact with an externalId of its own is not got by its email", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
    assert.equal(await tracker.contacts.get("ada@example.com"), null);
  });

  test("the exact externalId comes before the email", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.contacts.upsert({ email: "bob@example.com", externalId: "ADA@example.com" });
    assert.equal((await tracker.contacts.get("ADA@example.com"))?.email, "bob@example.com");
    assert.equal((await tracker.contacts.get("Ada@example.com"))?.email, "ada@example.com");
  });

  test("a contact is got by a blank or surrounded externalId never", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await issuesOf(tracker.contacts.get(" ")), ["externalId too_short"]);
    assert.deepEqual(await issuesOf(tracker.contacts.get("u_1 ")), ["externalId invalid_format"]);
    assert.deepEqual(await issuesOf(tracker.contacts.update("u_1 ", {})), ["externalId invalid_format"]);
    assert.deepEqual(await issuesOf(tracker.contacts.delete("u_1 ")), ["identifier invalid_format"]);
    assert.deepEqual(await issuesOf(tracker.events.list("u_1 ")), ["externalId invalid_format"]);
  });

  test("an email that another contact has is refused, and both are named", async () => {
    const { tracker } = stoppedTracker();
    const ada = (await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" })).contact;
    const bob = (await tracker.contacts.upsert({ email: "bob@example.com", externalId: "u_2" })).contact;
    const refusal = await refusalOf(tracker.contacts.update("u_1", { email: "BOB@example.com", name: "Ada" }));
    assert.equal(refusal.code, "email_taken");
    assert.deepEqual(refusal.conflict, {
      field: "email",
      contacts: [
        { id: ada.id, email: "ada@example.com", externalId: "u_1" },
        { id: bob.id, email: "bob@example.com", externalId: "u_2" },
      ],
    });
    assert.deepEqual(await tracker.contacts.get("u_1"), ada);
  });

  test("an externalId that another contact has is refused, and it is named", async () => {
    const { tracker } = stoppedTracker();
    const ada = (await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" })).contact;
    const refusal = await refusalOf(tracker.contacts.upsert({ email: "bob@example.com", externalId: "u_1" }));
    assert.equal(refusal.code, "external_id_taken");
    assert.deepEqual(refusal.conflict, {
      field: "externalId",
      contacts: [{ id: ada.id, email: "ada@example.com", externalId: "u_1" }],
    });
    assert.equal((await tracker.contacts.list()).items.length, 1);
  });

  test("a new email that is another contact's externalId is refused", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "bob@example.com" });
    const refusal = await refusalOf(tracker.contacts.upsert({ email: "bob@example.com" }));
    assert.equal(refusal.code, "external_id_taken");
    const { created } = await tracker.contacts.upsert({ email: "bob@example.com", externalId: "u_2" });
    assert.equal(created, true);
  });

  test("an email and an externalId that were left are free", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
    await tracker.contacts.update("u_1", { email: "ada@new.example", externalId: "u_2" });
    const { created } = await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
    assert.equal(created, true);
  });

  test("a contact is deleted by externalId or by email, in any case of A to Z", async () => {
    const { tracker } = stoppedTracker();
    for (const identifier of ["u_1", "ada@example.com", "ADA@example.com"]) {
      const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
      assert.deepEqual(await tracker.contacts.delete(identifier), { contactId: contact.id, events: 0 });
    }
  });

  test("an identifier that means two contacts deletes neither, and names both", async () => {
    const { tracker } = stoppedTracker();
    const ada = (await tracker.contacts.upsert({ email: "ada@example.com", externalId: "bob@example.com" })).contact;
    const bob = (await tracker.contacts.upsert({ email: "bob@example.com", externalId: "u_2" })).contact;
    const refusal = await refusalOf(tracker.contacts.delete("bob@example.com"));
    assert.equal(refusal.code, "ambiguous_identifier");
    assert.deepEqual(refusal.conflict, {
      field: "identifier",
      contacts: [
        { id: ada.id, email: "ada@example.com", externalId: "bob@example.com" },
        { id: bob.id, email: "bob@example.com", externalId: "u_2" },
      ],
    });
    assert.equal((await tracker.contacts.list()).items.length, 2);
  });

  test("an identifier means two contacts also when only the email is in another case", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "BOB@example.com" });
    await tracker.contacts.upsert({ email: "bob@example.com" });
    assert.equal((await refusalOf(tracker.contacts.delete("BOB@example.com"))).code, "ambiguous_identifier");
    assert.equal((await tracker.contacts.delete("bob@example.com")).events, 0);
  });

  test("a deletion takes everything with it, and tells how many events", async () => {
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada" });
    const event = { externalId: "ada@example.com", eventKey: "step" };
    await tracker.events.track(event, { idempotencyKey: "k" });
    await tracker.events.track(event);
    assert.deepEqual(await tracker.contacts.delete("ada@example.com"), { contactId: contact.id, events: 2 });

    assert.equal(await tracker.contacts.get("ada@example.com"), null);
    assert.equal((await refusalOf(tracker.events.list("ada@example.com"))).code, "contact_not_found");
    assert.equal((await refusalOf(tracker.events.track(event, { idempotencyKey: "k" }))).code, "contact_not_found");
    const anew = await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.equal(anew.created, true);
    assert.notEqual(anew.contact.id, contact.id);
    assert.equal(anew.contact.name, null);
    assert.deepEqual((await tracker.events.list("ada@example.com")).items, []);
    assert.equal((await tracker.events.track(event, { idempotencyKey: "k" })).replayed, false);
  });
});
