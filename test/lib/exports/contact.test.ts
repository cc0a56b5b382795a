import assert from "node:assert/strict";
import { exportContact } from "../../../lib/exports/contact.ts";
import { issuesOf, refusalOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

/** What the client does otherwise, and why. */
const apart = {
  "it holds every event of a contact that has more than a page of them":
    "calls made at once reach a server in any order",
};

interfaceSuite({ name: "the export of one contact", apart }, (test) => {
  test("it holds the contact, its events, what is counted of them, and its completions by hand", async () => {
    const { tracker, clock } = stoppedTracker();
    await tracker.checklists.define({
      key: "start",
      name: "Start",
      items: [
        { key: "step", name: "Step", when: { kind: "has_done", eventKey: "step" } },
        { key: "call", name: "Call" },
      ],
    });
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
    await tracker.contacts.upsert({ email: "bob@example.com" });
    await tracker.events.track({ externalId: "bob@example.com", eventKey: "step" });
    const first = await tracker.events.track({ externalId: "ada", eventKey: "step", properties: { n: 1 } });
    clock.set("2026-01-31T10:00:00.000Z");
    const second = await tracker.events.track({ externalId: "ada", eventKey: "step" });
    await tracker.checklists.complete("ada", "start", "call");
    await tracker.checklists.dismiss("ada", "start");
    assert.equal(first.completedChecklistItems.length, 1);
    assert.deepEqual(await tracker.contacts.export("ada"), {
      contact,
      events: [
        { ...second.event, properties: {}, completedChecklistItems: [] },
        { ...first.event, properties: { n: 1 }, completedChecklistItems: first.completedChecklistItems },
      ],
      eventSummaries: [
        { eventKey: "step", count: 2, firstAt: "2026-01-31T09:00:00.000Z", lastAt: "2026-01-31T10:00:00.000Z" },
      ],
      completions: [{ checklistKey: "start", itemKey: "call", completedAt: "2026-01-31T10:00:00.000Z" }],
      dismissals: [{ checklistKey: "start", dismissedAt: "2026-01-31T10:00:00.000Z" }],
    });
  });

  test("it holds every event of a contact that has more than a page of them", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const tracked = Array.from({ length: 2_001 }, (_, n) =>
      tracker.events.track({ externalId: "ada@example.com", eventKey: `step ${n}` }),
    );
    const ids = (await Promise.all(tracked)).map(({ event }) => event.id);
    const { events } = await tracker.contacts.export("ada@example.com");
    assert.deepEqual(
      events.map(({ id }) => id),
      ids.toReversed(),
    );
  });

  test("it has at most the bytes that are asked for", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    for (const eventKey of ["é", "step"]) await tracker.events.track({ externalId: "ada@example.com", eventKey });
    const scope = { storage, workspace: "default", now: () => 0 };
    const whole = await exportContact(scope, "ada@example.com");
    const bytes = Buffer.byteLength(JSON.stringify(whole));
    // Each event is counted with a comma.
    assert.deepEqual(await exportContact(scope, "ada@example.com", bytes + 2), whole);
    const refused = exportContact(scope, "ada@example.com", bytes - 1);
    assert.equal((await refusalOf(refused)).code, "export_too_large");
  });

  test("nobody's export is refused, as is that of a blank externalId", async () => {
    const { tracker } = stoppedTracker();
    assert.equal((await refusalOf(tracker.contacts.export("ada"))).code, "contact_not_found");
    assert.deepEqual(await issuesOf(tracker.contacts.export(" ")), ["externalId too_short"]);
  });
});
