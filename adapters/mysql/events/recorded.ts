import type { Storage } from "../../../lib/storage/port.ts";
import { readPage } from "../pages.ts";
import { id, toRecordedEvent, eventListStatements as sql } from "../sql/index.ts";
import type { Runner } from "../transactions/index.ts";

/** The port's method for all events of a workspace, in order of their recording. */
export function createRecorded(runner: Runner): Pick<Storage, "listRecorded"> {
  return {
    listRecorded(workspace, after, size) {
      const copy = structuredClone(size);
      return runner.read(async (work) => {
        const { rows, more } = await readPage(
          work,
          copy,
          // The event of another workspace, or one deleted meanwhile, is a row without values.
          (row) => ({ listedId: id(row.listed_id), event: row.id === null ? null : toRecordedEvent(row) }),
          (last, count) => sql.listRecorded(workspace, last?.listedId ?? after, count),
        );
        const events = rows.flatMap(({ event }) => event ?? []);
        // A page that others follow has a row.
        return { events, next: more ? rows.at(-1)!.listedId : null };
      });
    },
  };
}
