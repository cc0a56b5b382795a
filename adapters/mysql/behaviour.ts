import type { Storage } from "../../lib/storage.ts";
import { lockContacts, namesOnly } from "./references.ts";
import { toCompletion, toContact } from "./rows.ts";
import * as audienceSql from "./statements/audiences.ts";
import * as completionSql from "./statements/completions.ts";
import { held, type Runner } from "./transactions.ts";

export function createBehaviour(
  runner: Runner,
): Pick<Storage, "listMembers" | "countMembers" | "insertCompletion" | "findCompletions"> {
  return {
    listMembers(workspace, condition, slice) {
      const statement = audienceSql.listMembers(workspace, structuredClone(condition), structuredClone(slice));
      return runner.read(async (work) => (await work.rows(statement)).map(toContact));
    },
    async countMembers(workspace, condition) {
      const statement = audienceSql.countMembers(workspace, structuredClone(condition));
      const [row] = await runner.read((work) => work.rows(statement));
      return Number(row!["members"]);
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
