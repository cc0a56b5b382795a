/** Structs of the rules about a contact itself: its fields, attributes and checklists. */
import { Struct } from "superstruct";
import type {
  AttributeRule,
  ChecklistRule,
  FieldRule,
  PropertyCondition,
  Rule,
  Scalar,
  SimpleRule,
} from "../model/types.ts";
import { operandsMax } from "../model/limits.ts";
import { fieldTypes, operatorsOf, type Operator } from "../model/rules.ts";
import { oneOf } from "./fields.ts";
import { definitionKeyStruct } from "./identifiers.ts";
import { normalizePeriod, periodStruct } from "./periods.ts";
import { leaf, listOf, problem, scalarProblem, shape, type Problem } from "./shapes.ts";

export const anythingStruct: Struct<unknown, null> = leaf<unknown>("anything", () => null);
const anyListStruct = listOf("values", anythingStruct, { countMax: operandsMax });

/** Copies the value of any rule, before its operator is known: a list, a period or a scalar. */
export const operandCopyStruct: Struct<unknown, null> = new Struct<unknown, null>({
  type: "value",
  schema: null,
  coercer: (value, context) => (Array.isArray(value) ? anyListStruct : periodStruct).coercer(value, context),
});

const scalar = (expected: string, ...types: string[]): Struct<Scalar, null> =>
  leaf(expected, (value): Problem | null => (types.includes(typeof value) ? scalarProblem(value) : "wrong_type"));

const textStruct = scalar("text", "string");
const numberStruct = scalar("a number", "number");
const emptyText = problem("too_short", "Must not be empty.");
const partStruct = leaf<string>("text", (value) => {
  if (typeof value !== "string") return "wrong_type";
  return value === "" ? emptyText : scalarProblem(value);
});

const ends = listOf("two numbers", numberStruct, { countMin: 1, countMax: 2 });
const betweenStruct = new Struct<Scalar[], null>({
  type: "two numbers",
  schema: null,
  validator(value, context) {
    const failures = Array.from(ends.validator(value, context));
    if (failures.length > 0) return failures;
    const [from, to] = value as [number, number] | [number];
    if (to === undefined) return problem("out_of_range", "Must be a list of two numbers.");
    return from <= to || [{ path: ["1"], message: "out_of_range", explanation: "Must not be below the first." }];
  },
});

const listed = <T>(item: Struct<T, null>): Struct<T[], null> =>
  listOf("values", item, { countMin: 1, countMax: operandsMax });

export type Operand = Struct<unknown, null>;

/** The structs of a rule's value, by operator. The attribute's definition later decides between text and number. */
export const operands: Record<Operator, Operand> = {
  equals: scalar("text, a number or a boolean", "string", "number", "boolean"),
  one_of: listed(scalar("text or a number", "string", "number")),
  is_set: scalar("a boolean", "boolean"),
  contains: partStruct,
  starts_with: partStruct,
  ends_with: partStruct,
  greater_than: numberStruct,
  less_than: numberStruct,
  between: betweenStruct,
  within: periodStruct,
} as Record<Operator, unknown> as Record<Operator, Operand>;

const textOperands = { ...operands, equals: textStruct, one_of: listed(textStruct) } as Record<
  Operator,
  unknown
> as typeof operands;

/** The struct of the value, if the operator is among the given ones. Otherwise a struct that accepts any value. */
export function operandAmong(operators: readonly string[], structs: typeof operands, rule: unknown): Operand {
  const { operator } = Object(rule) as { operator: Operator };
  return operators.includes(operator) ? structs[operator] : anythingStruct;
}

interface Parts {
  kind: unknown;
  operator: unknown;
  value: unknown;
}

export const fieldRuleStruct: Struct<FieldRule, null> = new Struct<FieldRule, null>({
  type: "Rule",
  schema: null,
  validator(rule, context) {
    const { field } = Object(rule) as FieldRule;
    const operators = operatorsOf[Object.hasOwn(fieldTypes, field) ? fieldTypes[field] : "text"];
    const fields = {
      kind: anythingStruct,
      field: oneOf(Object.keys(fieldTypes)) as Operand,
      operator: oneOf(operators) as Operand,
      value: operandAmong(operators, textOperands, rule),
    };
    // The operators of an unknown field are not known either.
    if (!Object.hasOwn(fieldTypes, field)) Object.assign(fields, { operator: anythingStruct, value: anythingStruct });
    return shape<Parts & { field: unknown }>("Rule", fields).validator(rule, context);
  },
});

export const attributeOperators: readonly Operator[] = [
  ...new Set([...operatorsOf.text, ...operatorsOf.number, ...operatorsOf.boolean]),
];

/** `findRuleIssues` compares operator and value with the attribute's type. */
export const attributeRuleStruct: Struct<AttributeRule, null> = new Struct<AttributeRule, null>({
  type: "Rule",
  schema: null,
  validator(rule, context) {
    const fields = {
      kind: anythingStruct,
      key: definitionKeyStruct as Operand,
      operator: oneOf(attributeOperators) as Operand,
      value: operandAmong(attributeOperators, operands, rule),
    };
    return shape<Parts & { key: unknown }>("Rule", fields).validator(rule, context);
  },
});

export const checklistRuleStruct: Struct<ChecklistRule, null> = shape<ChecklistRule>("Rule", {
  kind: leaf("kind", () => null),
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
