import { comparisonOf, type Comparison } from "./compare.ts";
import { assertOneType, draftsOf, findIssues, findStored, type DefinitionDraft } from "./list.ts";
import { audienceDraft } from "../audiences.ts";
import { checklistDraft } from "../checklists/index.ts";
import { keysIn } from "../decisions/named-definitions.ts";
import { define } from "../definitions/index.ts";
import { definitionsStruct } from "../input/definition-structs.ts";
import { parse, refuse } from "../input/shapes.ts";
import type { Issue } from "../model/errors.ts";
import type { Scope } from "../scope.ts";
import { findUrlIssues, subscriptionDraft } from "../definitions/subscriptions.ts";

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
  const defined = { ...keys, events: scope.refusesUndefinedEvents ? events : null };
  const { checklists = [], audiences = [], subscriptions = [] } = list;
  const issuesIn = (kind: string, listed: readonly DefinitionDraft[]): Issue[] =>
    listed.flatMap((draft, index) => findIssues(draft, defined, `${kind}.${index}.`));
  refuse([
    ...issuesIn("checklists", checklists.map(checklistDraft)),
    ...issuesIn("audiences", audiences.map(audienceDraft)),
    ...issuesIn("subscriptions", subscriptions.map(subscriptionDraft)),
    ...subscriptions.flatMap(({ url }, index) => findUrlIssues(scope, url, `subscriptions.${index}.url`)),
  ]);
  for (const draft of drafts) await define(scope, draft);
  return comparisonOf(scope, drafts, stored);
}
