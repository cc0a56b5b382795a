import { define, listDefinitions, type DraftOf, type ListOptions } from "./index.ts";
import { issue, type Issue } from "../model/errors.ts";
import { deletedAttributesMax, issuesMax } from "../model/limits.ts";
import type { Scope } from "../scope.ts";
import type { AttributeRow, ContactRow } from "../storage/rows.ts";
import type { AttributeDefinition, Scalar } from "../model/types.ts";
import { parse } from "../input/shapes.ts";
import { attributeDefinitionStruct } from "../input/definition-structs.ts";
import { shownValue, storedValue, wordsOf } from "../model/attribute-values.ts";

export async function defineAttribute(scope: Scope, input: unknown): Promise<AttributeDefinition> {
  return toDefinition(await define<"attribute">(scope, attributeDraft(parse(input, attributeDefinitionStruct))));
}

export function attributeDraft({ key, type, name }: AttributeDefinition): DraftOf<"attribute"> {
  return { kind: "attribute", key, body: { type, name } };
}

export async function listAttributes(scope: Scope): Promise<AttributeDefinition[]> {
  return (await listDefinitions(scope, "attribute")).map(toDefinition);
}

/** The attribute definitions of a workspace: by key to check values, by id to show them. */
export interface Attributes {
  byKey: ReadonlyMap<string, AttributeRow>;
  byId: ReadonlyMap<string, AttributeRow>;
}

/**
 * The attributes that show the rows' values; `known` if there are no values. `known` and a cached list may lack an attribute that
 * another process has defined. Then the list is read again, but only once for an id whose attribute was deleted.
 */
export async function findAttributesOf(
  scope: Scope,
  rows: readonly { attributes: object }[],
  known?: Attributes,
): Promise<Attributes | undefined> {
  const ids = rows.flatMap(({ attributes }) => Object.keys(attributes));
  if (ids.length === 0) return known;
  const list = known ?? (await findAttributes(scope));
  const { deletedAttributeIds = new Set() } = scope;
  const missing = ids.filter((id) => !list.byId.has(id) && !deletedAttributeIds.has(id));
  if (missing.length === 0) return list;
  const fresh = await findAttributes(scope, { maxAgeMs: 0 });
  if (deletedAttributeIds.size > deletedAttributesMax) deletedAttributeIds.clear();
  for (const id of missing) if (!fresh.byId.has(id)) deletedAttributeIds.add(id);
  return fresh;
}

export async function findAttributes({ storage, workspace }: Scope, options?: ListOptions): Promise<Attributes> {
  const rows = await storage.listDefinitions(workspace, "attribute", options);
  return {
    byKey: new Map(rows.map((row) => [row.key, row])),
    byId: new Map(rows.map((row) => [row.id, row])),
  };
}

/** Compares the values with their definitions. Returns the valid values by definition id, and the issues of the others. */
export function toAttributes(
  sent: Record<string, unknown>,
  { byKey }: Attributes,
): { values: Record<string, Scalar | null>; issues: Issue[] } {
  const values: Record<string, Scalar | null> = {};
  const issues: Issue[] = [];
  for (const [key, value] of Object.entries(sent)) {
    if (issues.length === issuesMax) break;
    const definition = byKey.get(key);
    const path = `customAttributes.${key}`;
    if (!definition) {
      issues.push(issue(path, "attribute_not_defined"));
      continue;
    }
    const { type } = definition.body;
    const stored = value === null ? null : storedValue(value, type);
    if (value !== null && stored === null)
      issues.push(issue(path, "attribute_wrong_type", `Must be ${wordsOf(type)}, as the attribute is defined.`));
    else values[definition.id] = stored;
  }
  return { values, issues };
}

/** The values by attribute key, without values whose attribute was deleted. */
export function toCustomAttributes(values: ContactRow["attributes"], { byId }: Attributes): Record<string, Scalar> {
  const shown = Object.entries(values).flatMap(([id, value]) => {
    const definition = byId.get(id);
    return definition ? [[definition.key, shownValue(value, definition.body.type)] as const] : [];
  });
  return Object.fromEntries(shown);
}

function toDefinition({ key, body }: AttributeRow): AttributeDefinition {
  return { key, type: body.type, name: body.name ?? null };
}
