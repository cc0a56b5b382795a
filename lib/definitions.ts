import { TrackerError } from "./errors.ts";
import { newId } from "./ids.ts";
import { accepted } from "./refusals.ts";
import { assertUnused } from "./rule-definitions.ts";
import type { Scope } from "./scope.ts";
import type { DefinitionOf, DefinitionRow } from "./storage/rows.ts";
import { parseEventKey, parseKey } from "./input/structs.ts";

/** Stores the definition, and resolves with the stored one. Throws `attribute_conflict`. */
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
  return accepted(stored) as DefinitionOf<Kind>;
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
