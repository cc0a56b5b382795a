import assert from "node:assert/strict";
import { explain } from "../../../lib/decisions/explanations.ts";
import type { Rule } from "../../../lib/index.ts";
import { contactWith, none } from "../../support/contact-data.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-01-31T09:00:00.000Z");
const day = 86_400_000;
const eventKey = "step";
const did: Rule = { kind: "has_done", eventKey };
const moreThanTwo: Rule = { kind: "count_greater_than", eventKey, count: 2 };

suite("explanations", (test) => {
  test("a rule is explained by the events that each of its parts was decided by", () => {
    const summary = { eventKey, count: 3, firstAt: now - 40 * day, lastAt: now - 31 * day };
    const value: Rule = {
      all: [moreThanTwo, { not: { kind: "last_done_within", eventKey, period: { days: 30 } } }, { any: [did] }],
    };
    const observed = { count: 3, firstAt: "2025-12-22T09:00:00.000Z", lastAt: "2025-12-31T09:00:00.000Z" };
    assert.deepEqual(explain(value, contactWith(summary), none, now), {
      match: true,
      because: [
        { rule: moreThanTwo, match: true, observed },
        { rule: { kind: "last_done_within", eventKey, period: { days: 30 } }, match: false, observed },
        { rule: did, match: true, observed },
      ],
    });
    assert.deepEqual(explain(did, contactWith(), none, now), {
      match: false,
      because: [{ rule: did, match: false, observed: null }],
    });
  });
});
