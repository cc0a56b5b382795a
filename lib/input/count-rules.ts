/** Structs of the rules about the number of events. */
import { Struct } from "superstruct";
import { conditionsPerWhereMax, keyMaxBytes } from "../model/limits.ts";
import type { CountRule, PropertyCondition } from "../model/types.ts";
import {
  anythingStruct,
  attributeOperators,
  normalizeOperand,
  operandAmong,
  operandCopyStruct,
  operands,
  type Operand,
} from "./contact-rules.ts";
import { oneOf, wholeNumber } from "./fields.ts";
import { eventKeyStruct } from "./identifiers.ts";
import { normalizePeriod, periodWithStartStruct } from "./periods.ts";
import { failuresOf, leaf, listOf, optional, problem, shape, textProblem } from "./shapes.ts";

/** Of other names, MySQL's adapter can tell where they begin in the stored text. */
const unsearchable = problem("invalid_format", "Must be no comma, and must not begin with a colon.");

const propertyStruct = leaf<string>("text", (value) => {
  if (typeof value !== "string") return "wrong_type";
  return textProblem(value, keyMaxBytes) ?? (value === "," || value.startsWith(":") ? unsearchable : null);
});
const conditionStruct: Struct<PropertyCondition, null> = new Struct<PropertyCondition, null>({
  type: "PropertyCondition",
  schema: null,
  coercer: shape<Parts>("PropertyCondition", {
    property: anythingStruct,
    operator: anythingStruct,
    value: operandCopyStruct,
  }).coercer,
  validator(condition, context) {
    const fields = {
      property: propertyStruct as Operand,
      operator: oneOf(attributeOperators) as Operand,
      value: operandAmong(attributeOperators, operands, condition),
    };
    return shape<Parts>("PropertyCondition", fields).validator(condition, context);
  },
});

interface Parts {
  property: unknown;
  operator: unknown;
  value: unknown;
}

/** The conditions on the properties of an event. Their operators and values are those of attributes. */
export const whereStruct: Struct<readonly PropertyCondition[], null> = listOf("conditions", conditionStruct, {
  countMin: 1,
  countMax: conditionsPerWhereMax,
}) as Struct<unknown, null> as Struct<readonly PropertyCondition[], null>;

const noPeriod = { path: ["period"], message: "required", explanation: "Required beside where." };

/** A rule whose `where` needs a period. */
function withPeriod<Rule extends CountRule>(struct: Struct<Rule, null>): Struct<Rule, null> {
  return new Struct<Rule, null>({
    type: "Rule",
    schema: null,
    validator(value, context) {
      const { period, where } = Object(value) as Partial<CountRule>;
      const failures = failuresOf(struct, value, context);
      return where !== undefined && period === undefined ? [noPeriod, ...failures] : failures;
    },
  });
}

const kindStruct = <Kind extends CountRule["kind"]>(): Struct<Kind, null> => leaf("kind", () => null);
const fields = { eventKey: eventKeyStruct, period: optional(periodWithStartStruct), where: optional(whereStruct) };
const countStruct = wholeNumber(0, Number.MAX_SAFE_INTEGER);

type RuleOf<Kind extends CountRule["kind"]> = Extract<CountRule, { kind: Kind }>;

export const countRuleStructs: { [Kind in CountRule["kind"]]: Struct<RuleOf<Kind>, null> } = {
  has_done: withPeriod(shape<RuleOf<"has_done">>("Rule", { kind: kindStruct(), ...fields })),
  has_not_done: withPeriod(shape<RuleOf<"has_not_done">>("Rule", { kind: kindStruct(), ...fields })),
  count_greater_than: withPeriod(
    shape<RuleOf<"count_greater_than">>("Rule", { kind: kindStruct(), count: countStruct, ...fields }),
  ),
};

/** Copies a valid rule: its times are texts. */
export function normalizeCountRule(rule: CountRule): CountRule {
  const { period, where, ...others } = rule;
  if (!period) return { ...others };
  return { ...others, period: normalizePeriod(period), ...(where && { where: where.map(normalizeOperand) }) };
}
