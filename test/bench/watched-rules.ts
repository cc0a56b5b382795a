import type { AttributeType, Definitions, Rule } from "../../lib/index.ts";

const attributes: { key: string; type: AttributeType }[] = [
  { key: "attribute_4", type: "number" },
  { key: "attribute_5", type: "boolean" },
  { key: "attribute_6", type: "text" },
];

/** Ten watched audiences, of which an event of one of the five keys touches two. Five rules have a period. */
export function watchedDefinitions([first, second, third, fourth, fifth]: readonly string[]): Definitions {
  const often = (eventKey = "", count = 2): Rule => ({ kind: "count_greater_than", eventKey, count });
  const done = (eventKey = ""): Rule => ({ kind: "has_done", eventKey });
  const lately = (eventKey = "", days = 30): Rule => ({ kind: "last_done_within", eventKey, period: { days } });
  const rules: Record<string, Rule> = {
    done: done(first),
    often_of_many: {
      all: [often(first), { kind: "attribute", key: "attribute_4", operator: "greater_than", value: 900 }],
    },
    lately: lately(second),
    win_back: { all: [often(second), { not: lately(second) }] },
    not_done: { kind: "has_not_done", eventKey: third ?? "" },
    new: { kind: "first_done_within", eventKey: third ?? "", period: { days: 30 } },
    often_or_chosen: {
      any: [often(fourth), { kind: "attribute", key: "attribute_5", operator: "equals", value: true }],
    },
    done_by_address: {
      all: [done(fourth), { kind: "field", field: "email", operator: "ends_with", value: "7@example.com" }],
    },
    lately_of_kind: {
      all: [lately(fifth, 7), { kind: "attribute", key: "attribute_6", operator: "equals", value: "value 7 of 20, é" }],
    },
    often_but_not_lately: { all: [often(fifth, 5), { not: lately(fifth, 7) }] },
  };
  const audiences = Object.entries(rules).map(([key, rule]) => ({ key, name: key, rule }));
  return { attributes, audiences, subscriptions: [{ key: "watching", on: { audiences: Object.keys(rules) } }] };
}
