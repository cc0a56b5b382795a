import assert from "node:assert/strict";
import type { PropertyCondition, Rule, Tracker } from "../../lib/index.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { stoppedTracker } from "../support/stopped-tracker.ts";
import { interfaceSuite } from "../support/through-client.ts";

const lately = { eventKey: "order_completed", period: { days: 30 } };
const where: PropertyCondition[] = [{ property: "total", operator: "greater_than", value: 100 }];
const often: Rule = { kind: "count_greater_than", count: 2, ...lately, where };

/** Ada ordered four times for more than 100, once of these 31 days ago. Bob ordered three times, once for less. */
async function shop(): Promise<{ tracker: Tracker; storage: Storage }> {
  const { tracker, storage } = stoppedTracker();
  for (const externalId of ["ada", "bob", "cy"]) {
    await tracker.contacts.upsert({ email: `${externalId}@example.com`, externalId });
  }
  for (const [externalId, createdAt, total] of [
    ["ada", "2025-12-31T09:00:00.000Z", 500],
    ["ada", "2026-01-01T09:00:00.000Z", 101],
    ["ada", "2026-01-20T09:00:00.000Z", 100.5],
    ["ada", "2026-01-31T09:04:00.000Z", 1_000],
    ["bob", "2026-01-20T09:00:00.000Z", 101],
    ["bob", "2026-01-21T09:00:00.000Z", 101],
    ["bob", "2026-01-22T09:00:00.000Z", 100],
  ] as const) {
    await tracker.events.track({ externalId, eventKey: "order_completed", createdAt, properties: { total } });
  }
  return { tracker, storage };
}

async function namesOf(tracker: Tracker, audience: string | Rule): Promise<string> {
  const { items } = await tracker.audiences.members(audience);
  assert.equal(await tracker.audiences.count(audience), items.length);
  return items.map(({ externalId }) => externalId).join(" ");
}

interfaceSuite("rules about the events of a period", (test) => {
  test("count the events that happened in it and fulfil the conditions", async () => {
    const { tracker } = await shop();
    assert.equal(await namesOf(tracker, often), "ada");
    assert.equal(await namesOf(tracker, { ...often, count: 1 }), "ada bob");
    assert.equal(await namesOf(tracker, { ...often, where: undefined }), "ada bob");
    assert.equal(await namesOf(tracker, { ...often, count: 3 }), "");
    assert.equal(await namesOf(tracker, { kind: "has_not_done", ...lately, where }), "cy");
    const isSmall: PropertyCondition = { property: "total", operator: "between", value: [0, 100] };
    const small: Rule = { kind: "has_done", ...lately, where: [isSmall] };
    assert.equal(await namesOf(tracker, { all: [small, { not: often }] }), "bob");
  });

  test("are stored, and explained by the events that they count", async () => {
    const { tracker } = await shop();
    await tracker.audiences.define({ key: "big_spenders", name: "Big spenders", rule: often });
    assert.deepEqual((await tracker.audiences.list())[0]?.rule, often);
    assert.equal(await namesOf(tracker, "big_spenders"), "ada");
    assert.deepEqual(await tracker.contacts.audiences("ada"), ["big_spenders"]);
    assert.deepEqual(await tracker.contacts.audiences("bob"), []);
    assert.deepEqual(await tracker.audiences.explain("big_spenders", "ada"), {
      match: true,
      because: [
        {
          rule: often,
          match: true,
          observed: { count: 3, firstAt: "2026-01-01T09:00:00.000Z", lastAt: "2026-01-31T09:04:00.000Z" },
        },
      ],
    });
    const { because } = await tracker.audiences.explain({ not: { all: [often, { ...often, count: 0 }] } }, "bob");
    assert.deepEqual(
      because.map(({ match, observed }) => [match, observed]),
      [
        [false, { count: 2, firstAt: "2026-01-20T09:00:00.000Z", lastAt: "2026-01-21T09:00:00.000Z" }],
        [true, { count: 2, firstAt: "2026-01-20T09:00:00.000Z", lastAt: "2026-01-21T09:00:00.000Z" }],
      ],
    );
    assert.equal((await tracker.audiences.explain(often, "cy")).because[0]?.observed, null);
  });

  test("say since when events are kept, if they look further back", async () => {
    const { tracker, storage } = await shop();
    await storage.markPruned("default", Date.parse("2026-01-01T09:00:00.001Z"));
    const eventsKeptSince = "2026-01-01T09:00:00.001Z";
    await tracker.audiences.define({ key: "big_spenders", name: "Big spenders", rule: often });
    for (const audience of ["big_spenders", often]) {
      assert.equal((await tracker.audiences.members(audience)).eventsKeptSince, eventsKeptSince);
      assert.equal((await tracker.audiences.explain(audience, "ada")).eventsKeptSince, eventsKeptSince);
    }
    for (const rule of [
      { ...often, period: { days: 29 } },
      { kind: "has_done", eventKey: "order_completed" },
    ] as const) {
      assert.deepEqual(Object.keys(await tracker.audiences.members(rule)), ["items", "nextCursor"]);
      assert.deepEqual(Object.keys(await tracker.audiences.explain(rule, "ada")), ["match", "because"]);
    }
  });
});
