import { operatorsOf } from "../../../../lib/model/rules.ts";
import type { SimpleRule } from "../../../../lib/model/types.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A simple rule in the builder. An empty field is absent or an empty text. A number that is not complete yet is a text. */
export type SimpleDraft = Fields & { readonly kind: SimpleRule["kind"] };

const isLine = (value: unknown): boolean => typeof value === "string" && !/[\r\n]/.test(value);
const isScalar = (value: unknown): boolean => isLine(value) || typeof value === "number" || typeof value === "boolean";

/** Whether the value has only fields of this list, each of which passes its check. */
function hasOnly(value: unknown, fields: Readonly<Record<string, (field: unknown) => boolean>>): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, field]) => Object.hasOwn(fields, name) && fields[name]!(field));
}

/** Whether the value is a time in the server's format. The inputs can show only UTC. */
function isTime(value: unknown): boolean {
  const time = new Date(typeof value === "string" ? value : Number.NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

function isLength(value: unknown): boolean {
  return ["days", "hours", "minutes"].some((unit) => hasOnly(value, { [unit]: isScalar }));
}

function isPeriod(value: unknown): boolean {
  const others = [{ from: isTime, to: isTime }, { next: isLength }, { ago: isLength }];
  return isLength(value) || others.some((fields) => hasOnly(value, fields));
}

function isOperand(operator: unknown, value: unknown): boolean {
  if (operator === "is_set") return typeof value === "boolean";
  if (operator === "within") return isPeriod(value);
  // The input shows one value a line and ignores empty lines, so it cannot show an empty value.
  if (operator === "one_of") return Array.isArray(value) && value.every((item) => isScalar(item) && item !== "");
  if (operator === "between")
    return Array.isArray(value) && value.length <= 2 && value.every((item) => item === null || isScalar(item));
  return isScalar(value);
}

const operators = new Set<unknown>(Object.values(operatorsOf).flat());
const isCondition = (value: unknown): boolean => {
  const { operator, value: operand } = Object(value) as Fields;
  return hasOnly(value, { ...condition, property: isLine }) && (operand === undefined || isOperand(operator, operand));
};
const condition = { operator: (value: unknown) => operators.has(value), value: () => true };
const event = { kind: isLine, eventKey: isLine };
const counted = {
  ...event,
  period: isPeriod,
  where: (value: unknown) => Array.isArray(value) && value.every(isCondition),
};
const test = { kind: isLine, ...condition };
const fieldsOf: Readonly<Record<SimpleRule["kind"], Parameters<typeof hasOnly>[1]>> = {
  has_done: counted,
  has_not_done: counted,
  count_greater_than: { ...counted, count: isScalar },
  first_done_within: { ...event, period: isPeriod },
  last_done_within: { ...event, period: isPeriod },
  field: { ...test, field: isLine },
  attribute: { ...test, key: isLine },
  checklist_completed: { kind: isLine, checklistKey: isLine },
};

/** Whether the inputs of a row can show the rule, finished or not, as it is. */
export function isShown(rule: unknown): rule is SimpleDraft {
  const { kind, operator, value } = Object(rule) as Fields;
  if (typeof kind !== "string" || !Object.hasOwn(fieldsOf, kind)) return false;
  if (!hasOnly(rule, fieldsOf[kind as SimpleRule["kind"]])) return false;
  return value === undefined || isOperand(operator, value);
}
