import type { Storage } from "../../lib/storage.ts";
import { toApiKey } from "./rows.ts";
import * as sql from "./statements/api-keys.ts";
import type { Runner } from "./transactions.ts";

type ApiKeyMethods = Pick<Storage, "insertApiKey" | "findApiKey" | "listApiKeys" | "deleteApiKey" | "consume">;

export function createApiKeys(runner: Runner): ApiKeyMethods {
  return {
    async insertApiKey(row) {
      const [inserted] = await runner.write([row], async (work, [copy]) => {
        if (work.duplicateMet || work.uncertain) {
          const [standing] = await work.rows(sql.findApiKey(copy!.hash));
          if (standing) return [work.uncertain && toApiKey(standing).id === copy!.id];
        }
        await work.write(sql.insertApiKey(copy!));
        return [true];
      });
      return inserted!;
    },
    async findApiKey(hash) {
      const [row] = await runner.read((work) => work.rows(sql.findApiKey(hash)));
      return row ? toApiKey(row) : null;
    },
    listApiKeys: (workspace) =>
      runner.read(async (work) => (await work.rows(sql.listApiKeys(workspace))).map(toApiKey)),
    async deleteApiKey(workspace, id) {
      // Whether an uncertain try was about to delete it.
      let tried = false;
      const [deleted] = await runner.write([null], async (work) => {
        const [standing] = await work.rows(sql.findApiKeyById(workspace, id));
        if (!standing) return [work.uncertain && tried];
        tried = true;
        const removed = await work.write(sql.deleteApiKey(id));
        await work.write(sql.deleteUses(id));
        return [removed > 0];
      });
      return deleted!;
    },
    consume(apiKeyId, limit, window, n) {
      const statement = sql.consume(apiKeyId, limit, window, n);
      return runner.read((work) => work.insertId(statement));
    },
  };
}
