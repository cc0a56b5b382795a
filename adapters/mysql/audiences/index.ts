export { countOccurrences } from "./occurrences.ts";
export { listMemberIds, listNextIds } from "./windows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { countMembers, listMembers } from "./members.ts";
import * as sql from "./sql/index.ts";
import { toSummary } from "../sql/index.ts";
import { readOne, type Runner } from "../transactions/index.ts";

export function createAudiences(
  runner: Runner,
  audienceTimeoutMs: number,
): Pick<Storage, "summarizeEvents" | "listMembers" | "countMembers"> {
  return {
    summarizeEvents(workspace, contactId, test) {
      const { eventKey } = test;
      const statement = sql.summarizeEvents(workspace, contactId, structuredClone(test));
      return runner.read(async (work) => {
        const [row] = await work.rows(statement);
        // COUNT returns one row.
        return Number(row!.event_count) === 0 ? null : toSummary({ ...row!, event_key: eventKey });
      }, audienceTimeoutMs);
    },
    listMembers(workspace, condition, slice) {
      const [asked, copy] = structuredClone([condition, slice] as const);
      return runner.read((work) => listMembers(work, workspace, asked, copy), audienceTimeoutMs);
    },
    countMembers: (workspace, condition) =>
      readOne(runner, condition, (work, copy) => countMembers(work, workspace, copy), audienceTimeoutMs),
  };
}
