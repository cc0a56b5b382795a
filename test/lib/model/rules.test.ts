import assert from "node:assert/strict";
import type { Period, Rule } from "../../../lib/index.ts";
import { simpleRules, spanOf } from "../../../lib/model/rules.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-01-31T09:00:00.000Z");

suite("rules and periods", (test) => {
  const spans: [string, Period, { from: number | null; to: number | null }][] = [
    ["days are 24 hours, without an upper end", { days: 1 }, { from: now - 86_400_000, to: null }],
    ["hours", { hours: 2 }, { from: now - 7_200_000, to: null }],
    ["minutes", { minutes: 3 }, { from: now - 180_000, to: null }],
    ["from a time on", { from: "1970-01-01T00:00:01Z" }, { from: 1_000, to: null }],
    ["until just before a time", { to: new Date(2_000) }, { from: null, to: 2_000 }],
    ["between times", { from: new Date(1_000), to: "1970-01-01T01:00:02+01:00" }, { from: 1_000, to: 2_000 }],
  ];
  for (const [what, value, span] of spans) {
    test(`a period of moments: ${what}`, () => assert.deepEqual(spanOf(value, now), span));
  }

  test("the simple rules of a rule come in order, however deep they are", () => {
    const [first, second, third] = ["a", "b", "c"].map((eventKey): Rule => ({ kind: "has_done", eventKey }));
    assert.ok(first && second && third);
    assert.deepEqual(simpleRules(first), [first]);
    assert.deepEqual(simpleRules({ all: [first, { any: [{ not: second }, third] }] }), [first, second, third]);
  });
});
