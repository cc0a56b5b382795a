import assert from "node:assert/strict";
import type { Rule } from "../../../lib/model/types.ts";
import { ruleWords } from "../../../server/dashboard/app/rules/words.ts";
import { suite } from "../../support/suite.ts";

const login = { eventKey: "login" } as const;
const words: readonly [string, Rule][] = [
  ["has done login", { kind: "has_done", ...login }],
  ["has not done login", { kind: "has_not_done", ...login }],
  ["did login more than 3 times", { kind: "count_greater_than", ...login, count: 3 }],
  ["did login more than once", { kind: "count_greater_than", ...login, count: 1 }],
  [
    "did order_completed more than 2 times, in the last 30 days, where total is greater than 100",
    {
      kind: "count_greater_than",
      eventKey: "order_completed",
      count: 2,
      period: { days: 30 },
      where: [{ property: "total", operator: "greater_than", value: 100 }],
    },
  ],
  ["has not done login, in the last hour", { kind: "has_not_done", ...login, period: { hours: 1 } }],
  [
    "has done login, since 2026-01-02 UTC, where “a b” is between 1 and 2 and gift is not set",
    {
      kind: "has_done",
      ...login,
      period: { from: "2026-01-02T00:00:00.000Z" },
      where: [
        { property: "a b", operator: "between", value: [1, 2] },
        { property: "gift", operator: "is_set", value: false },
      ],
    },
  ],
  ["first did login in the last 7 days", { kind: "first_done_within", ...login, period: { days: 7 } }],
  ["last did login in the last hour", { kind: "last_done_within", ...login, period: { hours: 1 } }],
  [
    "last did login from 2026-01-02 until before 2026-02-03 04:05 UTC",
    {
      kind: "last_done_within",
      ...login,
      period: { from: "2026-01-02T00:00:00.000Z", to: "2026-02-03T04:05:00.000Z" },
    },
  ],
  [
    "signedUpAt since 2026-01-02 03:04:05.678 UTC",
    { kind: "field", field: "signedUpAt", operator: "within", value: { from: "2026-01-02T03:04:05.678Z" } },
  ],
  [
    "createdAt before 2026-01-02 UTC",
    { kind: "field", field: "createdAt", operator: "within", value: { to: "2026-01-02T00:00:00.000Z" } },
  ],
  ["plan is one of pro, team", { kind: "field", field: "plan", operator: "one_of", value: ["pro", "team"] }],
  ["name is “Ada, Countess”", { kind: "field", field: "name", operator: "equals", value: "Ada, Countess" }],
  ["name is “”", { kind: "field", field: "name", operator: "equals", value: "" }],
  ["email ends with @example.com", { kind: "field", field: "email", operator: "ends_with", value: "@example.com" }],
  ["phone is not set", { kind: "field", field: "phone", operator: "is_set", value: false }],
  ["seats is between 3 and 9", { kind: "attribute", key: "seats", operator: "between", value: [3, 9] }],
  ["seats is greater than -1.5", { kind: "attribute", key: "seats", operator: "greater_than", value: -1.5 }],
  [
    "seats is one of 1, 2, 3, 4, 5 and 2 more",
    { kind: "attribute", key: "seats", operator: "one_of", value: [1, 2, 3, 4, 5, 6, 7] },
  ],
  ["beta is true", { kind: "attribute", key: "beta", operator: "equals", value: true }],
  ["completed the checklist onboarding", { kind: "checklist_completed", checklistKey: "onboarding" }],
  [
    "all of (has done login; not (any of (beta is true; phone is set)))",
    {
      all: [
        { kind: "has_done", ...login },
        {
          not: {
            any: [
              { kind: "attribute", key: "beta", operator: "equals", value: true },
              { kind: "field", field: "phone", operator: "is_set", value: true },
            ],
          },
        },
      ],
    },
  ],
  ["has not done login, in the last day", { any: [{ not: { kind: "has_done", ...login, period: { days: 1 } } }] }],
  ["has done login, in the last hour", { not: { kind: "has_not_done", ...login, period: { hours: 1 } } }],
];

suite("the words of a rule", (test) => {
  for (const [expected, rule] of words)
    test(`a rule reads: ${expected}`, () => {
      assert.equal(ruleWords(rule), expected);
    });

  test("a long text is cut between characters", () => {
    assert.equal(
      ruleWords({ kind: "field", field: "name", operator: "contains", value: "🙂".repeat(100) }),
      `name contains “${"🙂".repeat(60)}…”`,
    );
  });
});
