import { fieldTypes } from "../../model/rules.ts";
import type { SimpleRule } from "../../model/rule-types.ts";
import { conditionsPerWhereMax, eventKeyMaxBytes, keyMaxBytes } from "../../model/limits.ts";
import { closed, count, list, object, reference, scalar, text, type Schema } from "./schema.ts";

const eventKey = text(eventKeyMaxBytes, { minLength: 1 });
const moment = { type: "string", description: "An ISO 8601 date-time with a zone." };
const amount = { type: "integer", minimum: 1 };
const period = {
  type: "object",
  properties: { days: amount, hours: amount, minutes: amount, from: moment, to: moment },
  ...closed,
  minProperties: 1,
  maxProperties: 2,
  description:
    "One of `days`, `hours` and `minutes`: from that long ago on, without an upper end. Or `from`, `to`, or both.",
};
const fields = Object.keys(fieldTypes).filter((name) => fieldTypes[name as keyof typeof fieldTypes] === "text");
const times = Object.keys(fieldTypes).filter((name) => !fields.includes(name));
const textual = ["equals", "contains", "starts_with", "ends_with"];
const isSet = { operator: { const: "is_set" }, value: { type: "boolean" } };
const within = { operator: { const: "within" }, value: period };

const operands: Record<string, Schema>[] = [
  { operator: { enum: [...textual, "greater_than", "less_than"] }, value: scalar },
  { operator: { enum: ["one_of", "between"] }, value: list({ type: ["string", "number"] }, { minItems: 1 }) },
  isSet,
];

function of(kind: string, rest: Record<string, Schema>): Schema {
  return object({ kind: { const: kind }, ...rest }, closed);
}

const condition = {
  anyOf: operands.map((operand) => object({ property: text(keyMaxBytes), ...operand }, closed)),
};
const counted = {
  "period?": { ...period, description: `${period.description} Must have a beginning.` },
  "where?": list(condition, {
    minItems: 1,
    maxItems: conditionsPerWhereMax,
    description: "Needs a period. Only events that fulfil all of them count.",
  }),
};

const field = (names: readonly string[]): Schema => ({ enum: names });

const kinds: Readonly<Record<SimpleRule["kind"], Schema>> = {
  has_done: of("has_done", { eventKey, ...counted }),
  has_not_done: of("has_not_done", { eventKey, ...counted }),
  count_greater_than: of("count_greater_than", { eventKey, count, ...counted }),
  first_done_within: of("first_done_within", { eventKey, period }),
  last_done_within: of("last_done_within", { eventKey, period }),
  field: {
    anyOf: [
      ...operands.map((operand) => of("field", { field: field(fields), ...operand })),
      ...[isSet, within].map((operand) => of("field", { field: field(times), ...operand })),
    ],
  },
  attribute: { anyOf: operands.map((operand) => of("attribute", { key: text(keyMaxBytes), ...operand })) },
  checklist_completed: of("checklist_completed", { checklistKey: text(keyMaxBytes) }),
};

/** `has_done` becomes `HasDoneRule`. */
function nameOf(kind: string): string {
  const words = kind.split("_").map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${words.join("")}Rule`;
}

/** The schema of each kind of simple rule, by the name of its component. */
export const simpleRuleSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(kinds).map(([kind, schema]) => [nameOf(kind), schema]),
);

/** A targeting rule. The API validates more than this schema: its answer to an invalid rule has the path of each problem. */
export const ruleSchema: Schema = {
  anyOf: [
    object({ all: list(reference("Rule"), { minItems: 1 }) }, closed),
    object({ any: list(reference("Rule"), { minItems: 1 }) }, closed),
    object({ not: reference("Rule") }, closed),
    ...Object.keys(simpleRuleSchemas).map(reference),
  ],
};
