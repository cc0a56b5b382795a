import assert from "node:assert/strict";
import { spanOf, type PeriodOfTime } from "../../../lib/model/periods.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-01-31T09:00:00.000Z");

suite("the spans of periods", (test) => {
  const spans: [string, PeriodOfTime, { from: number | null; to: number | null }][] = [
    ["days are 24 hours, without an upper end", { days: 1 }, { from: now - 86_400_000, to: null }],
    ["hours", { hours: 2 }, { from: now - 7_200_000, to: null }],
    ["minutes", { minutes: 3 }, { from: now - 180_000, to: null }],
    ["the next minutes, with an upper end", { next: { minutes: 3 } }, { from: now, to: now + 180_000 }],
    ["before a moment long ago", { ago: { days: 1 } }, { from: null, to: now - 86_400_000 }],
    ["from a time on", { from: "1970-01-01T00:00:01Z" }, { from: 1_000, to: null }],
    ["until just before a time", { to: new Date(2_000) }, { from: null, to: 2_000 }],
    ["between times", { from: new Date(1_000), to: "1970-01-01T01:00:02+01:00" }, { from: 1_000, to: 2_000 }],
  ];
  for (const [what, value, span] of spans) {
    test(`a period of moments: ${what}`, () => assert.deepEqual(spanOf(value, now), span));
  }

  for (const period of [
    {},
    { weeks: 1 },
    { days: 1, hours: 1 },
    { days: 1, from: "2026-01-31T09:00:00Z" },
    { from: "monday" },
    { from: "2026-01-31T09:00:00Z", weekdays: [1] },
    { next: { weeks: 1 } },
    { next: {} },
    { ago: { days: 1, hours: 1 } },
    { ago: { days: 1 }, next: { days: 1 } },
    { around: { days: 1 } },
  ]) {
    test(`a period of a later version is refused: ${JSON.stringify(period)}`, () => {
      assert.throws(() => spanOf(period as unknown as PeriodOfTime, now), { code: "definition_unknown" });
    });
  }
});
