import { TrackerError } from "./errors.ts";
import { newId } from "./ids.ts";
import { accepted } from "./refusals.ts";
import { assertUnused } from "./rule-definitions.ts";
import type { Scope } from "./scope.ts";
import type { DefinitionOf, DefinitionRow } from "./storage/rows.ts";
import { parseEventKey, parseKey } from "./input/structs.ts";

/** A definition to be stored: what its input says. */
export type DraftOf<Kind extends DefinitionRow["kind"]> = Kind extends unknown
  ? Pick<DefinitionOf<Kind>, "kind" | "key" | "body">
  : never;

/** Stores the definition, and resolves with the stored one. Throws `attribute_conflict`. */
export async function define<Kind extends DefinitionRow["kind"]>(
  scope: Scope,
  draft: DraftOf<Kind>,
): Promise<DefinitionOf<Kind>> {
  return accepted(await scope.storage.putDefinition(toRow(scope, draft))) as DefinitionOf<Kind>;
}

/** The row of the draft, if the storage has none with its key. */
export function toRow<Kind extends DefinitionRow["kind"]>(
  { workspace, now }: Scope,
  draft: DraftOf<Kind>,
): DefinitionRow {
  const at = now();
  return { workspace, id: newId(at), createdAt: at, ...draft } as DefinitionRow;
}

/** The definitions of the kind as they are stored now. To list a definition is to ask whether a change has arrived. */
export function listDefinitions<Kind extends DefinitionRow["kind"]>(
  { storage, workspace }: Scope,
  kind: Kind,
): Promise<DefinitionOf<Kind>[]> {
  return storage.listDefinitions(workspace, kind, { fresh: true });
}

/** Deletes the definition. Throws `definition_not_found`, and `definition_in_use` if an audience names it. */
export async function deleteDefinition(scope: Scope, kind: DefinitionRow["kind"], input: unknown): Promise<void> {
  const key = kind === "event" ? parseEventKey(input) : parseKey(input);
  if (kind === "attribute" || kind === "checklist") await assertUnused(scope, kind, key);
  if (!(await scope.storage.deleteDefinition(scope.workspace, kind, key))) throw notDefined(kind, key);
}

/** The error `definition_not_found` for a valid key. */
export function notDefined(kind: DefinitionRow["kind"], key: string): TrackerError {
  return new TrackerError("definition_not_found", {
    message: `There is no ${kind === "event" ? "event type" : kind} "${key}".`,
  });
}
