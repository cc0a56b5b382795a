/** Structs of the rules about a contact itself: its fields, attributes and checklists. */
import type { AttributeRule, ChecklistRule, FieldRule, PropertyCondition, Rule, SimpleRule } from "../model/types.ts";
import { operandsMax, valueMaxBytes } from "../model/limits.ts";
import { fieldTypes, operatorsOf, type Operator } from "../model/rules.ts";
import { flag, oneOf, textOf } from "./fields.ts";
import { definitionKeyStruct } from "./identifiers.ts";
import { normalizePeriod, periodOfTimeStruct } from "./periods.ts";
import { problem, scalarProblem } from "./problems.ts";
import {
  choice,
  chosen,
  leaf,
  listOf,
  numberKeywords,
  refined,
  scalarStruct,
  shape,
  structOf,
  type Described,
  type Input,
} from "./shapes.ts";

export const anythingStruct: Input<unknown> = leaf("anything", () => null);
const anyListStruct = listOf(anythingStruct, { countMax: operandsMax });

/** Copies the value of any rule, before its operator is known: a list, a period or a scalar. */
export const operandCopyStruct: Input<unknown> = structOf(
  {},
  (value, context) => (Array.isArray(value) ? anyListStruct : periodOfTimeStruct).coercer(value, context),
  () => [],
);

const textStruct = textOf("text", valueMaxBytes);
const numberStruct = leaf<number>(
  "a number",
  (value) => (typeof value === "number" ? scalarProblem(value) : "wrong_type"),
  { type: "number", ...numberKeywords },
);
const textOrNumberStruct = leaf(
  "text or a number",
  (value) => (typeof value === "boolean" ? "wrong_type" : scalarProblem(value)),
  { type: ["string", "number"], maxLength: valueMaxBytes, ...numberKeywords },
);
const emptyText = problem("too_short", "Must not be empty.");
const partStruct = textOf("text", valueMaxBytes, (value) => (value === "" ? emptyText : null), { minLength: 1 });

const betweenStruct = refined(
  listOf(numberStruct, { countMin: 1, countMax: 2 }),
  ([from, to]) => {
    if (to === undefined) return [{ path: [], message: "out_of_range", explanation: "Must be a list of two numbers." }];
    return from! <= to ? [] : [{ path: ["1"], message: "out_of_range", explanation: "Must not be below the first." }];
  },
  { minItems: 2 },
);

const listed = <T>(item: Input<T>): Input<readonly T[]> => listOf(item, { countMin: 1, countMax: operandsMax });

type Operands = Readonly<Record<Operator, Described>>;

/** The structs of a rule's value, by operator. The attribute's definition later decides between text and number. */
const operands: Operands = {
  equals: scalarStruct,
  one_of: listed(textOrNumberStruct),
  is_set: flag,
  contains: partStruct,
  starts_with: partStruct,
  ends_with: partStruct,
  greater_than: numberStruct,
  less_than: numberStruct,
  between: betweenStruct,
  within: periodOfTimeStruct,
};

const textOperands: Operands = { ...operands, equals: textStruct, one_of: listed(textStruct) };

type Fields = Readonly<Record<string, Described>>;

/** A struct of an operator and its value, beside other fields. For an unknown operator, any value is accepted. */
function testOf<T>(
  fields: Fields,
  operators: readonly Operator[],
  values: Operands,
  coercer?: Input<T>["coercer"],
): Input<T> {
  const shapes = operators.map((operator) => {
    const alike = operators.filter((other) => values[other] === values[operator]);
    return shape<object>({ ...fields, operator: chosen(...alike), value: values[operator] });
  });
  const unknown = shape<object>({ ...fields, operator: oneOf(operators), value: anythingStruct });
  return choice(shapes, ({ operator }) => shapes[operators.indexOf(operator as Operator)] ?? unknown, coercer);
}

const fieldNames = Object.keys(fieldTypes) as FieldRule["field"][];
const fieldRuleOf = (type: "text" | "time"): Described =>
  testOf(
    { kind: chosen("field"), field: chosen(...fieldNames.filter((name) => fieldTypes[name] === type)) },
    operatorsOf[type],
    textOperands,
  );
const fieldRules = { text: fieldRuleOf("text"), time: fieldRuleOf("time") };

// Refuses only the field: without a known field, operator and value cannot be checked.
const unknownFieldStruct = shape<object>({
  kind: chosen("field"),
  field: oneOf(fieldNames),
  operator: anythingStruct,
  value: anythingStruct,
});

export const fieldRuleStruct: Input<FieldRule> = choice(Object.values(fieldRules), ({ field }) => {
  const name = fieldNames.find((one) => one === field);
  return name ? fieldRules[fieldTypes[name]] : unknownFieldStruct;
});

const propertyOperators = [...new Set([...operatorsOf.text, ...operatorsOf.number, ...operatorsOf.boolean])];

/** A test of a property, beside other fields. */
export function propertyTestOf<T>(fields: Fields, coercer: Input<T>["coercer"]): Input<T> {
  return testOf(fields, propertyOperators, operands, coercer);
}

/** `findRuleIssues` compares operator and value with the attribute's type. */
export const attributeRuleStruct: Input<AttributeRule> = testOf(
  { kind: chosen("attribute"), key: definitionKeyStruct },
  [...propertyOperators, "within"],
  operands,
);

export const checklistRuleStruct: Input<ChecklistRule> = shape({
  kind: chosen("checklist_completed"),
  checklistKey: definitionKeyStruct,
});

/** Copies a valid rule or condition: its times are texts, and -0 is 0, as JSON writes it. */
export function normalizeOperand<Simple extends SimpleRule | PropertyCondition>(rule: Simple): Simple {
  if (!("operator" in rule)) return { ...rule };
  if (rule.operator === "within") return { ...rule, value: normalizePeriod(rule.value) };
  const { value } = rule as { value: unknown };
  const normalize = (item: unknown): unknown => (item === 0 ? 0 : item);
  return { ...rule, value: Array.isArray(value) ? value.map(normalize) : normalize(value) };
}

/** The size of a rule's values, as JSON. */
export function operandBytes(rules: readonly Rule[]): number {
  const values = rules
    .flatMap((rule) => [rule, ...(("where" in rule && rule.where) || [])])
    .flatMap((rule) => ("value" in rule ? [rule.value] : []));
  return Buffer.byteLength(JSON.stringify(values));
}
