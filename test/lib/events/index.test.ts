import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const step: NewEvent = { externalId: "ada@example.com", eventKey: "step" };

async function trackerOfAda() {
  const opened = stoppedTracker();
  const { contact } = await opened.tracker.contacts.upsert({ email: "ada@example.com" });
  return { ...opened, contact };
}

/** What the client does otherwise, and why. */
const apart = {
  "properties are flat": "what cannot be sent is refused before the server sees the rest",
};

interfaceSuite({ name: "events", apart }, (test) => {
  test("an event with a contact upserts it first", async () => {
    const { tracker, contact } = await trackerOfAda();
    const first = { contact: { email: "Ada@example.com", externalId: "u_1", name: "Ada" }, eventKey: "step" };
    const tracked = await tracker.events.track(first, { idempotencyKey: "k" });
    assert.equal(tracked.event.contactId, contact.id);
    assert.equal((await tracker.contacts.get("u_1"))?.name, "Ada");
    const again = await tracker.events.track(first, { idempotencyKey: "k" });
    assert.deepEqual(again, { ...tracked, replayed: true });
    await tracker.events.track({ contact: { email: "bob@example.com" }, eventKey: "step" });
    assert.equal((await tracker.events.list("bob@example.com")).items.length, 1);
    const taken = { contact: { email: "bob@example.com", externalId: "u_1" }, eventKey: "step" };
    const refused = await refusalOf(tracker.events.track(taken));
    assert.ok(refused.code === "email_taken");
    assert.equal(refused.conflict.contacts[0]?.id, contact.id);
    assert.equal((await tracker.events.list("u_1")).items.length, 1);
  });

  test("an event of an array names a contact that exists", async () => {
    const { tracker } = await trackerOfAda();
    const first = { contact: { email: "bob@example.com" }, eventKey: "step" };
    const failed: unknown[] = [];
    await tracker.events.trackMany([untyped(first)], (result) => {
      if ("error" in result) failed.push(result.error.issues.map(({ path }) => path));
    });
    assert.deepEqual(failed, [["externalId", "contact"]]);
    assert.equal(await tracker.contacts.count(), 1);
  });

  test("a refused timestamp names createdAt", async () => {
    const { tracker } = await trackerOfAda();
    const timestamp = new Date(0);
    const named = [{ externalId: "ada@example.com" }, { contact: { email: "ada@example.com" } }];
    for (const who of named) {
      const refusal = await refusalOf(tracker.events.track(untyped({ ...who, eventKey: "step", timestamp })));
      assert.equal(refusal.message, "timestamp: there is no such field. The time of an event is createdAt.");
      assert.equal(refusal.issues[0]?.code, "unknown_field");
    }
  });

  test("a refused event with a contact leaves no contact", async () => {
    const { tracker } = await trackerOfAda();
    await tracker.eventTypes.define({ key: "order", properties: { total: "number" } });
    const contact = { email: "bob@example.com" };
    assert.equal((await refusalOf(tracker.events.track({ contact, eventKey: "" }))).code, "invalid_input");
    await assert.rejects(tracker.events.track({ contact, eventKey: "order" }));
    const wrong = { contact: { ...contact, plan: "pro" }, eventKey: "step" };
    assert.deepEqual(await issuesOf(tracker.events.track(untyped(wrong))), ["contact.plan unknown_field"]);
    const both = { contact, externalId: "ada@example.com", eventKey: "step" };
    assert.deepEqual(await issuesOf(tracker.events.track(untyped(both))), ["externalId unknown_field"]);
    assert.equal(await tracker.contacts.get("bob@example.com"), null);
  });

  test("an event happened when its sender says, and its id tells when it was recorded", async () => {
    const { tracker } = await trackerOfAda();
    const now = await tracker.events.track(step);
    const text = await tracker.events.track({ ...step, createdAt: "2023-02-01T10:00:00.1239+01:00" });
    const date = await tracker.events.track({ ...step, createdAt: new Date(-1) });
    const events = [now.event, text.event, date.event];
    assert.deepEqual(
      events.map(({ createdAt }) => createdAt),
      ["2026-01-31T09:00:00.000Z", "2023-02-01T09:00:00.123Z", "1969-12-31T23:59:59.999Z"],
    );
    const { items } = await tracker.events.list("ada@example.com");
    assert.deepEqual(
      items,
      events.map((event) => ({ ...event, properties: {} })),
    );
    assert.deepEqual(events.map(({ id }) => id).toSorted(), [now.event.id, text.event.id, date.event.id]);
  });

  test("a page ends at about 4 MiB, and the next one goes on", async () => {
    const { tracker } = await trackerOfAda();
    const names = Array.from({ length: 15 }, (_, n) => `p${n}`);
    const properties = Object.fromEntries(names.map((name) => [name, "x".repeat(4_000)]));
    for (let n = 0; n < 72; n++) await tracker.events.track({ ...step, properties });
    const first = await tracker.events.list("ada@example.com", { limit: 1_000 });
    assert.equal(first.items.length, 69);
    const { items, nextCursor } = await tracker.events.list("ada@example.com", { cursor: first.nextCursor! });
    assert.deepEqual([items.length, nextCursor], [3, null]);
  });

  test("properties are flat", async () => {
    const { tracker } = await trackerOfAda();
    const properties = { a: {}, b: [], c: null, d: 1n, e: () => 1, f: new Date(0), g: Symbol("g"), h: "x" };
    assert.deepEqual(await issuesOf(tracker.events.track(untyped({ ...step, properties }))), [
      "properties.a wrong_type",
      "properties.b wrong_type",
      "properties.c not_allowed_null",
      "properties.d wrong_type",
      "properties.e wrong_type",
      "properties.f wrong_type",
      "properties.g wrong_type",
    ]);
  });
});
