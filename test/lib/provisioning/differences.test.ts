import assert from "node:assert/strict";
import { differencesOf } from "../../../lib/provisioning/differences.ts";
import { suite } from "../../support/suite.ts";

const done = { kind: "has_done", eventKey: "order" };
const within = (days: number): object => ({ kind: "field", operator: "within", value: { days } });

suite("the differences of two definitions", (test) => {
  test("each change of a part is told with both values, and undefined is the same as none", () => {
    assert.deepEqual(
      differencesOf(
        { name: "Order", properties: { total: "number", coupon: "text?" }, rule: { all: [done, within(7)] } },
        {
          name: null,
          properties: { total: "text", weight: "number", coupon: undefined },
          rule: { all: [done, within(30)] },
        },
      ),
      {
        fields: ["name", "properties", "rule"],
        changes: [
          "name: Order -> null",
          "properties.total: number -> text",
          "properties.coupon: text? -> none",
          "properties.weight: none -> number",
          "rule.all.1.value.days: 7 -> 30",
        ],
      },
    );
    assert.deepEqual(differencesOf({ name: "Order", announce: undefined }, { name: "Order" }), {
      fields: [],
      changes: [],
    });
  });

  test("lists of two lengths are told as a whole, and long values are cut", () => {
    const { changes } = differencesOf({ rule: { all: [done] } }, { rule: { all: [done, within(7), within(9)] } });
    assert.deepEqual(changes, [
      'rule.all: [{"kind":"has_done","eventKey":"order"}] -> [{"kind":"has_done","eventKey":"order"},{"kind":"field","operator":"within","val…',
    ]);
  });
});
