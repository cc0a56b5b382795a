import assert from "node:assert/strict";
import { refusalOfEvent } from "../../../lib/decisions/event-types.ts";
import type { EventTypeRow } from "../../../lib/storage/rows.ts";
import type { PropertyType } from "../../../lib/model/types.ts";
import { suite } from "../../support/suite.ts";

function typeOf(key: string, properties: Record<string, PropertyType>): EventTypeRow {
  const body = { name: null, properties };
  return { workspace: "acme", kind: "event", key, id: "id-1", createdAt: 0, body };
}

const types = [
  typeOf("bought", { total: "number" }),
  typeOf("opened", {}),
  typeOf("long", Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`p${index}`, "text"]))),
];

const now = { createdAt: 5_000, recordedAt: 5_000 };

/** The issues of an event, each as `path: code`; `null` if it is accepted. */
function issuesOf(eventKey: string, properties: object): string[] | null {
  const draft = { ...now, eventKey, properties: JSON.stringify(properties), mustBeDefined: false };
  const refusal = refusalOfEvent(types, null, draft);
  return refusal && (refusal.refused.issues ?? []).map(({ path, code }) => `${path}: ${code}`);
}

suite("what event types ask of an event", (test) => {
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
