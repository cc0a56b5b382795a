import assert from "node:assert/strict";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

suite("contacts", (test) => {
  test("an upsert of a new email creates the contact with every field", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    const { contact, created } = await tracker.contacts.upsert({
      email: "Ada@Example.com",
      externalId: "u_1",
      name: "Ada",
      phone: "",
      avatarUrl: "https://example.com/ada.png",
      role: "admin",
      signedUpAt: "2026-01-31T10:00:00.0009+01:00",
      customAttributes: { seats: 12 },
    });
    assert.equal(created, true);
    assert.deepEqual(contact, {
      id: contact.id,
      email: "ada@example.com",
      externalId: "u_1",
      name: "Ada",
      phone: "",
      avatarUrl: "https://example.com/ada.png",
      role: "admin",
      plan: null,
      signedUpAt: "2026-01-31T09:00:00.000Z",
      customAttributes: { seats: 12 },
      createdAt: "2026-01-31T09:00:00.000Z",
      updatedAt: "2026-01-31T09:00:00.000Z",
    });
    assert.deepEqual(await tracker.contacts.get("u_1"), contact);
  });

  test("an upsert of a known email updates the contact", async () => {
    const { tracker, clock } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada", plan: "pro" });
    clock.set("2026-02-01T00:00:00Z");
    const upserted = await tracker.contacts.upsert({ email: "ADA@example.com", name: "Augusta" });
    assert.deepEqual(upserted, {
      contact: { ...contact, name: "Augusta", updatedAt: "2026-02-01T00:00:00.000Z" },
      created: false,
    });
  });

  test("null clears a field", async () => {
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
    const full = { name: "A", phone: "1", avatarUrl: "http://a", role: "r", plan: "p", signedUpAt: new Date(0) };
    await tracker.contacts.update("ada@example.com", full);
    const nulls = { name: null, phone: null, avatarUrl: null, role: null, plan: null, signedUpAt: null };
    assert.deepEqual(await tracker.contacts.update("ada@example.com", nulls), contact);
  });

  test("the email cannot be null", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const refused = ["email not_allowed_null"];
    assert.deepEqual(await issuesOf(tracker.contacts.upsert(untyped({ email: null }))), refused);
    assert.deepEqual(await issuesOf(tracker.contacts.update("ada@example.com", untyped({ email: null }))), refused);
  });

  test("a change that changes nothing keeps updatedAt", async () => {
    const { tracker, clock } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada" });
    clock.set("2026-02-01T00:00:00Z");
    assert.deepEqual(await tracker.contacts.update("ada@example.com", {}), contact);
    assert.deepEqual(await tracker.contacts.update("ada@example.com", { name: "Ada", plan: null }), contact);
    assert.deepEqual((await tracker.contacts.upsert({ email: "ada@example.com", name: "Ada" })).contact, contact);
  });

  test("a Kelvin sign does not merge two mailboxes", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "k@example.com" });
    assert.equal((await tracker.contacts.upsert({ email: "\u212a@example.com" })).created, true);
  });

  test("of 100 upserts of one email at once one creates the contact", async () => {
    const { tracker } = stoppedTracker();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        tracker.contacts.upsert({ email: index % 2 ? "ada@example.com" : "ADA@example.com", name: `Ada ${index}` }),
      ),
    );
    assert.equal(results.filter(({ created }) => created).length, 1);
    assert.equal(new Set(results.map(({ contact }) => contact.id)).size, 1);
    assert.equal((await tracker.contacts.list()).items.length, 1);
  });

  test("nobody is null, and cannot be updated or deleted", async () => {
    const { tracker } = stoppedTracker();
    assert.equal(await tracker.contacts.get("u_1"), null);
    assert.equal((await refusalOf(tracker.contacts.update("u_1", {}))).code, "contact_not_found");
    assert.equal((await refusalOf(tracker.contacts.delete("u_1"))).code, "contact_not_found");
  });

  test("contacts are listed oldest first", async () => {
    const { tracker, clock } = stoppedTracker("2026-01-02T00:00:00Z");
    await tracker.contacts.upsert({ email: "second@example.com" });
    await tracker.contacts.upsert({ email: "third@example.com" });
    clock.set("2026-01-01T00:00:00Z");
    await tracker.contacts.upsert({ email: "first@example.com" });
    await tracker.contacts.upsert({ email: "second@example.com", name: "changed" });
    assert.deepEqual(
      (await tracker.contacts.list()).items.map(({ email }) => email),
      ["first@example.com", "second@example.com", "third@example.com"],
    );
  });
});
