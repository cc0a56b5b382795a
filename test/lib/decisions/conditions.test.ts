import assert from "node:assert/strict";
import { conditionOf, holds } from "../../../lib/decisions/conditions.ts";
import type { Rule } from "../../../lib/index.ts";
import type { EventSummary } from "../../../lib/storage/rows.ts";
import { contactWith, none } from "../../support/contact-data.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-01-31T09:00:00.000Z");
const day = 86_400_000;
const eventKey = "step";

/** Of a contact with these summaries of "step", which may be none. */
function isTrue(value: Rule, summary?: Partial<EventSummary>): boolean {
  const whole = { eventKey, count: 1, firstAt: now, lastAt: now, ...summary };
  return holds(conditionOf(value, now, none), contactWith(...(summary ? [whole] : [])));
}

const did: Rule = { kind: "has_done", eventKey };
const moreThanTwo: Rule = { kind: "count_greater_than", eventKey, count: 2 };
const firstInWeek: Rule = { kind: "first_done_within", eventKey, period: { days: 7 } };
const lastInWeek: Rule = { kind: "last_done_within", eventKey, period: { days: 7 } };
const between = (from: number, to: number): Rule => ({
  kind: "last_done_within",
  eventKey,
  period: { from: new Date(from), to: new Date(to) },
});

/** What the rule is of whom; its opposite is tested with each. */
const cases: [string, Rule, Partial<EventSummary> | undefined, boolean][] = [
  ["has_done of who did nothing", did, undefined, false],
  ["has_done of who did it once", did, { count: 1 }, true],
  ["has_not_done of who did nothing", { kind: "has_not_done", eventKey }, undefined, true],
  ["has_not_done of who did it once", { kind: "has_not_done", eventKey }, { count: 1 }, false],
  ["count_greater_than of who did nothing", moreThanTwo, undefined, false],
  ["a count equal to the threshold", moreThanTwo, { count: 2 }, false],
  ["a count above the threshold", moreThanTwo, { count: 3 }, true],
  ["more than 0 of who did nothing", { kind: "count_greater_than", eventKey, count: 0 }, undefined, false],
  ["more than 0 of who did it once", { kind: "count_greater_than", eventKey, count: 0 }, { count: 1 }, true],
  ["first_done_within of who did nothing", firstInWeek, undefined, false],
  ["a first time exactly now - period", firstInWeek, { firstAt: now - 7 * day }, true],
  ["a first time just before now - period", firstInWeek, { firstAt: now - 7 * day - 1 }, false],
  ["a first time of now", firstInWeek, { firstAt: now }, true],
  ["a first time in the future", firstInWeek, { firstAt: now + 1, lastAt: now + 1 }, true],
  ["a first time before and a last time inside", firstInWeek, { firstAt: now - 8 * day, lastAt: now }, false],
  ["last_done_within of who did nothing", lastInWeek, undefined, false],
  ["a last time exactly now - period", lastInWeek, { firstAt: 0, lastAt: now - 7 * day }, true],
  ["a last time just before now - period", lastInWeek, { firstAt: 0, lastAt: now - 7 * day - 1 }, false],
  ["a last time in the future", lastInWeek, { firstAt: now, lastAt: now + 1 }, true],
  ["a time equal to from", between(now, now + 1), { lastAt: now }, true],
  ["a time equal to to", between(now - 1, now), { lastAt: now }, false],
  ["from equal to to", between(now, now), { lastAt: now }, false],
  [
    "from alone",
    { kind: "last_done_within", eventKey, period: { from: new Date(now) } },
    { lastAt: now + 999 * day },
    true,
  ],
  ["to alone", { kind: "first_done_within", eventKey, period: { to: new Date(now) } }, { firstAt: -day }, true],
  ["all of true and false", { all: [did, moreThanTwo] }, { count: 1 }, false],
  ["all of true and true", { all: [did, moreThanTwo] }, { count: 3 }, true],
  ["any of true and false", { any: [did, moreThanTwo] }, { count: 1 }, true],
  ["any of false and false", { any: [did, moreThanTwo] }, undefined, false],
  ["groups in groups", { all: [{ any: [moreThanTwo, did] }, { not: { all: [moreThanTwo] } }] }, { count: 1 }, true],
  ["another key", { kind: "has_done", eventKey: "Step" }, { count: 1 }, false],
];

suite("conditions", (test) => {
  for (const [what, value, summary, expected] of cases) {
    test(`${what}: ${expected}`, () => assert.equal(isTrue(value, summary), expected));
    test(`not of ${what}: ${!expected}`, () => assert.equal(isTrue({ not: value }, summary), !expected));
  }
});
