import assert from "node:assert/strict";
import { normalizeRule, ruleStruct } from "../../../lib/input/rules.ts";
import { check } from "../../../lib/input/shapes.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const done = { kind: "has_done", eventKey: "order_completed" };
const lately = { ...done, period: { days: 30 } };
const total = { property: "total", operator: "greater_than", value: 100 };

function issuesOf(rule: unknown): string[] {
  return check(rule, ruleStruct).issues.map(({ path, code, message }) => `${path} ${code}: ${message}`);
}

const wrong: [string, unknown, string[]][] = [
  ["a where without a period", { ...done, where: [total] }, ["period required: Required beside where."]],
  ["a period without a beginning", { ...done, period: { to: new Date(0) } }, ["period.from required: Required."]],
  ["a where without a condition", { ...lately, where: [] }, ["where empty_list: Must have at least one entry."]],
  [
    "eleven conditions",
    { ...lately, where: Array.from({ length: 11 }, () => total) },
    ["where too_long: Too long: at most 10 entries."],
  ],
  ["a condition that is not in a list", { ...lately, where: total }, ["where wrong_type: Must be a list."]],
  [
    "a condition without its property",
    { ...lately, where: [{ operator: "is_set", value: true }] },
    ["where.0.property required: Required."],
  ],
  [
    "an operator of times",
    { ...lately, where: [{ ...total, operator: "within" }] },
    [
      "where.0.operator invalid_format: Must be equals, one_of, is_set, contains, starts_with, ends_with, greater_than, less_than or between.",
    ],
  ],
  [
    "a text where a number is asked for",
    { ...lately, where: [total, { ...total, value: "100" }] },
    ["where.1.value wrong_type: Must be a number."],
  ],
  [
    "a property of 101 bytes",
    { ...lately, where: [{ ...total, property: "x".repeat(101) }] },
    ["where.0.property too_long: Too long: at most 100 bytes of UTF-8."],
  ],
  [
    "a property that begins with a colon",
    { ...lately, where: [{ ...total, property: ":total" }] },
    ["where.0.property invalid_format: Must be no comma, and must not begin with a colon."],
  ],
  [
    "a misspelt field of a condition",
    { ...lately, where: [{ ...total, valeu: 1 }] },
    ["where.0.valeu unknown_field: There is no such field."],
  ],
  [
    "a where of a kind that has none",
    { kind: "last_done_within", eventKey: "a", period: { days: 1 }, where: [total] },
    ["where unknown_field: There is no such field."],
  ],
];

suite("rules that count events", (test) => {
  for (const [what, rule, issues] of wrong) {
    test(`${what} is refused at its path`, () => {
      assert.deepEqual(issuesOf(rule), issues);
      assert.deepEqual(
        issuesOf({ any: [done, rule] }),
        issues.map((issue) => `any.1.${issue}`),
      );
    });
  }

  test("a period of any length, and ten conditions of any name, are taken by each of the three kinds", () => {
    const names = ["", "Total", "__proto__", ",,", "a:", "é", "$.x", '"', "x".repeat(100), "0"];
    const where = names.map((property) => ({ property, operator: "is_set", value: false }));
    for (const period of [{ days: 30 }, { hours: 1 }, { from: new Date(0) }, { from: new Date(0), to: new Date(1) }]) {
      for (const kind of ["has_done", "has_not_done", "count_greater_than"]) {
        const rule = { kind, eventKey: "a", ...(kind === "count_greater_than" && { count: 0 }), period };
        assert.deepEqual([issuesOf(rule), issuesOf({ ...rule, where })], [[], []]);
      }
    }
  });

  test("a rule is stored as it was sent, its times as texts, and one without the new fields as before", () => {
    const period = { from: new Date(0) };
    const where = [{ property: "total", operator: "equals", value: -0 }];
    assert.deepEqual(normalizeRule(untyped({ ...done, period, where })), {
      ...done,
      period: { from: "1970-01-01T00:00:00.000Z" },
      where: [{ property: "total", operator: "equals", value: 0 }],
    });
    assert.deepEqual(normalizeRule(untyped({ ...done, period: undefined, where: undefined })), done);
  });

  test("the values of conditions count against the size of a rule", () => {
    const value = Array.from({ length: 1_000 }, () => "x".repeat(140));
    const where = [{ property: "a", operator: "one_of", value }];
    assert.deepEqual(issuesOf({ ...lately, where }), [" too_long: Too long: at most 131072 bytes of values, as JSON."]);
  });
});
