import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { idAt } from "../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { PruneRequest, PruneStep } from "../../../lib/storage/rows.ts";
import { createTracker } from "../../../lib/index.ts";
import { issuesOf, refusalOf, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const ada = { externalId: "ada@example.com", eventKey: "step" };

/** Ada did a step on 1, 2 and 3 January, told on the 4th. Now it is the 5th. */
async function trackerOfAda() {
  const { storage, ...clocks } = stoppedClock("2026-01-04T00:00:00Z");
  const tracker = createTracker({ storage, now: clocks.now });
  await tracker.contacts.upsert({ email: "ada@example.com" });
  for (const day of [1, 2, 3]) {
    await tracker.events.track({ ...ada, createdAt: `2026-01-0${day}T00:00:00Z` }, { idempotencyKey: `k${day}` });
  }
  clocks.clock.set("2026-01-05T00:00:00Z");
  return { tracker, storage, clock: clocks.clock };
}

/** Events get the ids of their recording: `newId` never goes back behind an id that it has generated. */
function stoppedClock(startsAt: string) {
  let now = new Date(startsAt);
  const memory = memoryStorage();
  const recordEvents: Storage["recordEvents"] = (items) =>
    memory.recordEvents(items.map((item) => ({ ...item, id: idAt(item.recordedAt) })));
  const clock = { set: (time: string) => (now = new Date(time)) };
  return { storage: { ...memory, recordEvents }, now: () => now, clock };
}

suite("retention", (test) => {
  test("old events go, and what rules, checklists and counts are computed from stays", async () => {
    const { tracker } = await trackerOfAda();
    const rule = { kind: "first_done_within", eventKey: "step", period: { to: "2026-01-02T00:00:00Z" } } as const;
    const progress: number[] = [];
    const done = await tracker.events.prune({ before: new Date("2026-01-03T00:00:00Z") }, (n) => progress.push(n));
    assert.deepEqual([done, progress], [{ pruned: 2, recent: 0 }, [2]]);
    assert.equal((await tracker.events.list("ada@example.com")).items.length, 1);
    assert.equal(await tracker.audiences.count(rule), 1);
    assert.equal((await tracker.eventTypes.usage()).items[0]?.count, 3);
    assert.deepEqual(await tracker.events.prune({ before: "2026-01-03T00:00:00Z" }), { pruned: 0, recent: 0 });
  });

  test("an event from before the mark is refused, unless it is a replay", async () => {
    const { tracker } = await trackerOfAda();
    await tracker.events.prune({ before: "2026-01-03T00:00:00Z" });
    const old = { ...ada, createdAt: "2026-01-02T23:59:59.999Z" };
    assert.deepEqual(await issuesOf(tracker.events.track(old)), ["createdAt out_of_range"]);
    const first = { contact: { email: "bob@example.com" }, eventKey: "step", createdAt: old.createdAt };
    assert.deepEqual(await issuesOf(tracker.events.track(first)), ["createdAt out_of_range"]);
    assert.equal(await tracker.contacts.get("bob@example.com"), null);
    assert.deepEqual(await issuesOf(tracker.events.track(old, { idempotencyKey: "k2" })), ["createdAt out_of_range"]);
    const kept = { ...ada, createdAt: "2026-01-03T00:00:00Z" };
    assert.equal(
      (await tracker.events.track(kept, { idempotencyKey: "k3" })).event.createdAt,
      "2026-01-03T00:00:00.000Z",
    );
    assert.equal((await tracker.events.list("ada@example.com")).items.length, 1);
    await tracker.events.track(kept);
    await tracker.events.track(ada);
  });

  test("events that a defined audience counts are removed by force alone", async () => {
    const { tracker } = await trackerOfAda();
    const lately = { kind: "has_done", eventKey: "step", period: { days: 3 } } as const;
    await tracker.audiences.define({ key: "active", name: "Active", rule: { not: lately } });
    await tracker.audiences.define({ key: "ever", name: "Ever", rule: { kind: "has_done", eventKey: "step" } });
    const before = "2026-01-03T00:00:00Z";
    const { code, message } = await refusalOf(tracker.events.prune({ before }));
    assert.equal(code, "definition_in_use");
    assert.equal(
      message,
      'Rules of audiences still see these events: "active" counts events from 2026-01-02T00:00:00.000Z on.',
    );
    assert.equal((await tracker.audiences.members(lately)).eventsKeptSince, undefined);
    assert.deepEqual(await tracker.events.prune({ before, dryRun: true }), { pruned: 2, recent: 0 });
    assert.deepEqual(await tracker.events.prune({ before: "2026-01-02T00:00:00Z" }), { pruned: 1, recent: 0 });
    assert.deepEqual(await tracker.events.prune({ before, force: true }), { pruned: 1, recent: 0 });
    assert.equal((await tracker.audiences.members("active")).eventsKeptSince, "2026-01-03T00:00:00.000Z");
    assert.deepEqual(await tracker.events.prune({ before }), { pruned: 0, recent: 0 });
  });

  test("what was recorded in the last hour stays until later", async () => {
    const { tracker, clock } = await trackerOfAda();
    const before = "2026-01-05T00:00:00Z";
    await tracker.events.track({ ...ada, createdAt: "2026-01-01T00:00:00Z" });
    clock.set("2026-01-05T01:00:00Z");
    assert.deepEqual(await tracker.events.prune({ before }), { pruned: 3, recent: 1 });
    clock.set("2026-01-05T01:00:00.001Z");
    assert.deepEqual(await tracker.events.prune({ before }), { pruned: 1, recent: 0 });
  });

  test("a dry run counts what a call would remove and leave, and changes nothing", async () => {
    const { tracker, storage, clock } = await trackerOfAda();
    await tracker.events.track({ ...ada, createdAt: "2026-01-01T00:00:00Z" });
    clock.set("2026-01-05T01:00:00Z");
    const transaction = storage.begin();
    await tracker.within(transaction).events.track(ada);
    const request = { before: "2026-01-03T00:00:00Z", dryRun: true };
    for (const expected of [
      { pruned: 2, recent: 1 },
      { pruned: 2, recent: 1 },
    ]) {
      assert.deepEqual(await tracker.events.prune(request), expected);
    }
    await transaction.rollback();
    await tracker.events.track({ ...ada, createdAt: "2026-01-02T00:00:00Z" });
    assert.deepEqual(await tracker.events.prune({ ...request, dryRun: false }), { pruned: 2, recent: 2 });
    assert.deepEqual(await issuesOf(tracker.events.prune(untyped({ ...request, dryRun: 1 }))), ["dryRun wrong_type"]);
  });

  test("the time is one of the past", async () => {
    const { tracker } = await trackerOfAda();
    const { prune } = tracker.events;
    assert.deepEqual(await issuesOf(prune({ before: "2026-01-05T00:00:00.001Z" })), ["before out_of_range"]);
    assert.deepEqual(await issuesOf(prune({ before: "2026-01-05" })), ["before invalid_format"]);
    assert.deepEqual(await issuesOf(prune(untyped({}))), ["before required"]);
    assert.deepEqual(await prune({ before: "2026-01-05T00:00:00Z" }), { pruned: 3, recent: 0 });
  });

  test("steps are asked for from where the last one ended, and again from the first that left something", async () => {
    const { storage } = await trackerOfAda();
    const [one, two] = [1, 2].map((createdAt) => ({ createdAt, id: "id" }));
    const steps: PruneStep[] = [
      { pruned: 5, held: false, next: one! },
      { pruned: 0, held: true, next: two! },
      { pruned: 0, held: true, next: null },
      { pruned: 1, held: false, next: null },
    ];
    const asked: PruneRequest["after"][] = [];
    const pruneEvents: Storage["pruneEvents"] = async (place, request) =>
      request.dryRun ? storage.pruneEvents(place, request) : (asked.push(request.after), steps.shift()!);
    const tracker = createTracker({ storage: { ...storage, pruneEvents } });
    assert.deepEqual(await tracker.events.prune({ before: "2026-01-01T00:00:00Z" }), { pruned: 6, recent: 0 });
    assert.deepEqual(asked, [null, one, two, one]);
  });

  test("a contact that is held too long fails the call, after all others' events are gone", async () => {
    const { tracker, storage } = await trackerOfAda();
    const transaction = storage.begin();
    await tracker.within(transaction).events.track(ada);
    const refusal = await refusalOf(tracker.events.prune({ before: "2026-01-03T00:00:00Z" }));
    assert.equal(refusal.code, "storage_unavailable");
    await transaction.rollback();
    assert.deepEqual(await tracker.events.prune({ before: "2026-01-03T00:00:00Z" }), { pruned: 2, recent: 0 });
  });
});
