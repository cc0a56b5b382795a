import type { Storage } from "../../../lib/storage/port.ts";
import { toEventUsage, eventStatements as sql } from "../sql/index.ts";
import type { Runner } from "../transactions/index.ts";

/** The port's method for what all contacts did. It may have to read every summary of a workspace, as an audience does. */
export function createUsage(runner: Runner, timeoutMs: number): Pick<Storage, "listEventUsage"> {
  return {
    listEventUsage: (workspace, after, limit) =>
      runner.read(
        async (work) => (await work.rows(sql.listEventUsage(workspace, after, limit))).map(toEventUsage),
        timeoutMs,
      ),
  };
}
