import { refusalOfRevocation } from "../../../lib/decisions/api-keys.ts";
import { assertNotDeleted } from "../../../lib/storage/refusals.ts";
import type { ApiKeyOwner } from "../../../lib/storage/rows.ts";
import type { ApiKeyStorage } from "../../../lib/storage/api-keys.ts";
import { createCache, isDeletedWorkspace, assertCaughtUp, writeOne } from "../transactions/index.ts";
import type { OwnRunner, Work } from "../transactions/index.ts";
import { createRateLimits } from "./rate-limits.ts";
import { definitionStatements, hex, toApiKey, toApiKeyOwner, apiKeyStatements as sql } from "../sql/index.ts";

export function createApiKeys(runner: OwnRunner, cacheSeconds: number, assertOpen: () => void): ApiKeyStorage {
  const owners = createCache<ApiKeyOwner>(cacheSeconds, async (hashes) => {
    const rows = await runner.read(async (work) => {
      const found = await work.rows(sql.findApiKeys(hashes));
      if (found.length < hashes.length) assertCaughtUp(work);
      return found;
    });
    return new Map(rows.map((row) => [hex(row.hash), toApiKeyOwner(row)]));
  });
  const limits = createRateLimits(async (apiKeyId, limit, window, n) =>
    sql.toWindowUse(await runner.insertId(sql.consume(apiKeyId, limit, window, n)), window),
  );

  return {
    async insertApiKey(row) {
      const { hash } = row;
      try {
        return await writeOne(runner, row, async (work, copy) => {
          assertNotDeleted(await isDeletedWorkspace(work, copy.workspace));
          if (work.duplicateMet || work.uncertain) {
            const [standing] = await work.rows(sql.findApiKeys([copy.hash]));
            if (standing) return work.uncertain && toApiKeyOwner(standing).id === copy.id;
          }
          await work.write(sql.insertApiKey(copy));
          return true;
        });
      } finally {
        owners.forget(hash);
      }
    },
    async findApiKey(hash) {
      assertOpen();
      const owner = await owners.get(hash);
      return owner && { ...owner };
    },
    listApiKeys: (workspace) =>
      runner.read(async (work) => (await work.rows(sql.listApiKeys(workspace))).map(toApiKey)),
    async deleteApiKey(workspace, id, options) {
      // The hash of the deleted key, by which the cache keeps it.
      let hash: string | null = null;
      try {
        return await writeOne(runner, options ?? null, async (work: Work<string>, guarded) => {
          // Revocations write the workspace's row first, so one waits for another, also on another node of a cluster.
          if (guarded) await work.write(definitionStatements.countDefinitionWrite(workspace));
          const [standing] = await work.rows(sql.findApiKeyById(workspace, id));
          if (standing) hash = toApiKey(standing).hash;
          if (standing && guarded) {
            const keys = (await work.rows(sql.listApiKeys(workspace))).map(toApiKey);
            const refusal = refusalOfRevocation(keys, id, guarded.adminKeyAt);
            if (refusal) return refusal;
          }
          // Sent even if there is no such key: `/healthz` learns by this statement whether the database accepts writes.
          const removed = await work.write(sql.deleteApiKey(workspace, id));
          if (!standing) return work.intended !== null;
          work.intend(id);
          await work.write(sql.deleteUses(id));
          return removed > 0;
        });
      } finally {
        if (hash !== null) owners.forget(hash);
        limits.forget(id);
      }
    },
    async consume(apiKeyId, limit, window, n) {
      assertOpen();
      return limits.consume(apiKeyId, limit, window, n);
    },
  };
}
