import assert from "node:assert/strict";
import fc from "fast-check";
import { fieldTypes, operatorsOf } from "../../../lib/model/rules.ts";
import {
  draftOf,
  emptyRow,
  fromPlainRow,
  pathOf,
  replaced,
  ruleOf,
  toPlainRow,
  withPart,
} from "../../../server/dashboard/app/rules/draft.ts";
import { toJson } from "../../../server/dashboard/app/rules/json.ts";
import {
  operatorChoices,
  operatorOf,
  propertyTypeOf,
  subjectGroups,
  subjectOf,
  typeOf,
  withOperator,
  withSubject,
} from "../../../server/dashboard/app/rules/subjects.ts";
import { suite } from "../../support/suite.ts";

const text = fc.string({ unit: "binary" }).filter((value) => value !== "" && !/[\r\n]/.test(value));
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const time = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .map((at) => at.toISOString());
const count = fc.integer({ min: 0 });
const period = fc.oneof(
  fc.record({ days: count }),
  fc.record({ hours: count }),
  fc.record({ minutes: count }),
  fc.record({ from: time, to: time }, { requiredKeys: [] }),
);
const eventKey = text;
const isSet = fc.record({ operator: fc.constant("is_set"), value: fc.boolean() });
const textTest = fc.oneof(
  fc.record({ operator: fc.constantFrom("equals", "contains", "starts_with", "ends_with"), value: text }),
  fc.record({ operator: fc.constant("one_of"), value: fc.array(text) }),
  isSet,
);
const numberTest = fc.oneof(
  fc.record({ operator: fc.constantFrom("equals", "greater_than", "less_than"), value: number }),
  fc.record({ operator: fc.constant("one_of"), value: fc.array(number) }),
  fc.record({ operator: fc.constant("between"), value: fc.tuple(number, number) }),
);
const merged = (kind: object) => (test: object) => ({ ...kind, ...test });
const condition = text.chain((property) =>
  fc
    .oneof(textTest, numberTest, fc.record({ operator: fc.constant("equals"), value: fc.boolean() }))
    .map(merged({ property })),
);
const simple: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ kind: fc.constantFrom("has_done", "has_not_done"), eventKey }),
  fc.record({ kind: fc.constant("count_greater_than"), eventKey, count }),
  fc.record(
    { kind: fc.constantFrom("has_done", "has_not_done"), eventKey, period, where: fc.array(condition) },
    { requiredKeys: ["kind", "eventKey", "period"] },
  ),
  fc.record({ kind: fc.constantFrom("first_done_within", "last_done_within"), eventKey, period }),
  fc.record({ kind: fc.constant("checklist_completed"), checklistKey: text }),
  fc.constantFrom("email", "plan").chain((field) => textTest.map(merged({ kind: "field", field }))),
  period.map((value) => ({ kind: "field", field: "signedUpAt", operator: "within", value })),
  text.chain((key) =>
    fc
      .oneof(textTest, numberTest, fc.record({ operator: fc.constant("equals"), value: fc.boolean() }))
      .map(merged({ kind: "attribute", key })),
  ),
);
const maybeNot = (rule: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof(rule, fc.record({ not: rule }));
const groupOf = (rule: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(fc.record({ all: fc.array(rule) }), fc.record({ any: fc.array(rule) }));
const row = maybeNot(simple);
const part = fc.oneof(row, maybeNot(groupOf(row)));
const shown = fc.oneof(part, groupOf(part));
const inWeek = { eventKey: "login", period: { days: 7 } };
const hasDone = { kind: "has_done", eventKey: "login" };

suite("the builder's rows of a rule", (test) => {
  test("every rule with one level of groups inside it comes back as it was", () => {
    fc.assert(
      fc.property(shown, (rule) => {
        const draft = draftOf(rule);
        assert.ok(draft);
        assert.equal(toJson(ruleOf(draft)), toJson(rule));
      }),
      { numRuns: 2_000 },
    );
  });

  test("a rule of any JSON comes back as it was, or is not shown", () => {
    const json = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { kind: fc.constant("field"), field: fc.jsonValue(), operator: fc.jsonValue(), value: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.oneof(json, groupOf(json)), (rule) => {
        const draft = draftOf(rule);
        if (draft) assert.equal(toJson(ruleOf(draft)), toJson(rule));
      }),
      { numRuns: 2_000 },
    );
  });

  for (const [why, rule] of [
    ["groups in groups in groups", { all: [{ any: [{ all: [hasDone] }] }] }],
    ["a group in a negated group", { not: { all: [{ any: [hasDone] }] } }],
    ["a negation of a negation", { not: { not: hasDone } }],
    ["an unknown kind", { kind: "toString", eventKey: "login" }],
    ["an unknown field", { ...hasDone, often: true }],
    ["an unknown operator", { kind: "field", field: "plan", operator: "like", value: "p" }],
    ["a group with another field", { all: [hasDone], any: [hasDone] }],
    [
      "a time of another zone",
      { kind: "last_done_within", eventKey: "a", period: { from: "2026-01-01T00:00:00+02:00" } },
    ],
    ["a text of several lines", { kind: "field", field: "name", operator: "equals", value: "a\nb" }],
    ["an empty text in a list", { kind: "field", field: "name", operator: "one_of", value: ["a", ""] }],
    ["no object", "has_done"],
  ] as const)
    test(`a rule with ${why} is not shown`, () => {
      assert.equal(draftOf(rule), null);
    });

  test("a part has the path by which the server names it", () => {
    const draft = draftOf({ all: [hasDone, { not: { any: [hasDone, { not: hasDone }] } }] })!;
    const group = draft.parts[1]!;
    const path = pathOf(group, "rule", draft.join, 1);
    assert.equal(path, "rule.all.1.not");
    assert.ok("parts" in group);
    assert.equal(pathOf(group.parts[1]!, path, group.join, 1), "rule.all.1.not.any.1.not");
    const single = draftOf({ not: hasDone })!;
    assert.equal(pathOf(single.parts[0]!, "rule", single.join, 0), "rule.not");
  });

  test("a second part makes a group of a simple rule", () => {
    assert.deepEqual(ruleOf(withPart(draftOf(hasDone)!, emptyRow)), {
      all: [hasDone, { kind: "has_done", eventKey: "" }],
    });
  });

  test("a row has one negation: “has not done” is a negated “has done”, and a negated “has not done” is none", () => {
    const done = { kind: "has_done", ...inWeek } as const;
    const notDone = { kind: "has_not_done", ...inWeek } as const;
    const other = { isNegated: true, rule: { kind: "last_done_within", ...inWeek } } as const;
    assert.deepEqual(toPlainRow({ isNegated: false, rule: notDone }), { isNegated: true, rule: done });
    assert.deepEqual(toPlainRow({ isNegated: true, rule: notDone }), { isNegated: false, rule: done });
    assert.deepEqual(fromPlainRow({ isNegated: true, rule: done }), { isNegated: false, rule: notDone });
    for (const same of [{ isNegated: false, rule: done }, other])
      assert.deepEqual([toPlainRow(same), fromPlainRow(same)], [same, same]);
  });

  test("a part is replaced, or removed", () => {
    assert.deepEqual(replaced(["a", "b", "c"], 1, "x"), ["a", "x", "c"]);
    assert.deepEqual(replaced(["a", "b", "c"], 1, null), ["a", "c"]);
  });
});

suite("the choices of a builder's row", (test) => {
  const attributes = [
    { key: "seats", type: "number" },
    { key: "beta", type: "boolean" },
  ] as const;
  const catalogue = {
    eventKeys: [],
    eventTypes: [],
    attributes,
    checklists: [{ key: "onboarding", name: "Onboarding", items: [] }],
  };

  test("every subject that one can choose makes a rule of that subject, which the rows show", () => {
    const subjects = subjectGroups(catalogue).flatMap((group) => group.subjects);
    assert.equal(subjects.length, 4 + Object.keys(fieldTypes).length + 2 + 1);
    fc.assert(
      fc.property(simple, fc.constantFrom(...subjects), (rule, subject) => {
        const changed = withSubject(rule as never, subject, attributes);
        assert.equal(subjectOf(changed), subject);
        assert.ok(draftOf(JSON.parse(toJson(changed))));
      }),
    );
  });

  test("an event key stays when the kind of the rule changes", () => {
    assert.deepEqual(withSubject(hasDone as never, "last_done_within", []), {
      kind: "last_done_within",
      eventKey: "login",
      period: { days: 7 },
    });
  });

  test("a period and conditions stay with a kind that takes them, and go with one that does not", () => {
    const where = [{ property: "total", operator: "equals", value: 1 }];
    const lately = { ...hasDone, period: { days: 30 }, where };
    const often = withSubject(lately as never, "count_greater_than", []);
    assert.deepEqual(often, { kind: "count_greater_than", eventKey: "login", count: 1, period: { days: 30 }, where });
    const last = { kind: "last_done_within", eventKey: "login", period: { days: 30 } };
    assert.deepEqual(withSubject(lately as never, "last_done_within", []), last);
    assert.deepEqual(withSubject(last as never, "has_done", []), hasDone);
  });

  test("a condition has the type of the event type's property, or else the one that it shows", () => {
    const properties = { total: "number", gift: "boolean?" } as const;
    const types = [
      { property: "total", operator: "equals", value: "" },
      { property: "gift", operator: "is_set", value: true },
      { property: "other", operator: "equals", value: "" },
      { property: "other", operator: "greater_than" },
      { property: "other", operator: "one_of", value: [1] },
      { property: "other", operator: "equals", value: true },
    ].map((each) => propertyTypeOf(each, properties));
    assert.deepEqual(types, ["number", "boolean", "text", "number", "number", "boolean"]);
  });

  test("the operators are those of the attribute's type", () => {
    const rule = withSubject(hasDone as never, "attribute seats", attributes);
    assert.equal(typeOf(rule, attributes), "number");
    assert.deepEqual(
      new Set(Object.keys(operatorChoices(rule, ["number"]))),
      new Set([...operatorsOf.number, "is_not_set"]),
    );
  });

  test("a value stays with an operator that takes it, and goes with one that does not", () => {
    const rule = { kind: "field", field: "plan", operator: "equals", value: "pro" } as const;
    assert.equal(withOperator(rule, "starts_with", "text")["value"], "pro");
    assert.deepEqual(withOperator(rule, "one_of", "text")["value"], []);
    const unset = withOperator(rule, "is_not_set", "text");
    assert.deepEqual([unset["operator"], unset["value"], operatorOf(unset)], ["is_set", false, "is_not_set"]);
  });
});
