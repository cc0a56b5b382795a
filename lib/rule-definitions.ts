/** Checks the names in rules against the event types, attributes and checklists of the workspace. */
import type { NamedDefinitions } from "./decisions/conditions.ts";
import { foldEmail } from "./decisions/identity.ts";
import { issue, TrackerError, type Issue } from "./errors.ts";
import { valueTypes } from "./declarations.ts";
import { normalizeRule } from "./input/rules.ts";
import { refuse } from "./input/shapes.ts";
import { mapSimpleRules, operatorsOf, simpleRules } from "./rules.ts";
import type { Scope } from "./scope.ts";
import type { AudienceRow } from "./storage/rows.ts";
import type { AttributeRule, AttributeType, Rule, SimpleRule } from "./types.ts";

/** Copies a valid rule into the form that is stored and answered: emails are folded, times are texts. */
export function toStoredRule(rule: Rule): Rule {
  return mapSimpleRules(normalizeRule(rule), foldOperand);
}

function foldOperand(rule: SimpleRule): SimpleRule {
  if (rule.kind !== "field" || rule.field !== "email" || rule.operator === "is_set") return rule;
  return rule.operator === "one_of"
    ? { ...rule, value: rule.value.map(foldEmail) }
    : { ...rule, value: foldEmail(rule.value) };
}

/** Reads the definitions of the kinds that the rules name, and no others. */
export async function findNamed(
  { storage, workspace }: Scope,
  rules: readonly Rule[],
  options?: { fresh: boolean },
): Promise<NamedDefinitions> {
  const kinds = new Set(rules.flatMap(simpleRules).map(({ kind }) => kind));
  const attributes = kinds.has("attribute") ? await storage.listDefinitions(workspace, "attribute", options) : [];
  const checklists = kinds.has("checklist_completed")
    ? await storage.listDefinitions(workspace, "checklist", options)
    : [];
  return {
    attributes: new Map(attributes.map((row) => [row.key, row])),
    checklists: new Map(checklists.map((row) => [row.key, row])),
  };
}

/** A rule, and where it stands. */
export interface PlacedRule {
  path: string;
  rule: Rule;
}

/**
 * The definitions that the rules name. Throws `invalid_input` if a rule does not fit them; they are read afresh before, because
 * another process may just have defined what is missing.
 */
export async function findFitting(scope: Scope, placed: readonly PlacedRule[]): Promise<NamedDefinitions> {
  const rules = placed.map(({ rule }) => rule);
  const issuesIn = async (named: NamedDefinitions, options?: { fresh: boolean }): Promise<Issue[]> => {
    const events = await findEventKeys(scope, rules, options);
    return placed.flatMap(({ rule, path }) => findRuleIssues(rule, path, { ...keysOf(named), events }));
  };
  const found = await findNamed(scope, rules);
  if ((await issuesIn(found)).length === 0) return found;
  const fresh = await findNamed(scope, rules, { fresh: true });
  refuse(await issuesIn(fresh, { fresh: true }));
  return fresh;
}

/** The keys that have an event type; `null` if events need none, or the rules name none. */
async function findEventKeys(
  { storage, workspace, refusesUndefinedEvents = false }: Scope,
  rules: readonly Rule[],
  options?: { fresh: boolean },
): Promise<ReadonlySet<string> | null> {
  if (!refusesUndefinedEvents || !rules.flatMap(simpleRules).some((rule) => "eventKey" in rule)) return null;
  return new Set((await storage.listDefinitions(workspace, "event", options)).map(({ key }) => key));
}

/** The keys that are defined, and the types of attributes. `events` is `null` where an event needs no event type. */
export interface DefinedKeys {
  events: { has(key: string): boolean } | null;
  types: ReadonlyMap<string, AttributeType>;
  checklists: { has(key: string): boolean };
}

function keysOf({ attributes, checklists }: NamedDefinitions): Omit<DefinedKeys, "events"> {
  return { types: new Map(Array.from(attributes.values(), ({ key, body }) => [key, body.type])), checklists };
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

function findTypeIssues({ operator, value }: AttributeRule, path: string, type: AttributeType | undefined): Issue[] {
  if (!type) return [issue(`${path}.key`, "attribute_not_defined")];
  const operators = operatorsOf[type];
  if (!operators.includes(operator)) {
    const expected = `${operators.slice(0, -1).join(", ")} or ${operators.at(-1)}`;
    return [issue(`${path}.operator`, "attribute_wrong_type", `Must be ${expected}, as the attribute is ${type}.`)];
  }
  if (operator === "is_set") return [];
  const values = Array.isArray(value) ? value.entries() : ([["", value]] as const);
  return Array.from(values as Iterable<readonly [number | "", unknown]>).flatMap(([index, item]) =>
    typeof item === valueTypes[type].name
      ? []
      : [issue(index === "" ? `${path}.value` : `${path}.value.${index}`, "attribute_wrong_type")],
  );
}

/** Throws `definition_in_use` if audiences name the definition, which must exist. Reads both afresh: others may have changed them. */
export async function assertUnused(
  { storage, workspace }: Scope,
  kind: "attribute" | "checklist",
  key: string,
): Promise<void> {
  const error = useError(kind, key, await storage.listDefinitions(workspace, "audience", { fresh: true }));
  if (!error) return;
  const definitions = await storage.listDefinitions(workspace, kind, { fresh: true });
  if (definitions.some((row) => row.key === key)) throw error;
}

/** The error `definition_in_use` if some of the audiences name the definition; otherwise `null`. */
export function useError(
  kind: "attribute" | "checklist",
  key: string,
  audiences: readonly Pick<AudienceRow, "key" | "body">[],
): TrackerError | null {
  const users = audiences.filter(({ body }) => simpleRules(body.rule).some((part) => names(part, kind, key)));
  if (users.length === 0) return null;
  const told = users.map((audience) => `"${audience.key}"`).join(", ");
  return new TrackerError("definition_in_use", { message: `The ${kind} "${key}" is used by audiences: ${told}.` });
}

function names(rule: SimpleRule, kind: "attribute" | "checklist", key: string): boolean {
  if (rule.kind === "attribute") return kind === "attribute" && rule.key === key;
  return rule.kind === "checklist_completed" && kind === "checklist" && rule.checklistKey === key;
}
