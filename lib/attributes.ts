import { nullable, optional, type Struct } from "superstruct";
import { TrackerError, type Issue } from "./errors.ts";
import { newId } from "./ids.ts";
import { keyMaxBytes, textMaxBytes } from "./limits.ts";
import type { Scope } from "./scope.ts";
import type { ContactRow, DefinitionRow } from "./storage.ts";
import type { AttributeDefinition, AttributeType, Scalar } from "./types.ts";
import { issue, label, leaf, parse, shape, textCode } from "./validation.ts";

export async function defineAttribute(scope: Scope, input: unknown): Promise<AttributeDefinition> {
  const { key, type, name } = parse(input, attributeDefinition);
  const at = scope.now();
  const { storage, workspace } = scope;
  const draft = { workspace, kind: "attribute", key, id: newId(at), body: { type, name }, createdAt: at } as const;
  const stored = await storage.putDefinition(draft);
  if (stored instanceof TrackerError) throw stored;
  return toDefinition(stored);
}

export async function listAttributes(scope: Scope): Promise<AttributeDefinition[]> {
  const rows = await scope.storage.listDefinitions(scope.workspace, "attribute");
  return rows.map(toDefinition);
}

export async function deleteAttribute(scope: Scope, input: unknown): Promise<void> {
  const { key } = parse({ key: input }, keyOnly);
  const deleted = await scope.storage.deleteDefinition(scope.workspace, "attribute", key);
  if (!deleted) throw new TrackerError("definition_not_found");
}

/** What is stored once the draft is put where `before` stands. A storage calls it inside its atomic section. */
export function putDefinition(before: DefinitionRow | null, draft: DefinitionRow): DefinitionRow | TrackerError {
  const name = draft.body.name === undefined ? (before?.body.name ?? null) : draft.body.name;
  if (!before) return { ...draft, body: { ...draft.body, name } };
  if (before.body.type !== draft.body.type) return new TrackerError("attribute_conflict");
  return { ...before, body: { ...before.body, name } };
}

/** A workspace's attribute definitions, for checking and for showing values. */
export interface Attributes {
  byKey: ReadonlyMap<string, DefinitionRow>;
  byId: ReadonlyMap<string, DefinitionRow>;
}

export async function findAttributes(scope: Scope): Promise<Attributes> {
  const rows = await scope.storage.listDefinitions(scope.workspace, "attribute");
  return {
    byKey: new Map(rows.map((row) => [row.key, row])),
    byId: new Map(rows.map((row) => [row.id, row])),
  };
}

const typeNames: Record<AttributeType, string> = { text: "string", number: "number", boolean: "boolean" };

/** The values sent, by definition id, and what is wrong with them beyond their shape. */
export function toAttributes(
  sent: Record<string, unknown>,
  { byKey }: Attributes,
): { values: Record<string, Scalar | null>; issues: Issue[] } {
  const values: Record<string, Scalar | null> = {};
  const issues: Issue[] = [];
  for (const [key, value] of Object.entries(sent)) {
    const definition = byKey.get(key);
    const path = `customAttributes.${key}`;
    if (!definition) issues.push(issue(path, "attribute_not_defined"));
    else if (value !== null && typeof value !== typeNames[definition.body.type]) {
      issues.push(issue(path, "attribute_wrong_type"));
    } else {
      // JSON has one zero.
      values[definition.id] = Object.is(value, -0) ? 0 : (value as Scalar | null);
    }
  }
  return { values, issues };
}

/** The values by key; those whose definition is gone are gone with it. */
export function toCustomAttributes(values: ContactRow["attributes"], { byId }: Attributes): Record<string, Scalar> {
  const shown = Object.entries(values).flatMap(([id, value]) => {
    const definition = byId.get(id);
    return definition ? [[definition.key, value] as const] : [];
  });
  return Object.fromEntries(shown);
}

function toDefinition({ key, body }: DefinitionRow): AttributeDefinition {
  return { key, type: body.type, name: body.name ?? null };
}

const attributeKey = leaf<string>("key", (value) => {
  if (typeof value !== "string") return "wrong_type";
  if (value === "") return "too_short";
  return textCode(value, keyMaxBytes) ?? (/^[A-Za-z][A-Za-z0-9_]*$/.test(value) ? null : "invalid_format");
});

const attributeType = leaf<AttributeType>("type", (value) => {
  if (typeof value !== "string") return "wrong_type";
  return Object.hasOwn(typeNames, value) ? null : "invalid_format";
});

const keyOnly = shape<{ key: string }>("Key", { key: attributeKey });

export const attributeDefinition: Struct<AttributeDefinition, null> = shape<AttributeDefinition>(
  "AttributeDefinition",
  {
    key: attributeKey,
    type: attributeType,
    name: optional(nullable(label(textMaxBytes))),
  },
);
