import type { Struct } from "superstruct";
import { TrackerError } from "./errors.ts";
import { newId } from "./ids.ts";
import { keyMaxBytes } from "./limits.ts";
import type { Scope } from "./scope.ts";
import type { DefinitionOf, DefinitionRow } from "./storage.ts";
import type { AttributeType } from "./types.ts";
import { leaf, parse, shape, textProblem } from "./validation.ts";

/** Stores what a workspace defines, and answers as it then stands. Throws `attribute_conflict`. */
export async function define<Kind extends DefinitionRow["kind"]>(
  { storage, workspace, now }: Scope,
  definition: Pick<DefinitionOf<Kind>, "kind" | "key" | "body">,
): Promise<DefinitionOf<Kind>> {
  const at = now();
  const stored = await storage.putDefinition({
    workspace,
    id: newId(at),
    createdAt: at,
    ...definition,
  } as DefinitionRow);
  if (stored instanceof TrackerError) throw stored;
  return stored as DefinitionOf<Kind>;
}

/** Throws `definition_not_found`. */
export async function deleteDefinition(scope: Scope, kind: DefinitionRow["kind"], input: unknown): Promise<void> {
  const key = parseKey(input);
  if (!(await scope.storage.deleteDefinition(scope.workspace, kind, key))) throw notDefined(kind, key);
}

/** `definition_not_found` of a valid key. */
export function notDefined(kind: DefinitionRow["kind"], key: string): TrackerError {
  return new TrackerError("definition_not_found", { message: `There is no ${kind} "${key}".` });
}

/** `attribute_conflict` of a valid key, which is defined with this type. */
export function attributeConflict(key: string, type: AttributeType): TrackerError {
  return new TrackerError("attribute_conflict", {
    message: `The attribute "${key}" is defined with the type ${type}.`,
  });
}

/** What is stored once the draft is put where `before` stands. A storage calls it inside its atomic section. */
export function putDefinition(before: DefinitionRow | null, draft: DefinitionRow): DefinitionRow | TrackerError {
  if (draft.kind !== "attribute") return before ? ({ ...before, body: draft.body } as DefinitionRow) : draft;
  if (before?.kind !== "attribute") return { ...draft, body: { ...draft.body, name: draft.body.name ?? null } };
  if (before.body.type !== draft.body.type) return attributeConflict(draft.key, before.body.type);
  const name = draft.body.name === undefined ? before.body.name : draft.body.name;
  return { ...before, body: { ...before.body, name } };
}

export const definitionKey: Struct<string, null> = leaf(
  "a letter followed by letters, digits and underscores, of ASCII",
  (value) => {
    if (typeof value !== "string") return "wrong_type";
    if (value === "") return "too_short";
    return textProblem(value, keyMaxBytes) ?? (/^[A-Za-z][A-Za-z0-9_]*$/.test(value) ? null : "invalid_format");
  },
);

const keyOnly = shape<{ key: string }>("Key", { key: definitionKey });

export function parseKey(key: unknown): string {
  return parse({ key }, keyOnly).key;
}

/** The value itself, of which nothing can be changed any more: rows of definitions are handed out as they are kept. */
export function frozen<Value extends object>(value: Value): Value {
  for (const item of Object.values(value)) if (typeof item === "object" && item !== null) frozen(item as object);
  return Object.freeze(value);
}
