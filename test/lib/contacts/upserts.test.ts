import assert from "node:assert/strict";
import { assertOwners } from "../../support/owner-model.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

interfaceSuite("contacts put by externalId", (test) => {
  test("a put creates the contact, and afterwards moves its email and merges its fields", async () => {
    const { tracker } = stoppedTracker();
    const { contact, created } = await tracker.contacts.put("u_1", { email: "Ada@Example.com", name: "Ada" });
    assert.deepEqual([created, contact.externalId, contact.email], [true, "u_1", "ada@example.com"]);
    const moved = await tracker.contacts.put("u_1", { externalId: "u_1", email: "lovelace@example.com", plan: "pro" });
    assert.deepEqual(moved, { contact: { ...contact, email: "lovelace@example.com", plan: "pro" }, created: false });
    assert.equal(await tracker.contacts.get("ada@example.com"), null);
  });

  test("a put of another externalId leaves the contact of the email as it is, and names it", async () => {
    const { tracker } = stoppedTracker();
    const { contact: ada } = await tracker.contacts.put("u_1", { email: "ada@example.com" });
    await tracker.events.track({ externalId: "u_1", eventKey: "step" });
    const conflict = { field: "email", contacts: [{ id: ada.id, email: "ada@example.com", externalId: "u_1" }] };
    assert.deepEqual((await refusalOf(tracker.contacts.put("u_2", { email: "ada@example.com" }))).conflict, conflict);
    const first = { contact: { email: "ada@example.com", externalId: "u_2" }, eventKey: "step" };
    assert.deepEqual((await refusalOf(tracker.events.track(first))).conflict, conflict);
    assert.deepEqual(await tracker.contacts.get("u_1"), ada);
    assert.equal((await tracker.events.list("u_1")).items.length, 1);
  });

  test("the event of a user whose email has changed is recorded for the contact of the externalId", async () => {
    const { tracker } = stoppedTracker();
    const track = (email: string) =>
      tracker.events.track({ contact: { email, externalId: "u_1" }, eventKey: "step" }, { idempotencyKey: email });
    const first = await track("ada@example.com");
    const second = await track("lovelace@example.com");
    assert.equal(second.event.contactId, first.event.contactId);
    assert.equal((await track("lovelace@example.com")).replayed, true);
    assert.equal((await tracker.contacts.get("u_1"))?.email, "lovelace@example.com");
  });

  test("a new contact needs an email, and every problem is named", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await issuesOf(tracker.contacts.put("u_1", { name: "Ada" })), ["email required"]);
    assert.deepEqual(await issuesOf(tracker.contacts.put("u_1", untyped({ externalId: "u_2", email: "x", nick: 1 }))), [
      "externalId invalid_format",
      "email invalid_format",
      "nick unknown_field",
    ]);
    for (const externalId of [null, 1, "", "U_1"]) {
      assert.deepEqual(await issuesOf(tracker.contacts.put("u_1", untyped({ externalId }))), [
        "externalId invalid_format",
      ]);
    }
    assert.deepEqual(await issuesOf(tracker.contacts.put(" ", { email: "ada@example.com" })), ["externalId too_short"]);
    assert.deepEqual((await tracker.contacts.list()).items, []);
  });

  test("many puts give each item its result", async () => {
    const { tracker } = stoppedTracker();
    const results: unknown[] = [];
    const items = [
      { externalId: "u_1", email: "ada@example.com" },
      { externalId: "u_2", email: "ada@example.com" },
      { externalId: "u_1", name: "Ada" },
      untyped({ email: "bob@example.com" }),
    ];
    const counts = await tracker.contacts.putMany(items, (result) => {
      results.push(result.ok ? [result.created, result.contact.externalId, result.contact.name] : result.error.code);
    });
    assert.deepEqual(counts, { ok: 2, failed: 2 });
    assert.deepEqual(results, [[true, "u_1", null], "email_taken", [false, "u_1", "Ada"], "invalid_input"]);
  });

  test("random writes of few names are answered, and each name finds its contact, as a table says", () =>
    assertOwners(10, () => [stoppedTracker()]));
});
