import { fieldTypes, isCountRule, operatorsOf, type Operator } from "../../../../lib/model/rules.ts";
import type {
  AttributeDefinition,
  AttributeType,
  ChecklistDefinition,
  SimpleRule,
} from "../../../../lib/model/types.ts";
import type { EventTypeDefinition, PropertyType } from "../../../../lib/model/declarations.ts";
import type { Fields, SimpleDraft } from "./simple-drafts.ts";
import { operatorWords } from "./words.ts";

/** The names that the rules of a workspace can refer to. */
export interface Catalogue {
  eventKeys: readonly string[];
  eventTypes: readonly EventTypeDefinition[];
  attributes: readonly AttributeDefinition[];
  checklists: readonly ChecklistDefinition[];
}

/** The type of the values that a rule compares. It decides the operators. */
export type ComparedType = AttributeType | "time";

/** How a kind of rule is chosen: by its own words, or by the name in a field of the rule. */
const kinds: Readonly<Record<SimpleRule["kind"], { words: string } | { nameField: string }>> = {
  has_done: { words: "has done" },
  has_not_done: { words: "has not done" },
  count_greater_than: { words: "did often" },
  first_done_within: { words: "first did" },
  last_done_within: { words: "last did" },
  field: { nameField: "field" },
  attribute: { nameField: "key" },
  checklist_completed: { nameField: "checklistKey" },
};

function nameFieldOf(kind: SimpleRule["kind"]): string | undefined {
  const chosen = kinds[kind];
  return "nameField" in chosen ? chosen.nameField : undefined;
}

/** Returns the subject of a rule: its kind, and the name of the field or attribute that it reads. */
export function subjectOf(rule: SimpleDraft): string {
  const nameField = nameFieldOf(rule.kind);
  return nameField === undefined ? rule.kind : `${rule.kind} ${(rule[nameField] as string | undefined) ?? ""}`;
}

/** The words that show a subject to the user. */
export function subjectWords(subject: string): string {
  const [kind, name] = subject.split(" ", 2) as [SimpleRule["kind"], string?];
  const chosen = kinds[kind];
  if ("words" in chosen) return chosen.words;
  return kind === "checklist_completed" ? `completed ${name}` : (name ?? kind);
}

/** Changes the subject of the rule. Keeps the fields that the new subject also accepts. */
export function withSubject(
  rule: SimpleDraft,
  subject: string,
  attributes: readonly AttributeDefinition[],
): SimpleDraft {
  const [kind, name] = subject.split(" ", 2) as [SimpleRule["kind"], string?];
  const nameField = nameFieldOf(kind);
  if (nameField === undefined) return ofEvents(kind, rule);
  const about = { kind, [nameField]: name };
  if (kind === "checklist_completed") return about;
  const type = typeOf(about, attributes);
  if ("operator" in rule && typeOf(rule, attributes) === type)
    return { ...about, operator: rule["operator"], value: rule["value"] };
  return withOperator(about, operatorsOf[type].includes("within") ? "within" : "equals", type);
}

function ofEvents(kind: SimpleRule["kind"], rule: SimpleDraft): SimpleDraft {
  const { eventKey = "", count = 1, period, where } = rule;
  if (kind === "first_done_within" || kind === "last_done_within") {
    return { kind, eventKey, period: period ?? { days: 7 } };
  }
  const about = { kind, eventKey, ...(kind === "count_greater_than" && { count }) };
  // Without a period, such a rule is about all events ever recorded.
  return isCountRule(rule) && period !== undefined
    ? { ...about, period, ...(where !== undefined && { where }) }
    : about;
}

/** The type of the values that a rule about a field or an attribute compares. */
export function typeOf(rule: SimpleDraft, attributes: readonly AttributeDefinition[]): ComparedType {
  const { kind, field, key, value } = rule;
  if (kind === "field") return Object.hasOwn(fieldTypes, String(field)) ? fieldTypes[field as "email"] : "text";
  const type = attributes.find((attribute) => attribute.key === key)?.type;
  if (type) return type;
  return typeof value === "number" || typeof value === "boolean" ? (typeof value as "number" | "boolean") : "text";
}

/** The declared type of a property. If it is not declared, the type that the operator and the value of the condition suggest. */
export function propertyTypeOf(condition: Fields, properties: Readonly<Record<string, PropertyType>>): ComparedType {
  const { property, operator, value } = condition;
  if (Object.hasOwn(properties, String(property))) {
    return properties[String(property)]!.replace("?", "") as AttributeType;
  }
  const isOfNumbers = !(operatorsOf.text as readonly unknown[]).includes(operator) && operator !== undefined;
  const [first] = Array.isArray(value) ? (value as unknown[]) : [value];
  if (isOfNumbers || typeof first === "number") return "number";
  return typeof first === "boolean" && operator !== "is_set" ? "boolean" : "text";
}

/** The operators to choose from, and their words. Includes the rule's own operator, even if its type does not have it. */
export function operatorChoices(rule: Fields, types: readonly ComparedType[]): Record<string, string> {
  const { is_set: _, ...words } = operatorWords;
  const own = rule["operator"] as Operator;
  const names = [...types.flatMap((type) => operatorsOf[type]), own].filter((name) => name in words);
  return {
    ...Object.fromEntries(names.map((name) => [name, operatorWords[name]])),
    is_set: "is set",
    is_not_set: "is not set",
  };
}

export function operatorOf({ operator, value }: Fields): string {
  return operator === "is_set" && value === false ? "is_not_set" : ((operator as string | undefined) ?? "");
}

/** The rule with another choice of operator. Keeps the value if the chosen operator takes it too. */
export function withOperator<Draft extends Fields>(rule: Draft, chosen: string, type: ComparedType): Draft {
  if (chosen === "is_set" || chosen === "is_not_set")
    return { ...rule, operator: "is_set", value: chosen === "is_set" };
  const keeps = takesOne(chosen) && takesOne(rule["operator"]) && rule["value"] !== undefined;
  return { ...rule, operator: chosen, value: keeps ? rule["value"] : emptyOperand(chosen as Operator, type) };
}

function takesOne(operator: unknown): boolean {
  return !["is_set", "within", "one_of", "between", "undefined"].includes(String(operator));
}

function emptyOperand(operator: Operator, type: ComparedType): unknown {
  if (operator === "within") return { days: 7 };
  if (operator === "one_of") return [];
  if (operator === "between") return [null, null];
  return { text: "", number: undefined, boolean: true, date: undefined, time: undefined }[type];
}

/** Returns the subjects of rules by headings. Leaves out "has not done", because a row negates "has done". */
export function subjectGroups({ attributes, checklists }: Catalogue): { title: string; subjects: string[] }[] {
  return [
    {
      title: "Events",
      subjects: Object.keys(kinds).filter(
        (kind) => kind !== "has_not_done" && nameFieldOf(kind as SimpleRule["kind"]) === undefined,
      ),
    },
    { title: "Fields", subjects: Object.keys(fieldTypes).map((field) => `field ${field}`) },
    { title: "Attributes", subjects: attributes.map(({ key }) => `attribute ${key}`) },
    { title: "Checklists", subjects: checklists.map(({ key }) => `checklist_completed ${key}`) },
  ].filter(({ subjects }) => subjects.length > 0);
}
