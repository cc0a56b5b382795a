import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const step: NewEvent = { externalId: "ada@example.com", eventKey: "step" };

async function trackerOfAda() {
  const opened = stoppedTracker();
  const { contact } = await opened.tracker.contacts.upsert({ email: "ada@example.com" });
  return { ...opened, contact };
}

suite("events", (test) => {
  test("an event is answered with its contact and its time", async () => {
    const { tracker, contact } = await trackerOfAda();
    const tracked = await tracker.events.track({ ...step, properties: { plan: "pro" } });
    assert.deepEqual(tracked, {
      event: { id: tracked.event.id, eventKey: "step", contactId: contact.id, createdAt: "2026-01-31T09:00:00.000Z" },
      completedChecklistItems: [],
      replayed: false,
    });
    assert.match(tracked.event.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("events are listed newest first, with their properties", async () => {
    const { tracker, clock } = await trackerOfAda();
    const first = await tracker.events.track({ ...step, properties: { n: 1 } });
    clock.set("2026-02-01T00:00:00.123Z");
    const last = await tracker.events.track({ ...step, properties: { n: 3 } });
    clock.set("2026-01-31T12:00:00Z");
    const second = await tracker.events.track({ ...step, properties: { n: 2 } });
    assert.deepEqual(await tracker.events.list("ada@example.com"), {
      items: [
        { ...last.event, properties: { n: 3 } },
        { ...second.event, properties: { n: 2 } },
        { ...first.event, properties: { n: 1 } },
      ],
      nextCursor: null,
    });
  });

  test("events of one key can be listed alone, page by page", async () => {
    const { tracker } = await trackerOfAda();
    for (const eventKey of ["step", "other", "step", "other", "step", "Step"]) {
      await tracker.events.track({ ...step, eventKey });
    }
    const first = await tracker.events.list("ada@example.com", { eventKey: "step", limit: 2 });
    const next = await tracker.events.list("ada@example.com", { eventKey: "step", cursor: first.nextCursor! });
    assert.deepEqual([first.items.length, next.items.length], [2, 1]);
    assert.ok([...first.items, ...next.items].every(({ eventKey }) => eventKey === "step"));
  });

  test("listing the events of an unknown contact is refused", async () => {
    const { tracker } = await trackerOfAda();
    assert.equal((await refusalOf(tracker.events.list("u_1"))).code, "contact_not_found");
  });

  for (const eventKey of ["signup_completed", "Sign up", " padded ", "größe 👍", "a.b/c"]) {
    test(`an eventKey, kept as sent: ${JSON.stringify(eventKey)}`, async () => {
      const { tracker } = await trackerOfAda();
      assert.equal((await tracker.events.track({ ...step, eventKey })).event.eventKey, eventKey);
    });
  }

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
