import { comparisonOf, type Comparison } from "./compare.ts";
import { assertOneType, draftsOf, findStored, rulesOf } from "./list.ts";
import { audienceDraft } from "../audiences.ts";
import { checklistDraft } from "../checklists.ts";
import { findRuleIssues, keysIn } from "../decisions/named-definitions.ts";
import { define } from "../definitions.ts";
import { definitionsStruct } from "../input/definition-structs.ts";
import { parse, refuse } from "../input/shapes.ts";
import type { Scope } from "../scope.ts";

/**
 * Stores all definitions. Resolves with the differences that it found before. Refuses all of them before the first write if an
 * attribute exists with another type, or if a rule does not fit its definitions.
 */
export async function provision(scope: Scope, input: unknown): Promise<Comparison> {
  const list = parse(input, definitionsStruct);
  const drafts = draftsOf(list);
  const stored = await findStored(scope);
  assertOneType(list.attributes, stored);
  const { events, ...keys } = keysIn([...stored, ...drafts]);
  const rules = [
    ...(list.checklists ?? []).flatMap((checklist, index) =>
      rulesOf(checklistDraft(checklist), `checklists.${index}.`),
    ),
    ...(list.audiences ?? []).flatMap((audience, index) => rulesOf(audienceDraft(audience), `audiences.${index}.`)),
  ];
  const defined = { ...keys, events: scope.refusesUndefinedEvents ? events : null };
  refuse(rules.flatMap(({ rule, path }) => findRuleIssues(rule, path, defined)));
  for (const draft of drafts) await define(scope, draft);
  return comparisonOf(scope, drafts, stored);
}
