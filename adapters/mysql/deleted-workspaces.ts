import { text, workspaceStatements } from "./sql/index.ts";
import type { Work } from "./transactions/index.ts";

/** Finds which of the workspaces are marked as deleted. */
export async function findDeleted(work: Work, workspaces: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = workspaces.length > 0 ? await work.rows(workspaceStatements.findDeleted(workspaces)) : [];
  return new Set(rows.map((row) => text(row.workspace)));
}

export async function isDeletedWorkspace(work: Work, workspace: string): Promise<boolean> {
  return (await findDeleted(work, [workspace])).has(workspace);
}
