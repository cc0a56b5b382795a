import type { Storage } from "../../../lib/storage/port.ts";
import { countMembers, listMembers } from "./members.ts";
import { lockContacts, namesOnly } from "../contacts/lookup.ts";
import { toCompletion, toContact } from "../sql/rows.ts";
import * as completionSql from "../sql/completions.ts";
import { held, type Runner } from "../transactions/own.ts";

export function createBehaviour(
  runner: Runner,
  audienceTimeoutMs: number,
): Pick<Storage, "listMembers" | "countMembers" | "insertCompletion" | "findCompletions"> {
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
    async insertCompletion(draft) {
      const [exists] = await runner.write([draft], async (work, [copy]) => {
        const { workspace, externalId } = copy!;
        const [contact] = await lockContacts(work, [{ workspace, reference: { externalId } }], namesOnly);
        if (contact === held) return [held];
        if (contact) await work.write(completionSql.insertCompletion(contact.id, copy!));
        return [contact !== null];
      });
      return exists!;
    },
    findCompletions: (workspace, contactId) =>
      runner.read(async (work) => {
        return (await work.rows(completionSql.findCompletions(workspace, contactId))).map(toCompletion);
      }),
  };
}
