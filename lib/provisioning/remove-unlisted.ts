/** Removes the definitions that a list does not name. */
import { refusalOfDeletion } from "../decisions/named-definitions.ts";
import { removeDefinition, type DraftOf } from "../definitions/index.ts";
import { draftsOf, findStored, nameOf, type DefinitionDraft } from "./list.ts";
import { parse } from "../input/shapes.ts";
import { definitionsStruct, removeUnlistedOptionsStruct } from "../input/definition-structs.ts";
import { errorOf } from "../storage/refusals.ts";
import type { Scope } from "../scope.ts";
import type { Condition, DefinitionRow } from "../storage/rows.ts";

/** A definition that `removeUnlisted` removes, and what goes with it. */
export interface RemovedDefinition {
  /** The kind of the definition; `event` is an event type. */
  kind: DefinitionRow["kind"];
  key: string;
  /** The number of contacts that have a value of the attribute, or completed an item of the checklist by hand; otherwise 0. */
  contacts: number;
  /** The number of the checklist's items; otherwise 0. */
  items: number;
}

/**
 * Throws `definition_in_use` before the first removal if a listed audience or subscription names a definition to remove. Checks the
 * stored audiences and subscriptions; a dry run checks those of the list, as if it were stored.
 */
export async function removeUnlisted(
  scope: Scope,
  input: unknown,
  options: unknown = {},
): Promise<RemovedDefinition[]> {
  const drafts = draftsOf(parse(input, definitionsStruct));
  const { dryRun = false } = parse(options, removeUnlistedOptionsStruct);
  const stored = await findStored(scope);
  const listed = new Set(drafts.map(nameOf));
  // In reverse order, because later kinds refer to earlier ones.
  const extra = stored.filter((row) => !listed.has(nameOf(row))).reverse();
  const staying = (dryRun ? drafts : stored.filter((row) => listed.has(nameOf(row)))).filter(canName);
  for (const { kind, key } of extra) {
    const refusal = refusalOfDeletion(kind, key, staying);
    if (refusal) throw errorOf(refusal);
  }
  const removed: RemovedDefinition[] = [];
  for (const row of extra) removed.push(await describe(scope, row));
  if (dryRun) return removed;
  // A definition that is gone already was removed by another process.
  for (const { kind, key } of extra) await removeDefinition(scope, kind, key);
  return removed;
}

function canName(definition: DefinitionDraft): definition is DraftOf<"audience" | "subscription"> {
  return definition.kind === "audience" || definition.kind === "subscription";
}

async function describe({ storage, workspace }: Scope, row: DefinitionRow): Promise<RemovedDefinition> {
  const touched = conditionOfTouched(row);
  return {
    kind: row.kind,
    key: row.key,
    contacts: touched ? await storage.countMembers(workspace, touched) : 0,
    items: row.kind === "checklist" ? row.body.items.length : 0,
  };
}

/** The condition for contacts that lose data with the definition; `null` if no contact can. */
function conditionOfTouched(row: DefinitionRow): Condition | null {
  if (row.kind === "attribute") return { attributeId: row.id, operator: "is_set" };
  if (row.kind !== "checklist") return null;
  return { any: row.body.items.map(({ key }) => ({ checklistId: row.id, itemKeys: [key], counts: [] })) };
}
