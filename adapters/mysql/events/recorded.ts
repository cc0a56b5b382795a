import type { Storage } from "../../../lib/storage/port.ts";
import { id, toRecordedEvent, eventListStatements as sql } from "../sql/index.ts";
import type { Runner } from "../transactions/index.ts";

/** The port's method for all events of a workspace, in order of their recording. */
export function createRecorded(runner: Runner): Pick<Storage, "listRecorded"> {
  return {
    listRecorded: (workspace, after, limit) =>
      runner.read(async (work) => {
        const rows = await work.rows(sql.listRecorded(workspace, after, limit));
        const last = rows.at(-1);
        return {
          // The event of another workspace, or one deleted meanwhile, is a row without values.
          events: rows.filter((row) => row.id !== null).map(toRecordedEvent),
          next: rows.length < limit || !last ? null : id(last.listed_id),
        };
      }),
  };
}
