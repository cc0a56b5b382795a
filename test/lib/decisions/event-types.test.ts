import assert from "node:assert/strict";
import { refusalOfEvent } from "../../../lib/decisions/event-types.ts";
import type { EventTypeRow } from "../../../lib/storage/rows.ts";
import type { PropertyType, Scalar } from "../../../lib/model/types.ts";
import { suite } from "../../support/suite.ts";

function typeOf(key: string, properties?: Record<string, PropertyType>): EventTypeRow {
  const body = { name: null, ...(properties && { properties }) };
  return { workspace: "acme", kind: "event", key, id: "id-1", createdAt: 0, body };
}

const types = [
  typeOf("bought", { total: "number", coupon: "text?", gift: "boolean?" }),
  typeOf("opened", {}),
  typeOf("signup completed"),
  typeOf("long", Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`p${index}`, "text"]))),
];

const now = { createdAt: 5_000, recordedAt: 5_000 };

/** The issues of an event, each as `path: code`; `null` if it is accepted. */
function issuesOf(eventKey: string, properties: object, mustBeDefined = false): string[] | null {
  const refusal = refusalOfEvent(types, null, {
    ...now,
    eventKey,
    properties: JSON.stringify(properties),
    mustBeDefined,
  });
  return refusal && (refusal.refused.issues ?? []).map(({ path, code }) => `${path}: ${code}`);
}

suite("what event types ask of an event", (test) => {
  for (const properties of [
    { total: 1 },
    { total: 0, coupon: "" },
    { coupon: "x", gift: false, total: -1.5 },
  ] satisfies Record<string, Scalar>[]) {
    test(`${JSON.stringify(properties)} is as declared`, () => assert.equal(issuesOf("bought", properties), null));
  }

  test("every problem of an event is told at once", () => {
    assert.deepEqual(issuesOf("bought", { coupon: 1, gift: "yes", totals: 1, constructor: true }), [
      "properties.total: required",
      "properties.coupon: wrong_type",
      "properties.gift: wrong_type",
      "properties.totals: unknown_field",
      "properties.constructor: unknown_field",
    ]);
    assert.deepEqual(issuesOf("bought", { total: "1" }), ["properties.total: wrong_type"]);
  });

  test("no more than a hundred problems of an event are looked for", () => {
    const wrong = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`p${index}`, 1]));
    for (const key of ["bought", "opened", "long"]) assert.equal(issuesOf(key, wrong)?.length, 100);
  });

  test("properties that every object has are no declared ones, and __proto__ may be one", () => {
    assert.deepEqual(issuesOf("bought", JSON.parse('{"total":1,"__proto__":1}') as object), [
      "properties.__proto__: unknown_field",
    ]);
    const own = typeOf("own", JSON.parse('{"__proto__":"number","toString":"text"}') as Record<string, PropertyType>);
    const draft = { ...now, eventKey: "own", mustBeDefined: false };
    assert.equal(refusalOfEvent([own], null, { ...draft, properties: '{"__proto__":1,"toString":"a"}' }), null);
    assert.equal(refusalOfEvent([own], null, { ...draft, properties: "{}" })?.refused.issues?.length, 2);
  });

  test("no properties declared are none allowed, and an event type that declares nothing allows any", () => {
    assert.equal(issuesOf("opened", {}), null);
    assert.deepEqual(issuesOf("opened", { a: 1 }), ["properties.a: unknown_field"]);
    assert.equal(issuesOf("signup completed", { a: 1 }), null);
  });

  test("a key without an event type is refused only if it must be defined", () => {
    for (const key of ["Bought", "bought ", "other"]) {
      assert.equal(issuesOf(key, { total: "1" }), null);
      assert.deepEqual(issuesOf(key, { total: "1" }, true), ["eventKey: event_not_defined"]);
    }
    assert.equal(issuesOf("signup completed", {}, true), null);
  });

  test("a wrong type is told by the type that is declared", () => {
    const { refused } = refusalOfEvent(types, null, {
      ...now,
      eventKey: "bought",
      properties: '{"total":true,"coupon":1,"gift":1}',
      mustBeDefined: false,
    })!;
    assert.deepEqual(
      refused.issues?.map(({ message }) => message),
      ["Must be a number.", "Must be text.", "Must be a boolean."],
    );
  });

  test("an event of the past is refused from before the time that events are kept from, beside what its type refuses", () => {
    const draft = { recordedAt: 5_000, eventKey: "opened", properties: '{"a":1}', mustBeDefined: false };
    const codes = (createdAt: number, prunedBefore: number | null): string[] =>
      refusalOfEvent(types, prunedBefore, { ...draft, createdAt })?.refused.issues?.map(({ path }) => path) ?? [];
    assert.deepEqual(codes(1_999, 2_000), ["properties.a", "createdAt"]);
    assert.deepEqual(codes(2_000, 2_000), ["properties.a"]);
    assert.deepEqual(codes(1_999, null), ["properties.a"]);
    // Another process, whose clock is ahead, has stored the mark.
    assert.deepEqual(codes(5_000, 6_000), ["properties.a"]);
  });
});
