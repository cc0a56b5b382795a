import type { ChecklistRow, DefinitionOf, DefinitionRow, Refused, SubscriptionRow } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { toDefinition, definitionStatements as sql } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";

/** Lists the definitions of one kind. */
export type ListDefinitions = Storage["listDefinitions"];

/** The checklists of each workspace. */
export type Checklists = ReadonlyMap<string, readonly ChecklistRow[]>;

/** The parts of the definitions that decide about some events. */
export interface Defined {
  checklists: Checklists;
  /** The refusal of each draft by `refusalOfEvent`, in the order of the drafts; `null` for one that is accepted. */
  refusals: readonly (Refused | null)[];
}

/** The name of a list of definitions: the JSON of its workspace and kind. */
export function listName(workspace: string, kind: string): string {
  return JSON.stringify([workspace, kind]);
}

/** Reads the definitions from the database, not from the cache. */
export async function listDefinitions<Kind extends DefinitionRow["kind"]>(
  work: Work,
  workspace: string,
  kind: Kind,
  lock?: "" | "LOCK IN SHARE MODE",
): Promise<DefinitionOf<Kind>[]> {
  const name = listName(workspace, kind);
  // A list is found for every name.
  return (await readLists(work, [name], lock)).get(name)! as DefinitionOf<Kind>[];
}

/** Reads lists of these workspaces and kinds from the database, in one statement. */
export async function readDefinitions(
  work: Work,
  workspaces: Iterable<string>,
  kinds: readonly DefinitionRow["kind"][],
): Promise<ListDefinitions> {
  const names = Array.from(new Set(workspaces), (workspace) => kinds.map((kind) => listName(workspace, kind)));
  const lists = await readLists(work, names.flat());
  return async (workspace, kind) => (lists.get(listName(workspace, kind)) ?? []) as DefinitionOf<typeof kind>[];
}

/** Reads the subscriptions of each of these workspaces. */
export async function listSubscriptions(
  work: Work,
  workspaces: readonly string[],
  lock?: "LOCK IN SHARE MODE",
): Promise<ReadonlyMap<string, readonly SubscriptionRow[]>> {
  const found = new Map(workspaces.map((workspace): [string, SubscriptionRow[]] => [workspace, []]));
  const names = workspaces.map((workspace) => listName(workspace, "subscription"));
  const rows = names.length > 0 ? await work.rows(sql.listDefinitions(names, lock)) : [];
  for (const row of rows.map(toDefinition)) found.get(row.workspace)!.push(row as SubscriptionRow);
  return found;
}

export async function readLists(
  work: Work,
  names: readonly string[],
  lock?: "" | "LOCK IN SHARE MODE",
): Promise<Map<string, DefinitionRow[]>> {
  const lists = new Map<string, DefinitionRow[]>(names.map((name) => [name, []]));
  const rows = await work.rows(sql.listDefinitions(names, lock));
  // The rows are of the lists that were asked for.
  for (const row of rows.map(toDefinition)) lists.get(listName(row.workspace, row.kind))!.push(row);
  return lists;
}
