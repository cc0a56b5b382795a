import type { PruneRequest } from "../../../lib/storage/rows.ts";
import { firstIdAt } from "../../../lib/model/ids.ts";
import { integer, sqlOf, uuid } from "./fragments.ts";
import { beyond, inOrder } from "./positions.ts";
import { query, table, type Statement } from "./statement.ts";

export const markPruned = (workspace: string, before: number): Statement =>
  query("markPruned", { mayChangeNothing: true })`
  INSERT INTO ${table.workspaces} (workspace, pruned_before) VALUES (${workspace}, ${before})
  ON DUPLICATE KEY UPDATE pruned_before = GREATEST(pruned_before, VALUES(pruned_before))`;

export const findPrunedBefore = (workspace: string): Statement => query("findPrunedBefore")`
  SELECT pruned_before FROM ${table.workspaces} WHERE workspace = ${workspace}`;

/** Lists the next events to remove, and their contacts. A dry run leaves the contacts out, so that it reads the index alone. */
export const listPrunable = (
  workspace: string,
  { before, recordedBefore, after, dryRun = false }: PruneRequest,
  limit: number,
): Statement => query(dryRun ? "countPrunable" : "listPrunable")`
  SELECT e.id, e.created_at${sqlOf(dryRun ? "" : ", e.contact_id")} FROM ${table.events} e FORCE INDEX (by_creation)
  WHERE e.workspace = ${workspace} AND e.created_at < ${before} AND e.id < ${uuid(firstIdAt(recordedBefore))}
    ${beyond("e", after, "ASC")} ${inOrder("e", "ASC")} LIMIT ${integer(limit)}`;
