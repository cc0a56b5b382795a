import assert from "node:assert/strict";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { removeAll } from "../../../adapters/storage-contract/workspaces/deletion.ts";
import { query } from "../../support/queries.ts";
import { emptying, workspaces } from "./calls.ts";
import { createLog } from "./log.ts";

/**
 * Ends the deletions that were interrupted, and deletes one workspace more. Must be called when no call is under way: the
 * deletions do not wait for other processes, and their numbers are those of all rows.
 */
export async function emptyWorkspaces(url: string, log: string): Promise<void> {
  const note = createLog(log);
  const storage = mysqlStorage(url);
  try {
    const marked = (await storage.listWorkspaces()).filter(({ deletedAt }) => deletedAt !== null);
    for (const workspace of new Set([workspaces[0]!, ...marked.map(({ name }) => name)])) {
      const counts = ["contacts", "events", "definitions", "api_keys"].map((table) => {
        return `(SELECT COUNT(*) FROM whodid_${table} WHERE workspace = '${workspace}') AS ${table}`;
      });
      const [expected] = await query(url, `SELECT ${counts.join(", ")}`);
      const id = `${emptying}.${workspace}`;
      note({ id, call: { do: "deleteWorkspace", steps: [], workspace } });
      await storage.markDeleted(workspace, Date.now());
      const { apiKeys, ...removed } = await removeAll(storage, workspace);
      note({ id, ok: null });
      assert.deepEqual({ ...removed, api_keys: apiKeys }, { ...expected }, `the receipt of ${workspace}`);
    }
  } finally {
    await storage.close();
  }
}
