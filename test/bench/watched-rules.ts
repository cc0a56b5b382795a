import type { AttributeType, Definitions, Rule } from "../../lib/index.ts";

const attributes: { key: string; type: AttributeType }[] = [
  { key: "attribute_4", type: "number" },
  { key: "attribute_5", type: "boolean" },
  { key: "attribute_6", type: "text" },
];

const [first, second, third, fourth, fifth] = ["step_00", "step_01", "step_02", "step_03", "step_04"] as const;
const often = (eventKey: string, count = 2): Rule => ({ kind: "count_greater_than", eventKey, count });
const done = (eventKey: string): Rule => ({ kind: "has_done", eventKey });
const lately = (eventKey: string, days = 30): Rule => ({ kind: "last_done_within", eventKey, period: { days } });
const rules: Record<string, Rule> = {
  done: done(first),
  often_of_many: {
    all: [often(first), { kind: "attribute", key: "attribute_4", operator: "greater_than", value: 900 }],
  },
  lately: lately(second),
  win_back: { all: [often(second), { not: lately(second) }] },
  not_done: { kind: "has_not_done", eventKey: third },
  new: { kind: "first_done_within", eventKey: third, period: { days: 30 } },
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

/** Ten watched audiences, two of each of five event keys. Five rules have a period. */
export const watchedDefinitions: Definitions = {
  attributes,
  audiences: Object.entries(rules).map(([key, rule]) => ({ key, name: key, rule })),
  subscriptions: [{ key: "watching", on: { audiences: Object.keys(rules) } }],
};
