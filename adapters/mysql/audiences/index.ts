export { listMemberIds, listNextIds } from "./windows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { countMembers, listMembers } from "./members.ts";
import { toContact } from "../sql/index.ts";
import type { Runner } from "../transactions/index.ts";

export function createAudiences(
  runner: Runner,
  audienceTimeoutMs: number,
): Pick<Storage, "listMembers" | "countMembers"> {
  return {
    listMembers(workspace, condition, slice) {
      const asked = structuredClone(condition);
      const { limit, after } = slice;
      const page = { after: after?.id ?? null, limit };
      return runner.read(
        async (work) => (await listMembers(work, workspace, asked, page)).map(toContact),
        audienceTimeoutMs,
      );
    },
    countMembers(workspace, condition) {
      const asked = structuredClone(condition);
      return runner.read((work) => countMembers(work, workspace, asked), audienceTimeoutMs);
    },
  };
}
