import assert from "node:assert/strict";
import { assertOwners } from "../../support/owner-model.ts";
import { issuesOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

interfaceSuite("contacts put by externalId", (test) => {
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
