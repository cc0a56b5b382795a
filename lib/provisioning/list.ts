/** Reads a list of definitions, and the stored definitions to compare it with. */
import { attributeDraft } from "../attributes.ts";
import { audienceDraft } from "../audiences.ts";
import { checklistDraft, itemRules } from "../checklists.ts";
import { attributeConflict } from "../decisions/definition-writes.ts";
import { listDefinitions, type DraftOf } from "../definitions.ts";
import { eventTypeDraft } from "../event-types.ts";
import { errorOf } from "../storage/refusals.ts";
import type { PlacedRule } from "../rule-definitions.ts";
import type { Scope } from "../scope.ts";
import type { DefinitionRow } from "../storage/rows.ts";
import type { AttributeDefinition, AttributeType, Definitions } from "../model/types.ts";

export type DefinitionDraft = DraftOf<DefinitionRow["kind"]>;

/** The order in which the kinds are stored. Audiences come last, because their rules name the others. */
export const kindsInOrder: readonly DefinitionRow["kind"][] = ["event", "attribute", "checklist", "audience"];

/** The rows of a valid list, in the order of `kindsInOrder`. */
export function draftsOf({
  events = [],
  attributes = [],
  checklists = [],
  audiences = [],
}: Definitions): DefinitionDraft[] {
  return [
    ...events.map(eventTypeDraft),
    ...attributes.map(attributeDraft),
    ...checklists.map(checklistDraft),
    ...audiences.map(audienceDraft),
  ];
}

/** The definitions of all kinds as they are stored now, in the order of `kindsInOrder`. */
export async function findStored(scope: Scope): Promise<DefinitionRow[]> {
  const rows: DefinitionRow[] = [];
  for (const kind of kindsInOrder) rows.push(...(await listDefinitions(scope, kind)));
  return rows;
}

/** Identifies a definition: no kind has a space. */
export function nameOf({ kind, key }: Pick<DefinitionRow, "kind" | "key">): string {
  return `${kind} ${key}`;
}

/** The rules of the definition, at their paths below the given one. */
export function rulesOf(definition: DefinitionDraft, path = ""): PlacedRule[] {
  if (definition.kind === "audience") return [{ path: `${path}rule`, rule: definition.body.rule }];
  return definition.kind === "checklist" ? itemRules(definition.body.items, `${path}items`) : [];
}

/** Throws `attribute_conflict` if a key has two types, in the list alone or with those that are stored. */
export function assertOneType(
  attributes: readonly AttributeDefinition[] = [],
  stored: readonly DefinitionRow[] = [],
): void {
  const types = new Map<string, AttributeType>();
  for (const row of stored) if (row.kind === "attribute") types.set(row.key, row.body.type);
  for (const { key, type } of attributes) {
    const before = types.get(key) ?? type;
    if (before !== type) throw errorOf(attributeConflict(key, before));
    types.set(key, type);
  }
}
