/** Structs of the rules about the number of events. */
import { conditionsPerWhereMax, keyMaxBytes } from "../model/limits.ts";
import type { CountRule, PropertyCondition } from "../model/types.ts";
import { anythingStruct, normalizeOperand, operandCopyStruct, propertyTestOf } from "./contact-rules.ts";
import { textOf, wholeNumber } from "./fields.ts";
import { eventKeyStruct } from "./identifiers.ts";
import { normalizePeriod, periodWithStartStruct } from "./periods.ts";
import { problem, type Failure } from "./problems.ts";
import { chosen, listOf, optional, shape, structOf, type Input } from "./shapes.ts";

/** MySQL's adapter searches the stored JSON text for a name. It could not tell where such a name begins. */
const unsearchable = problem("invalid_format", "Must be no comma, and must not begin with a colon.");

const propertyStruct = textOf(
  "text",
  keyMaxBytes,
  (value) => (value === "," || value.startsWith(":") ? unsearchable : null),
  { pattern: String.raw`^(?:[^:,]|,[\s\S]|$)` },
);
const copied = { property: anythingStruct, operator: anythingStruct, value: operandCopyStruct };
export const conditionStruct: Input<PropertyCondition> = propertyTestOf<PropertyCondition>(
  { property: propertyStruct },
  shape<{ [Name in keyof typeof copied]: unknown }>(copied).coercer,
);

/** The conditions on the properties of an event. Their operators and values are those of attributes. */
export const whereStruct: Input<readonly PropertyCondition[]> = listOf(conditionStruct, {
  countMin: 1,
  countMax: conditionsPerWhereMax,
});

const noPeriod: Failure = { path: ["period"], message: "required", explanation: "Required beside where." };

/** A rule whose `where` needs a period. */
function withPeriod<Rule extends CountRule>(struct: Input<Rule>): Input<Rule> {
  const schema = { ...struct.schema, dependentRequired: { where: ["period"] } };
  return structOf(schema, struct.coercer, (value, context) => {
    const { period, where } = Object(value) as Partial<CountRule>;
    const failures = struct.find(value, context);
    return where !== undefined && period === undefined ? [noPeriod, ...failures] : failures;
  });
}

const fields = { eventKey: eventKeyStruct, period: optional(periodWithStartStruct), where: optional(whereStruct) };
const countStruct = wholeNumber(0, Number.MAX_SAFE_INTEGER);

type RuleOf<Kind extends CountRule["kind"]> = Extract<CountRule, { kind: Kind }>;

export const countRuleStructs: { [Kind in CountRule["kind"]]: Input<RuleOf<Kind>> } = {
  has_done: withPeriod(shape<RuleOf<"has_done">>({ kind: chosen("has_done"), ...fields })),
  has_not_done: withPeriod(shape<RuleOf<"has_not_done">>({ kind: chosen("has_not_done"), ...fields })),
  count_greater_than: withPeriod(
    shape<RuleOf<"count_greater_than">>({ kind: chosen("count_greater_than"), count: countStruct, ...fields }),
  ),
};

/** Copies a valid rule. Times in the copy are texts. */
export function normalizeCountRule(rule: CountRule): CountRule {
  const { period, where, ...others } = rule;
  if (!period) return { ...others };
  return { ...others, period: normalizePeriod(period), ...(where && { where: where.map(normalizeOperand) }) };
}
