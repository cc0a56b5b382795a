import { fieldTypes } from "../../rules.ts";
import { eventKeyMaxBytes, keyMaxBytes } from "../../limits.ts";
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
  description: "One of `days`, `hours` and `minutes` up to now; or `from`, `to`, or both.",
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

const field = (names: readonly string[]): Schema => ({ enum: names });

/** A targeting rule. A client learns more from the answer to a rule that does not fit: the path of each problem. */
export const ruleSchema: Schema = {
  anyOf: [
    object({ all: list(reference("Rule"), { minItems: 1 }) }, closed),
    object({ any: list(reference("Rule"), { minItems: 1 }) }, closed),
    object({ not: reference("Rule") }, closed),
    of("has_done", { eventKey }),
    of("has_not_done", { eventKey }),
    of("count_greater_than", { eventKey, count }),
    of("first_done_within", { eventKey, period }),
    of("last_done_within", { eventKey, period }),
    ...operands.map((operand) => of("field", { field: field(fields), ...operand })),
    ...[isSet, within].map((operand) => of("field", { field: field(times), ...operand })),
    ...operands.map((operand) => of("attribute", { key: text(keyMaxBytes), ...operand })),
    of("checklist_completed", { checklistKey: text(keyMaxBytes) }),
  ],
};
