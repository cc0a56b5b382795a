/** Checks the names in rules against the event types, attributes and checklists of the workspace. */
import type { NamedDefinitions } from "../decisions/conditions.ts";
import { foldEmail } from "../model/emails.ts";
import { findRuleIssues, keysIn } from "../decisions/named-definitions.ts";
import { refusedAfresh, type ListOptions } from "./index.ts";
import { normalizeRule } from "../input/rules.ts";
import { refuse } from "../input/shapes.ts";
import { mapSimpleRules, simpleRules } from "../model/rules.ts";
import type { Scope } from "../scope.ts";
import type { Rule, SimpleRule } from "../model/types.ts";

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
  options?: ListOptions,
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

/** A rule, and its path in the input. */
export interface PlacedRule {
  path: string;
  rule: Rule;
}

/**
 * The definitions that the rules name. Throws `invalid_input` if a rule does not fit definitions that are at most `maxAgeMs`
 * old: another process may just have defined a missing one.
 */
export async function findFitting(
  scope: Scope,
  placed: readonly PlacedRule[],
  maxAgeMs?: number,
): Promise<NamedDefinitions> {
  const rules = placed.map(({ rule }) => rule);
  return refusedAfresh(async (options) => {
    const named = await findNamed(scope, rules, options);
    const keys = keysIn([...named.attributes.values(), ...named.checklists.values()]);
    const events = await findEventKeys(scope, rules, options);
    refuse(placed.flatMap(({ rule, path }) => findRuleIssues(rule, path, { ...keys, events })));
    return named;
  }, maxAgeMs);
}

/** The keys that have an event type; `null` if events need no event type, or if the rules name no events. */
async function findEventKeys(
  { storage, workspace, refusesUndefinedEvents = false }: Scope,
  rules: readonly Rule[],
  options: ListOptions,
): Promise<ReadonlySet<string> | null> {
  if (!refusesUndefinedEvents || !rules.flatMap(simpleRules).some((rule) => "eventKey" in rule)) return null;
  return new Set((await storage.listDefinitions(workspace, "event", options)).map(({ key }) => key));
}
