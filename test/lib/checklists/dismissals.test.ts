import assert from "node:assert/strict";
import type { Tracker } from "../../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const startsAt = "2026-01-31T09:00:00.000Z";
const start = {
  key: "start",
  name: "Start",
  description: "Your first week.",
  items: [
    { key: "call", name: "Take the call", description: "Ten minutes.", href: "/calls?new#top" },
    { key: "step", name: "Step", when: { kind: "has_done", eventKey: "step" } },
  ],
} as const;

async function withAda(): Promise<{ tracker: Tracker; clock: { set(time: string): void } }> {
  const { tracker, clock } = stoppedTracker();
  await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
  await tracker.checklists.define(start);
  return { tracker, clock };
}

async function dismissedAt(tracker: Tracker): Promise<string | null> {
  return (await tracker.checklists.progress("ada"))[0]!.dismissedAt;
}

interfaceSuite("dismissals", (test) => {
  test("a checklist is shown with its descriptions and links", async () => {
    const { tracker } = await withAda();
    assert.deepEqual(await tracker.checklists.list(), [start]);
    const [progress] = await tracker.checklists.progress("ada");
    assert.equal(progress!.description, "Your first week.");
    assert.deepEqual(
      progress!.items.map(({ itemKey, description, href }) => ({ itemKey, description, href })),
      [
        { itemKey: "call", description: "Ten minutes.", href: "/calls?new#top" },
        { itemKey: "step", description: null, href: null },
      ],
    );
  });

  test("a dismissal is shown with the time of its first call, until it is taken back", async () => {
    const { tracker, clock } = await withAda();
    assert.equal(await dismissedAt(tracker), null);
    const first = await tracker.checklists.dismiss("ada", "start");
    assert.equal(first.dismissedAt, startsAt);
    clock.set("2026-01-31T10:00:00.000Z");
    assert.deepEqual(await tracker.checklists.dismiss("ada", "start"), first);
    assert.deepEqual(await tracker.checklists.progress("ada"), [first]);
    for (let n = 0; n < 2; n++) {
      assert.equal((await tracker.checklists.restore("ada", "start")).dismissedAt, null);
    }
    assert.equal((await tracker.checklists.dismiss("ada", "start")).dismissedAt, "2026-01-31T10:00:00.000Z");
  });

  test("a checklist that is redefined stays dismissed, and one that is deleted and defined again does not", async () => {
    const { tracker } = await withAda();
    await tracker.checklists.dismiss("ada", "start");
    await tracker.checklists.define({ ...start, name: "Begin" });
    assert.equal(await dismissedAt(tracker), startsAt);
    await tracker.checklists.delete("start");
    assert.deepEqual((await tracker.contacts.export("ada")).dismissals, []);
    await tracker.checklists.define(start);
    assert.equal(await dismissedAt(tracker), null);
  });

  test("dismissing is refused where there is no such contact or checklist", async () => {
    const { tracker } = await withAda();
    for (const deed of [tracker.checklists.dismiss, tracker.checklists.restore]) {
      assert.equal((await refusalOf(deed("bob", "start"))).code, "contact_not_found");
      assert.equal((await refusalOf(deed("ada", "other"))).code, "definition_not_found");
      assert.deepEqual(await issuesOf(deed(untyped(undefined), "")), ["externalId required", "checklistKey too_short"]);
    }
  });

  test("a link is relative, or http or https, however its scheme is written", async () => {
    const { tracker } = stoppedTracker();
    const define = (href: unknown) =>
      tracker.checklists.define(untyped({ key: "a", name: "A", items: [{ key: "a", name: "A", href }] }));
    for (const href of ["/a", "a/b", "?a", "#a", "../a", "http://a.example", "HTTPS://a.example/ü", "a"]) {
      assert.equal((await define(href)).items[0]!.href, href);
    }
    for (const href of [
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "java\nscript:alert(1)",
      "\u0001javascript:alert(1)",
      " javascript:alert(1)",
      "data:text/html,a",
      "vbscript:a",
      "blob:https://a.example/1",
      "mailto:a@example.com",
      "https://",
      "a b",
      "",
    ]) {
      assert.deepEqual(await issuesOf(define(href)), ["items.0.href invalid_format"], href);
    }
    assert.deepEqual(await issuesOf(define(`/${"x".repeat(2_048)}`)), ["items.0.href too_long"]);
    assert.deepEqual(await issuesOf(define(null)), ["items.0.href not_allowed_null"]);
  });

  test("each problem of a description is named by its path", async () => {
    const { tracker } = stoppedTracker();
    const items = [{ key: "a", name: "A", description: "x".repeat(1_001) }];
    const definition = { key: "a", name: "A", description: " ", items };
    assert.deepEqual(await issuesOf(tracker.checklists.define(definition)), [
      "description too_short",
      "items.0.description too_long",
    ]);
  });
});
