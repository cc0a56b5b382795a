import assert from "node:assert/strict";
import fc from "fast-check";
import type { ActivityRequest } from "../../lib/index.ts";
import { anyHistory, recount, relive, shown } from "../support/activity.ts";
import { issuesOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { interfaceSuite } from "../support/through-client.ts";

const from = "2026-01-30T12:00:00Z";
const to = new Date("2026-01-31T10:00:00Z");
const twoDays: ActivityRequest = { from, to, by: "day" };
const today = { from: "2026-01-31T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
const yesterday = { from: "2026-01-30T00:00:00.000Z", to: "2026-01-31T00:00:00.000Z" };

const apart = {
  "has no events of periods that begin before events are kept, and says since when they are": "a client does not prune",
  "agrees with a recount by the dates of the zone": "a client does not prune",
};

interfaceSuite({ name: "activity", apart }, (test) => {
  test("counts events, contacts with an event and new contacts of whole days, newest first", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.contacts.upsert({ email: "bob@example.com" });
    for (const eventKey of ["a", "a", "b"]) await tracker.events.track({ externalId: "ada@example.com", eventKey });
    // It is recorded late.
    await tracker.events.track({ externalId: "bob@example.com", eventKey: "a", createdAt: "2026-01-30T00:00:00Z" });
    assert.deepEqual(await tracker.activity(twoDays), {
      periods: [
        { ...today, events: 3, contacts: 1, newContacts: 2 },
        { ...yesterday, events: 1, contacts: 1, newContacts: 0 },
      ],
    });
    assert.deepEqual(await tracker.activity({ ...twoDays, eventKey: "b", total: true }), {
      periods: [
        { ...today, events: 1, contacts: 1, newContacts: 2 },
        { ...yesterday, events: 0, contacts: 0, newContacts: 0 },
      ],
      total: { from: yesterday.from, to: today.to, events: 1, contacts: 1, newContacts: 2 },
    });
    await tracker.contacts.delete("ada@example.com");
    const { total } = await tracker.activity({ ...twoDays, total: true });
    assert.deepEqual(total, { from: yesterday.from, to: today.to, events: 1, contacts: 1, newContacts: 1 });
  });

  test("counts weeks, in the zone that is given", async () => {
    const { tracker } = stoppedTracker("2026-02-01T23:30:00.000Z");
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const request = { from, to: "2026-02-02T00:00:00Z", by: "week" } as const;
    const counted = { events: 0, contacts: 0 };
    assert.deepEqual(await tracker.activity(request), {
      periods: [{ from: "2026-01-26T00:00:00.000Z", to: "2026-02-02T00:00:00.000Z", ...counted, newContacts: 1 }],
    });
    assert.deepEqual(await tracker.activity({ ...request, timeZone: "Europe/Berlin" }), {
      periods: [
        { from: "2026-02-01T23:00:00.000Z", to: "2026-02-08T23:00:00.000Z", ...counted, newContacts: 1 },
        { from: "2026-01-25T23:00:00.000Z", to: "2026-02-01T23:00:00.000Z", ...counted, newContacts: 0 },
      ],
    });
  });

  test("does not list a day that the zone left out", async () => {
    const { tracker } = stoppedTracker();
    const around = { from: "2011-12-30T09:00:00Z", to: "2011-12-30T11:00:00Z", timeZone: "Pacific/Apia" };
    const { periods } = await tracker.activity({ ...around, by: "day" });
    const days = periods.map((period) => `${period.from} ${period.to}`);
    const moved = "2011-12-30T10:00:00.000Z";
    assert.deepEqual(days, [`${moved} 2011-12-31T10:00:00.000Z`, `2011-12-29T10:00:00.000Z ${moved}`]);
  });

  test("has no events of periods that begin before events are kept, and says since when they are", async () => {
    const { tracker, clock } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.events.track({ externalId: "ada@example.com", eventKey: "a", createdAt: from });
    await tracker.events.track({ externalId: "ada@example.com", eventKey: "a" });
    clock.set("2026-01-31T11:00:00.000Z");
    await tracker.events.prune({ before: today.from });
    const pruned = { events: null, contacts: null, newContacts: 0 };
    assert.deepEqual(await tracker.activity({ ...twoDays, total: true }), {
      periods: [
        { ...today, events: 1, contacts: 1, newContacts: 1 },
        { ...yesterday, ...pruned },
      ],
      eventsKeptSince: today.from,
      total: { from: yesterday.from, to: today.to, events: null, contacts: null, newContacts: 1 },
    });
    await tracker.events.prune({ before: "2026-01-31T00:00:00.001Z" });
    const { periods } = await tracker.activity({ ...twoDays, from: today.from });
    assert.deepEqual(periods, [{ ...today, events: null, contacts: null, newContacts: 1 }]);
  });

  test("agrees with a recount by the dates of the zone", () =>
    fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const { tracker, clock } = stoppedTracker();
        const setClock = (time: number): void => clock.set(new Date(time).toISOString());
        const { request, prunedBefore } = await relive(tracker, history, setClock);
        assert.deepEqual(await shown(tracker, request), await recount(tracker, request, prunedBefore));
      }),
      { numRuns: 60 },
    ));

  test("takes at most 100 periods", async () => {
    const { tracker } = stoppedTracker();
    const request = { from: "2026-01-01T00:00:00Z", to: "2026-04-11T00:00:00Z", by: "day" } as const;
    assert.equal((await tracker.activity(request)).periods.length, 100);
    const tooLong = { ...request, to: "2026-04-11T00:00:00.001Z" };
    assert.deepEqual(await issuesOf(tracker.activity(tooLong)), ["to out_of_range"]);
    assert.equal((await tracker.activity({ ...tooLong, by: "week" })).periods.length, 15);
    const always = { ...request, from: "0001-01-01T00:00:00Z", to: "9999-12-31T00:00:00Z" };
    assert.deepEqual(await issuesOf(tracker.activity(always)), ["to out_of_range"]);
  });

  test("refuses what it does not know", async () => {
    const { tracker } = stoppedTracker();
    for (const [given, ...issues] of [
      [{}, "from required", "to required", "by required"],
      [{ ...twoDays, from: to }, "to out_of_range"],
      [{ ...twoDays, to: "2026-01-30" }, "to invalid_format"],
      [{ ...twoDays, by: "month" }, "by invalid_format"],
      [{ ...twoDays, timeZone: "Mars/Base" }, "timeZone invalid_format"],
      [{ ...twoDays, timeZone: "+02:00" }, "timeZone invalid_format"],
      [{ ...twoDays, eventKey: " " }, "eventKey too_short"],
      [{ ...twoDays, total: "yes" }, "total wrong_type"],
      [{ ...twoDays, limit: 1 }, "limit unknown_field"],
    ] as const)
      assert.deepEqual(await issuesOf(tracker.activity(untyped(given))), issues, JSON.stringify(given));
  });
});
