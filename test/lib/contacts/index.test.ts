import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import type { Deletion } from "../../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

/** What the client does otherwise, and why. */
const apart = {
  "a query is text, and an order one of two": "what cannot be sent is refused before the server sees the rest",
};

interfaceSuite({ name: "contacts", apart }, (test) => {
  test("getting an unknown contact gives null, updating or deleting it is refused", async () => {
    const { tracker } = stoppedTracker();
    assert.equal(await tracker.contacts.get("u_1"), null);
    assert.equal((await refusalOf(tracker.contacts.update("u_1", {}))).code, "contact_not_found");
    assert.equal((await refusalOf(tracker.contacts.delete("u_1"))).code, "contact_not_found");
  });

  test("deleting a contact if it exists gives its receipt, or null for an unknown one", async () => {
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
    const remove = (): Promise<Deletion | null> => tracker.contacts.delete("ada@example.com", { ifExists: true });
    assert.deepEqual([await remove(), await remove()], [{ contactId: contact.id, events: 0 }, null]);
    assert.equal((await refusalOf(tracker.contacts.delete("u_1", { ifExists: false }))).code, "contact_not_found");
    assert.equal((await refusalOf(tracker.contacts.delete("u_1", {}))).code, "contact_not_found");
    assert.deepEqual(await issuesOf(tracker.contacts.delete("u_1", untyped({ ifExists: "yes" }))), [
      "ifExists wrong_type",
    ]);
    assert.deepEqual(await issuesOf(tracker.contacts.delete("u_1", untyped({ force: true }))), ["force unknown_field"]);
  });

  test("a query is text, and an order one of two", async () => {
    const { tracker } = stoppedTracker();
    const page = { query: "\ud800", order: "latest" };
    assert.deepEqual(await issuesOf(tracker.contacts.list(untyped(page))), [
      "query invalid_format",
      "order invalid_format",
    ]);
    assert.deepEqual(await issuesOf(tracker.contacts.list(untyped({ query: null, order: 1 }))), [
      "query not_allowed_null",
      "order wrong_type",
    ]);
  });

  for (const [what, signedUpAt] of Object.entries({
    "a text, which is answered in UTC and to the millisecond": "2026-01-01T01:00:00.1239+01:00",
    "a Date of this realm": new Date("2026-01-01T00:00:00.123Z"),
    "a Date of another realm": untyped(runInNewContext(`new Date("2026-01-01T00:00:00.123Z")`)),
  })) {
    test(`signedUpAt takes ${what}`, async () => {
      const { tracker } = stoppedTracker();
      const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", signedUpAt });
      assert.equal(contact.signedUpAt, "2026-01-01T00:00:00.123Z");
    });
  }

  for (const [date, signedUpAt, code] of [
    ["an invalid Date", new Date(NaN), "invalid_format"],
    ["a Date beyond the year 9999", new Date("+010000-01-01T00:00:00Z"), "out_of_range"],
    ["an object that only looks like a Date", Object.create(Date.prototype) as object, "wrong_type"],
  ] as const) {
    test(`signedUpAt refuses ${date}`, async () => {
      const { tracker } = stoppedTracker();
      const input = { email: "ada@example.com", signedUpAt: untyped(signedUpAt) };
      assert.deepEqual(await issuesOf(tracker.contacts.upsert(input)), [`signedUpAt ${code}`]);
    });
  }
});
