/** Reads a list of definitions, and the stored definitions to compare it with. */
import { attributeDraft } from "../definitions/attributes.ts";
import { audienceDraft } from "../audiences.ts";
import { checklistDraft, itemRules } from "../checklists/index.ts";
import { attributeConflict } from "../decisions/definition-writes.ts";
import { findRuleIssues, findTopicIssues, type DefinedKeys } from "../decisions/named-definitions.ts";
import { listDefinitions, type DraftOf } from "../definitions/index.ts";
import { eventTypeDraft } from "../definitions/event-types.ts";
import { errorOf } from "../storage/refusals.ts";
import type { Scope } from "../scope.ts";
import type { DefinitionRow } from "../storage/rows.ts";
import { subscriptionDraft } from "../definitions/subscriptions.ts";
import type { Issue } from "../model/errors.ts";
import type { AttributeDefinition, AttributeType, Definitions } from "../model/types.ts";

export type DefinitionDraft = DraftOf<DefinitionRow["kind"]>;

/** The drafts of each kind, in the order in which they are stored: audiences and subscriptions after what they name. */
const draftsByKind: { [Kind in DefinitionRow["kind"]]: (list: Definitions) => DraftOf<Kind>[] } = {
  event: ({ events = [] }) => events.map(eventTypeDraft),
  attribute: ({ attributes = [] }) => attributes.map(attributeDraft),
  checklist: ({ checklists = [] }) => checklists.map(checklistDraft),
  audience: ({ audiences = [] }) => audiences.map(audienceDraft),
  subscription: ({ subscriptions = [] }) => subscriptions.map(subscriptionDraft),
};

/** The order in which the kinds are stored. */
export const kindsInOrder = Object.keys(draftsByKind) as readonly DefinitionRow["kind"][];

/** The drafts of a valid list, in the order of `kindsInOrder`. */
export function draftsOf(list: Definitions): DefinitionDraft[] {
  return kindsInOrder.flatMap((kind): DefinitionDraft[] => draftsByKind[kind](list));
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

/** The keys in the definition that are not defined, at their paths below the given one. */
export function findIssues(definition: DefinitionDraft, keys: DefinedKeys, path = ""): Issue[] {
  switch (definition.kind) {
    case "audience":
      return findRuleIssues(definition.body.rule, `${path}rule`, keys);
    case "checklist":
      return itemRules(definition.body.items, `${path}items`).flatMap((placed) =>
        findRuleIssues(placed.rule, placed.path, keys),
      );
    case "subscription":
      return findTopicIssues(definition.body.on, `${path}on`, keys);
    default:
      return [];
  }
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
