import type { DefinitionRow, Refused } from "../storage/rows.ts";
import type { AttributeType } from "../types.ts";

/** What is stored once the draft is put where `before` stands. A storage calls it inside its atomic section. */
export function putDefinition(before: DefinitionRow | null, draft: DefinitionRow): DefinitionRow | Refused {
  if (draft.kind !== "attribute") return before ? ({ ...before, body: draft.body } as DefinitionRow) : draft;
  if (before?.kind !== "attribute") return { ...draft, body: { ...draft.body, name: draft.body.name ?? null } };
  if (before.body.type !== draft.body.type) return attributeConflict(draft.key, before.body.type);
  const name = draft.body.name === undefined ? before.body.name : draft.body.name;
  return { ...before, body: { ...before.body, name } };
}

/** `attribute_conflict` of a valid key, which is defined with this type. */
export function attributeConflict(key: string, type: AttributeType): Refused {
  const message = `The attribute "${key}" is defined with the type ${type}.`;
  return { refused: { code: "attribute_conflict", message } };
}

/** The value itself, of which nothing can be changed any more: rows of definitions are handed out as they are kept. */
export function frozen<Value extends object>(value: Value): Value {
  for (const item of Object.values(value)) if (typeof item === "object" && item !== null) frozen(item as object);
  return Object.freeze(value);
}
