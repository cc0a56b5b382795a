/** Lists and deletes workspaces. */
import { setTimeout as sleep } from "node:timers/promises";
import { issue } from "./model/errors.ts";
import { parse, refuse } from "./input/shapes.ts";
import { workspaceNameStruct } from "./input/structs.ts";
import { formatTime } from "./model/times.ts";
import type { Scope } from "./scope.ts";
import type { RemovedRows } from "./storage/workspaces.ts";

/** A workspace. `deletedAt` is the time when its deletion began, `null` if none has begun. */
export interface ListedWorkspace {
  name: string;
  deletedAt: string | null;
}

/** The number of rows that a call has removed. */
export type WorkspaceDeletion = Pick<RemovedRows, "contacts" | "events" | "definitions" | "apiKeys"> & {
  workspace: string;
};

export async function listWorkspaces({ storage }: Pick<Scope, "storage">): Promise<ListedWorkspace[]> {
  const rows = await storage.listWorkspaces();
  return rows.map(({ name, deletedAt }) => ({ name, deletedAt: deletedAt === null ? null : formatTime(deletedAt) }));
}

/** Marks the workspace, removes its contacts, waits until every process knows the mark, and removes what is left. */
export async function deleteWorkspace(
  { storage, now, closed }: Pick<Scope, "storage" | "now" | "closed">,
  input: unknown,
): Promise<WorkspaceDeletion> {
  const { name } = parse({ name: input }, workspaceNameStruct);
  if (name === "default") refuse([issue("name", "out_of_range", "The workspace `default` cannot be deleted.")]);
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: closed }).catch(() => {});
  const { settleMs } = await storage.markDeleted(name, now());
  const settlesAt = performance.now() + settleMs;
  const receipt: WorkspaceDeletion = { workspace: name, contacts: 0, events: 0, definitions: 0, apiKeys: 0 };
  for (let after: string | null = null; ;) {
    const begun = performance.now();
    const { next, done, ...removed } = await storage.removeRows(name, { after, settled: begun >= settlesAt });
    for (const [kind, count] of Object.entries(removed)) receipt[kind as keyof typeof removed] += count;
    if (done) return receipt;
    after = next;
    // Pauses as long as the step took, which leaves half of the database's time to other calls.
    await pause(next === null ? Math.max(0, settlesAt - performance.now()) : performance.now() - begun);
  }
}
