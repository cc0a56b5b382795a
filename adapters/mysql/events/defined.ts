import { isOfThePast, refusalOfEvent } from "../../../lib/decisions/event-types.ts";
import { refusingDefinitionsMaxAgeMs } from "../../../lib/model/limits.ts";
import type { EventDraft, EventTypeRow, Refused } from "../../../lib/storage/rows.ts";
import { readDefinitions, type Defined, type ListDefinitions } from "../definitions/index.ts";
import type { Work } from "../transactions/index.ts";
import { findPrunedBefore } from "./pruning.ts";

/**
 * Finds the definitions that decide about the drafts. For events of the past, also finds the earliest time for which their
 * workspace keeps events. Before it refuses a draft, it decides again by event types that are at most a second old.
 */
export async function findDefined(
  drafts: readonly EventDraft[],
  list: ListDefinitions,
  prunedBeforeOf: (workspace: string) => Promise<number | null>,
): Promise<Defined> {
  const prunedBefore = await byWorkspace(drafts.filter(isOfThePast), prunedBeforeOf);
  // Concurrently, so that one statement reads all lists that are not cached.
  const [checklists, types] = await Promise.all([
    byWorkspace(drafts, (workspace) => list(workspace, "checklist")),
    byWorkspace(drafts, (workspace) => list(workspace, "event")),
  ]);
  const refusals = refusalsOf(drafts, types, prunedBefore);
  const refused = drafts.filter((_, index) => refusals[index] !== null);
  if (refused.length === 0) return { checklists, refusals };
  const maxAgeMs = refusingDefinitionsMaxAgeMs;
  const recent = await byWorkspace(refused, (workspace) => list(workspace, "event", { maxAgeMs }));
  return { checklists, refusals: refusalsOf(drafts, new Map([...types, ...recent]), prunedBefore) };
}

/** Finds the definitions in a caller's transaction, with one statement for all lists. */
export async function findDefinedInside(work: Work, drafts: readonly EventDraft[]): Promise<Defined> {
  const workspaces = drafts.map(({ workspace }) => workspace);
  const list = await readDefinitions(work, workspaces, ["checklist", "event"]);
  return findDefined(drafts, list, (workspace) => findPrunedBefore(work, workspace));
}

function refusalsOf(
  drafts: readonly EventDraft[],
  types: ReadonlyMap<string, readonly EventTypeRow[]>,
  prunedBefore: ReadonlyMap<string, number | null>,
): (Refused | null)[] {
  return drafts.map((draft) => {
    const { workspace } = draft;
    return refusalOfEvent(types.get(workspace) ?? [], prunedBefore.get(workspace) ?? null, draft);
  });
}

async function byWorkspace<Rows>(
  drafts: readonly EventDraft[],
  find: (workspace: string) => Promise<Rows>,
): Promise<Map<string, Rows>> {
  const workspaces = [...new Set(drafts.map(({ workspace }) => workspace))];
  const found = await Promise.all(workspaces.map(find));
  // There is one result for each workspace.
  return new Map(workspaces.map((workspace, index) => [workspace, found[index]!]));
}
