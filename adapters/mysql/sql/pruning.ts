import type { PruneRequest } from "../../../lib/storage/rows.ts";
import { firstIdAt } from "../../../lib/model/ids.ts";
import { beyond, inOrder } from "./positions.ts";
import { hexOf, type Statement } from "./statement.ts";

export const markPruned =
  (workspace: string, before: number): Statement =>
  ({ workspaces }) => ({
    name: "markPruned",
    sql: `INSERT INTO ${workspaces} (workspace, pruned_before) VALUES (CAST(? AS BINARY), ?)
ON DUPLICATE KEY UPDATE pruned_before = GREATEST(pruned_before, VALUES(pruned_before))`,
    values: [workspace, before],
    mayChangeNothing: true,
  });

export const findPrunedBefore =
  (workspace: string): Statement =>
  ({ workspaces }) => ({
    name: "findPrunedBefore",
    sql: `SELECT pruned_before FROM ${workspaces} WHERE workspace = CAST(? AS BINARY)`,
    values: [workspace],
  });

/** Lists the next events to remove, and their contacts. A dry run leaves the contacts out, so that it reads the index alone. */
export const listPrunable =
  (workspace: string, { before, recordedBefore, after, dryRun = false }: PruneRequest, limit: number): Statement =>
  ({ events }) => {
    const position = beyond("e", after, "ASC");
    return {
      name: dryRun ? "countPrunable" : "listPrunable",
      sql: `SELECT e.id, e.created_at${dryRun ? "" : ", e.contact_id"} FROM ${events} e FORCE INDEX (by_creation)
WHERE e.workspace = CAST(? AS BINARY) AND e.created_at < ? AND e.id < UNHEX(?)${position.sql} ${inOrder("e", "ASC")} LIMIT ?`,
      values: [workspace, before, hexOf(firstIdAt(recordedBefore)), ...position.values, String(limit)],
    };
  };
