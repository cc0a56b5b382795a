/** Keeps the rules of audiences consistent with the definitions that they name: pure functions over rows. */
import { valueTypes, type PropertyType } from "../model/declarations.ts";
import { issue, TrackerError, type Issue } from "../model/errors.ts";
import { isCountRule, operatorsOf, simpleRules } from "../model/rules.ts";
import type {
  AttributeRow,
  AudienceRow,
  ChecklistRow,
  DefinitionRow,
  Refused,
  SubscriptionRow,
} from "../storage/rows.ts";
import type { AttributeRule, AttributeType, Rule, SimpleRule, SubscribedTopics } from "../model/types.ts";

/** The refusal of an audience if its rule does not fit these attributes and checklists, all of its workspace; `null` if it fits. */
export function refusalOfAudience(
  { body }: Pick<AudienceRow, "body">,
  named: readonly (AttributeRow | ChecklistRow)[],
): Refused | null {
  const issues = findRuleIssues(body.rule, "rule", { ...keysIn(named), events: null });
  return issues.length > 0 ? { refused: { code: "invalid_input", issues } } : null;
}

/** Refuses a subscription that names an audience which `audiences`, all of its workspace, lack. `null` if all are defined. */
export function refusalOfSubscription(
  { body }: Pick<SubscriptionRow, "body">,
  audiences: readonly AudienceRow[],
): Refused | null {
  const issues = findTopicIssues(body.on, "on", { events: null, audiences: keysIn(audiences).audiences });
  return issues.length > 0 ? { refused: { code: "invalid_input", issues } } : null;
}

/** A definition that can name others. */
type User = Pick<AudienceRow, "kind" | "key" | "body"> | Pick<SubscriptionRow, "kind" | "key" | "body">;

/** The refusal `definition_in_use` of a deletion, if audiences or subscriptions name the definition; `null` if none does. */
export function refusalOfDeletion(kind: DefinitionRow["kind"], key: string, users: readonly User[]): Refused | null {
  const naming = users.filter((user) =>
    user.kind === "audience"
      ? simpleRules(user.body.rule).some((part) => names(part, kind, key))
      : kind === "audience" && user.body.on.audiences?.includes(key),
  );
  if (naming.length === 0) return null;
  const told = naming.map((user) => `"${user.key}"`).join(", ");
  const by = kind === "audience" ? "subscriptions" : "audiences";
  return { refused: { code: "definition_in_use", message: `The ${kind} "${key}" is used by ${by}: ${told}.` } };
}

function names(rule: SimpleRule, kind: DefinitionRow["kind"], key: string): boolean {
  if (rule.kind === "attribute") return kind === "attribute" && rule.key === key;
  return rule.kind === "checklist_completed" && kind === "checklist" && rule.checklistKey === key;
}

/** The properties of each event type that declares some. */
export type DeclaredProperties = ReadonlyMap<string, Readonly<Record<string, PropertyType>>>;

/** The properties in `where` that an event type lacks. These are warnings: older events may have them. */
export function findPropertyIssues(rule: Rule, path: string, declared: DeclaredProperties): Issue[] {
  const inner = (parts: readonly Rule[], group: string): Issue[] =>
    parts.flatMap((part, index) => findPropertyIssues(part, `${path}.${group}.${index}`, declared));
  if ("all" in rule) return inner(rule.all, "all");
  if ("any" in rule) return inner(rule.any, "any");
  if ("not" in rule) return findPropertyIssues(rule.not, `${path}.not`, declared);
  const properties = "eventKey" in rule ? declared.get(rule.eventKey) : undefined;
  if (!properties || !isCountRule(rule)) return [];
  return (rule.where ?? []).flatMap(({ property }, index) =>
    Object.hasOwn(properties, property) ? [] : [issue(`${path}.where.${index}.property`, "property_not_defined")],
  );
}

/** The keys that are defined, and the types of attributes. `events` is `null` where an event needs no event type. */
export interface DefinedKeys {
  events: { has(key: string): boolean } | null;
  types: ReadonlyMap<string, AttributeType>;
  checklists: { has(key: string): boolean };
  audiences: { has(key: string): boolean };
}

/** The parts of a definition that a rule depends on. */
type Named =
  | { kind: "attribute"; key: string; body: { type: AttributeType } }
  | { kind: "event" | "checklist" | "audience" | "subscription"; key: string };

/** The keys that the rows define. */
export function keysIn(rows: readonly Named[]): DefinedKeys & { events: ReadonlySet<string> } {
  const events = new Set<string>();
  const types = new Map<string, AttributeType>();
  const checklists = new Set<string>();
  const audiences = new Set<string>();
  for (const row of rows) {
    if (row.kind === "event") events.add(row.key);
    else if (row.kind === "attribute") types.set(row.key, row.body.type);
    else if (row.kind === "checklist") checklists.add(row.key);
    else if (row.kind === "audience") audiences.add(row.key);
  }
  return { events, types, checklists, audiences };
}

/** Compares a valid rule with the definitions that it names. */
export function findRuleIssues(rule: Rule, path: string, keys: DefinedKeys): Issue[] {
  const inner = (parts: readonly Rule[], group: string): Issue[] =>
    parts.flatMap((part, index) => findRuleIssues(part, `${path}.${group}.${index}`, keys));
  if ("all" in rule) return inner(rule.all, "all");
  if ("any" in rule) return inner(rule.any, "any");
  if ("not" in rule) return findRuleIssues(rule.not, `${path}.not`, keys);
  if ("eventKey" in rule)
    return keys.events?.has(rule.eventKey) === false ? [issue(`${path}.eventKey`, "event_not_defined")] : [];
  if (rule.kind === "attribute") return findTypeIssues(rule, path, keys.types.get(rule.key));
  if (rule.kind !== "checklist_completed" || keys.checklists.has(rule.checklistKey)) return [];
  return [issue(`${path}.checklistKey`, "checklist_not_defined")];
}

/** Compares the keys of a subscription with the audiences and, if events need one, with the event types. */
export function findTopicIssues(
  { events, audiences = [] }: SubscribedTopics,
  path: string,
  keys: Pick<DefinedKeys, "events" | "audiences">,
): Issue[] {
  const named = typeof events === "object" ? events : [];
  return [
    ...named.flatMap((key, index) =>
      keys.events?.has(key) === false ? [issue(`${path}.events.${index}`, "event_not_defined")] : [],
    ),
    ...audiences.flatMap((key, index) =>
      keys.audiences.has(key) ? [] : [issue(`${path}.audiences.${index}`, "audience_not_defined")],
    ),
  ];
}

function findTypeIssues({ operator, value }: AttributeRule, path: string, type: AttributeType | undefined): Issue[] {
  if (!type) return [issue(`${path}.key`, "attribute_not_defined")];
  const operators = operatorsOf[type];
  if (!operators) throw new TrackerError("definition_unknown");
  if (!operators.includes(operator)) {
    const expected = `${operators.slice(0, -1).join(", ")} or ${operators.at(-1)}`;
    return [issue(`${path}.operator`, "attribute_wrong_type", `Must be ${expected}, as the attribute is ${type}.`)];
  }
  if (operator === "is_set" || type === "date") return [];
  const values = Array.isArray(value) ? value.entries() : ([["", value]] as const);
  return Array.from(values as Iterable<readonly [number | "", unknown]>).flatMap(([index, item]) =>
    typeof item === valueTypes[type].name
      ? []
      : [issue(index === "" ? `${path}.value` : `${path}.value.${index}`, "attribute_wrong_type")],
  );
}
