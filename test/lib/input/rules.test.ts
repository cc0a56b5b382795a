import assert from "node:assert/strict";
import type { Rule } from "../../../lib/index.ts";
import { whenStruct } from "../../../lib/input/checklist-rules.ts";
import { normalizeRule, ruleStruct } from "../../../lib/input/rules.ts";
import { check } from "../../../lib/input/shapes.ts";
import { suite } from "../../support/suite.ts";

const eventKey = "step";

function issuesOf(value: unknown): string[] {
  return check(value, ruleStruct).issues.map(({ path, code }) => `${path} ${code}`);
}

const did: Rule = { kind: "has_done", eventKey };
const moreThanTwo: Rule = { kind: "count_greater_than", eventKey, count: 2 };
const lastInWeek: Rule = { kind: "last_done_within", eventKey, period: { days: 7 } };
/** As many groups around a simple rule. */
function nested(groups: number, group: (inner: Rule) => Rule): Rule {
  return Array.from({ length: groups }, () => group).reduce((inner, wrap) => wrap(inner), did);
}

suite("rules", (test) => {
  test("a rule is kept as it was sent, its times as texts", () => {
    const value: Rule = { any: [{ not: { kind: "first_done_within", eventKey, period: { from: new Date(0) } } }, did] };
    assert.deepEqual(normalizeRule(value), {
      any: [{ not: { kind: "first_done_within", eventKey, period: { from: "1970-01-01T00:00:00.000Z" } } }, did],
    });
  });

  test("groups nest 8 deep, and no deeper", () => {
    for (const group of [(inner: Rule) => ({ all: [inner] }), (inner: Rule) => ({ not: inner })]) {
      assert.deepEqual(issuesOf(nested(7, group)), []);
    }
    assert.deepEqual(issuesOf(nested(8, (inner) => ({ not: inner }))), ["not.not.not.not.not.not.not.not too_long"]);
    assert.deepEqual(issuesOf(nested(100_000, (inner) => ({ not: inner }))).length, 1);
  });

  test("a rule that contains itself is refused", () => {
    const endless: { all: Rule[] } = { all: [did] };
    endless.all.push(endless);
    assert.deepEqual(
      issuesOf(endless),
      ["all.1.all.1.all.1.all.1.all.1.all.1.all.1.all.0 too_long"].concat([
        "all.1.all.1.all.1.all.1.all.1.all.1.all.1.all.1 too_long",
      ]),
    );
  });

  test("a rule that is too wide or too deep is refused at once, without a copy of it", () => {
    let reads = 0;
    const counted = (rules: Rule[]): Rule[] =>
      new Proxy(rules, { get: (target, key) => (reads++, Reflect.get(target, key) as unknown) });
    const endless: { all: Rule[] } = { all: [] };
    endless.all = counted(Array.from({ length: 6 }, () => endless));
    const sparse: { any: Rule[] } = { any: [] };
    sparse.any.length = 4_000_000_000;
    sparse.any = counted(sparse.any);
    assert.deepEqual(issuesOf(endless), [" too_long"]);
    assert.deepEqual(issuesOf({ not: sparse }), [" too_long"]);
    assert.deepEqual(
      check({ not: endless }, whenStruct).issues.map(({ code }) => code),
      ["too_long"],
    );
    assert.ok(reads < 10_000, `${reads} reads`);
  });

  test("a rule of the largest size is accepted", () => {
    const deep = nested(7, (inner) => ({ all: [inner] }));
    assert.deepEqual(issuesOf({ any: Array.from({ length: 50 }, () => (deep as { all: [Rule] }).all[0]) }), []);
  });

  test("a rule has at most 50 simple rules in all", () => {
    const simple = (count: number): Rule[] => Array.from({ length: count }, () => did);
    assert.deepEqual(issuesOf({ all: [...simple(25), { any: simple(25) }] }), []);
    assert.deepEqual(issuesOf({ all: [...simple(25), { any: simple(26) }] }), [" too_long"]);
  });

  const refused: [unknown, string[]][] = [
    [undefined, [" required"]],
    [null, [" wrong_type"]],
    ["step", [" wrong_type"]],
    [[did], [" wrong_type"]],
    [{}, ["kind required"]],
    [{ kind: "did", eventKey }, ["kind invalid_format"]],
    [{ kind: "toString", eventKey }, ["kind invalid_format"]],
    [{ kind: 1 }, ["kind wrong_type"]],
    [{ kind: null, all: [did] }, ["kind not_allowed_null"]],
    [{ kind: "has_done" }, ["eventKey required"]],
    [{ kind: "has_done", eventKey: " " }, ["eventKey too_short"]],
    [{ kind: "has_done", eventKey: "x".repeat(101) }, ["eventKey too_long"]],
    [{ kind: "has_done", eventKey, count: 1 }, ["count unknown_field"]],
    [{ kind: "has_done", eventKey, all: [did] }, ["all unknown_field"]],
    [{ kind: "count_greater_than", eventKey }, ["count required"]],
    [{ kind: "count_greater_than", eventKey, count: -1 }, ["count out_of_range"]],
    [{ kind: "count_greater_than", eventKey, count: 1.5 }, ["count out_of_range"]],
    [{ kind: "count_greater_than", eventKey, count: "2" }, ["count wrong_type"]],
    [{ kind: "first_done_within", eventKey }, ["period required"]],
    [{ kind: "last_done_within", eventKey, period: { days: 0 } }, ["period.days out_of_range"]],
    [{ all: [] }, ["all empty_list"]],
    [{ any: [] }, ["any empty_list"]],
    [{ any: did }, ["any wrong_type"]],
    [{ all: null }, ["all not_allowed_null"]],
    [{ not: null }, ["not wrong_type"]],
    [{ not: [did] }, ["not wrong_type"]],
    [{ any: [did], all: [did] }, ["any unknown_field"]],
    [
      { all: [did, { kind: "has_done" }, null, { any: [{ not: {} }] }] },
      ["all.1.eventKey required", "all.2 wrong_type", "all.3.any.0.not.kind required"],
    ],
  ];
  for (const [index, [value, issues]] of refused.entries()) {
    test(`refused: ${index + 1}, ${JSON.stringify(value)}`, () => assert.deepEqual(issuesOf(value), issues));
  }

  test("only a rule that never turns false again may complete an item", () => {
    const codes = (value: unknown): string[] =>
      check(value, whenStruct).issues.map(({ path, code }) => `${path} ${code}`);
    assert.deepEqual([codes(did), codes(moreThanTwo)], [[], []]);
    assert.deepEqual(codes({ kind: "has_not_done", eventKey }), ["kind invalid_format"]);
    assert.deepEqual(codes(lastInWeek), ["kind invalid_format"]);
    for (const value of [
      { kind: "field", field: "plan", operator: "is_set", value: true },
      { kind: "attribute", key: "seats", operator: "is_set", value: true },
      { kind: "checklist_completed", checklistKey: "start" },
    ])
      assert.deepEqual(codes(value), ["kind can_turn_false"]);
    assert.deepEqual(codes({ not: did }), ["kind required"]);
    assert.deepEqual(codes({ kind: "has_done" }), ["eventKey required"]);
    assert.deepEqual(codes(1), [" wrong_type"]);
  });
});
