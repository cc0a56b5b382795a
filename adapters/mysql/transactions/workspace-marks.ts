import { text, workspaceStatements, type MarkLock } from "../sql/index.ts";
import type { Work } from "./work.ts";

/** Reads which of the workspaces (at least one) are marked as deleted. `clock` is the database's time just before, in milliseconds. */
export async function readMarks(
  work: Work,
  workspaces: readonly string[],
  lock: MarkLock = "",
): Promise<{ deleted: ReadonlySet<string>; clock: number }> {
  const rows = await work.rows(workspaceStatements.readMarks(workspaces, lock));
  const deleted = rows.filter((row) => row.deleted_at !== null).map((row) => text(row.workspace));
  // There is one row for each workspace.
  return { deleted: new Set(deleted), clock: Number(rows[0]!.clock) };
}

export async function isDeletedWorkspace(work: Work, workspace: string, lock?: MarkLock): Promise<boolean> {
  return (await readMarks(work, [workspace], lock)).deleted.has(workspace);
}
