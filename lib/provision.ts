import { defineAttribute, listAttributes } from "./attributes.ts";
import { definitionsStruct } from "./input/structs.ts";
import { defineAudience } from "./audiences.ts";
import { defineChecklist, listChecklists } from "./checklists.ts";
import { defineEventType } from "./event-types.ts";
import { attributeConflict } from "./decisions/definitions.ts";
import { errorOf } from "./refusals.ts";
import { findRuleIssues } from "./rule-definitions.ts";
import type { Scope } from "./scope.ts";
import { parse, refuse } from "./input/shapes.ts";

/**
 * Stores all definitions. Refuses all of them before the first write if an attribute exists with another type, or if a rule
 * does not fit its definitions.
 */
export async function provision(scope: Scope, input: unknown): Promise<void> {
  const { events = [], attributes = [], audiences = [], checklists = [] } = parse(input, definitionsStruct);
  const types = new Map((await listAttributes(scope)).map(({ key, type }) => [key, type]));
  for (const { key, type } of attributes) {
    const before = types.get(key) ?? type;
    if (before !== type) throw errorOf(attributeConflict(key, before));
    types.set(key, type);
  }
  const defined = new Set([...(await listChecklists(scope)), ...checklists].map(({ key }) => key));
  refuse(
    audiences.flatMap(({ rule }, index) =>
      findRuleIssues(rule, `audiences.${index}.rule`, { types, checklists: defined }),
    ),
  );
  for (const event of events) await defineEventType(scope, event);
  for (const attribute of attributes) await defineAttribute(scope, attribute);
  for (const checklist of checklists) await defineChecklist(scope, checklist);
  // Audiences come last, because their rules name the others.
  for (const audience of audiences) await defineAudience(scope, audience);
}
