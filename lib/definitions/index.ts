import { isTrackerError, TrackerError } from "../model/errors.ts";
import { newId } from "../model/ids.ts";
import { refusingDefinitionsMaxAgeMs } from "../model/limits.ts";
import { accepted, errorOf } from "../storage/refusals.ts";
import type { Scope } from "../scope.ts";
import type { DefinitionOf, DefinitionRow } from "../storage/rows.ts";
import { parseEventKey, parseKey } from "../input/structs.ts";

/** A definition to store, without the fields that the library adds. */
export type DraftOf<Kind extends DefinitionRow["kind"]> = Kind extends unknown
  ? Pick<DefinitionOf<Kind>, "kind" | "key" | "body">
  : never;

/**
 * Stores the definition, and resolves with the stored one. Throws `attribute_conflict`. Throws `invalid_input` if the rule of an
 * audience, or the audiences of a subscription, do not fit what is defined.
 */
export async function define<Kind extends DefinitionRow["kind"]>(
  scope: Scope,
  draft: DraftOf<Kind>,
): Promise<DefinitionOf<Kind>> {
  return accepted(await scope.storage.putDefinition(toRow(scope, draft))) as DefinitionOf<Kind>;
}

/** The definition of a row whose body has no fields that only storages use. */
export function toDefinition<Body extends object>({ key, body }: { key: string; body: Body }): { key: string } & Body {
  return { key, ...structuredClone(body) };
}

/** The row to store for the draft if the storage has no row with its key. */
export function toRow<Kind extends DefinitionRow["kind"]>(
  { workspace, now }: Scope,
  draft: DraftOf<Kind>,
): DefinitionRow {
  const at = now();
  return { workspace, id: newId(at), createdAt: at, ...draft } as DefinitionRow;
}

/** The definitions of the kind as they are stored now, never from a cache: a caller may list them to check a change. */
export function listDefinitions<Kind extends DefinitionRow["kind"]>(
  { storage, workspace }: Scope,
  kind: Kind,
): Promise<DefinitionOf<Kind>[]> {
  return storage.listDefinitions(workspace, kind, { maxAgeMs: 0 });
}

/** The largest age of the definitions in a list; a few seconds if absent. */
export type ListOptions = { maxAgeMs: number } | undefined;

/**
 * Decides by definitions that may be some seconds old. If they refuse the call, decides again by definitions of at most the given
 * age, a second by default: another process may just have defined the missing one.
 */
export async function refusedAfresh<Result>(
  decide: (options: ListOptions) => Promise<Result>,
  maxAgeMs: number = refusingDefinitionsMaxAgeMs,
): Promise<Result> {
  try {
    return await decide(undefined);
  } catch (error) {
    if (!isTrackerError(error) || !refusals.has(error.code)) throw error;
    return decide({ maxAgeMs });
  }
}

const refusals: ReadonlySet<string> = new Set(["invalid_input", "definition_not_found"]);

/** Deletes the definition. Throws `definition_not_found`, and `definition_in_use` if an audience or a subscription names it. */
export async function deleteDefinition(scope: Scope, kind: DefinitionRow["kind"], input: unknown): Promise<void> {
  const key = kind === "event" ? parseEventKey(input) : parseKey(input);
  if (!(await removeDefinition(scope, kind, key))) throw notDefined(kind, key);
}

/** Resolves with `false` if there is no such definition. Throws `definition_in_use`. */
export async function removeDefinition(
  { storage, workspace }: Scope,
  kind: DefinitionRow["kind"],
  key: string,
): Promise<boolean> {
  const removed = await storage.deleteDefinition(workspace, kind, key);
  if (typeof removed === "object") throw errorOf(removed);
  return removed;
}

/** The error `definition_not_found` for a valid key. */
export function notDefined(kind: DefinitionRow["kind"], key: string): TrackerError {
  return new TrackerError("definition_not_found", {
    message: `There is no ${kind === "event" ? "event type" : kind} "${key}".`,
  });
}

/** The scope for one call that reads each list of definitions once: inside a transaction every read is a statement. */
export function readingOnce(scope: Scope): Scope {
  const lists = new Map<string, Promise<DefinitionRow[]>>();
  const { storage } = scope;
  return {
    ...scope,
    storage: {
      ...storage,
      listDefinitions(workspace, kind, options) {
        const name = JSON.stringify([workspace, kind, options]);
        const list = lists.get(name) ?? storage.listDefinitions(workspace, kind, options);
        // A list that must be fresh is not kept: the next read must not find a definition that was deleted during the call.
        if (options?.maxAgeMs !== 0) lists.set(name, list);
        return list as Promise<DefinitionOf<typeof kind>[]>;
      },
    },
  };
}
