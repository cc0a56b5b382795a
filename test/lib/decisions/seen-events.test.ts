import assert from "node:assert/strict";
import { eventsKeptSince, refusalOfPruning } from "../../../lib/decisions/seen-events.ts";
import type { Rule } from "../../../lib/index.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-01-31T00:00:00.000Z");
const day = 86_400_000;
const lately: Rule = { kind: "has_done", eventKey: "a", period: { days: 30 } };
const ever: Rule = { kind: "has_done", eventKey: "a" };
const last: Rule = { kind: "last_done_within", eventKey: "a", period: { days: 300 } };
const inDecember: Rule = {
  kind: "count_greater_than",
  eventKey: "a",
  count: 2,
  period: { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:00:00Z" },
};

suite("the events that rules see", (test) => {
  test("are kept since a time if a rule looks further back, and else all are kept", () => {
    const since = (rule: Rule, prunedBefore: number | null) => eventsKeptSince([rule], now, prunedBefore);
    assert.equal(since({ all: [ever, { not: lately }] }, now - 29 * day), "2026-01-02T00:00:00.000Z");
    assert.equal(since(lately, now - 30 * day), undefined);
    assert.equal(since(lately, null), undefined);
    assert.equal(since({ any: [ever, last] }, now), undefined);
  });

  test("are not pruned while an audience counts them", () => {
    const messageOf = (rule: Rule, days: number, prunedBefore: number | null = null): string | undefined => {
      const times = { before: now - days * day, prunedBefore, now };
      return refusalOfPruning(times, [{ key: "a", body: { name: "A", rule } }])?.refused.message;
    };
    assert.equal(
      messageOf({ all: [ever, { not: lately }] }, 29),
      'Rules of audiences still see these events: "a" counts events from 2026-01-01T00:00:00.000Z on.',
    );
    assert.equal(messageOf(lately, 30), undefined);
    assert.equal(
      messageOf(inDecember, 31),
      'Rules of audiences still see these events: "a" counts events from 2025-12-01T00:00:00.000Z to 2026-01-01T00:00:00.000Z.',
    );
    assert.equal(messageOf(inDecember, 61), undefined);
    assert.notEqual(messageOf(inDecember, 60), undefined);
    // The events of December are gone already.
    assert.equal(messageOf(inDecember, 1, Date.parse("2026-01-01T00:00:00Z")), undefined);
    assert.equal(messageOf({ any: [ever, last] }, 0), undefined);
  });
});
