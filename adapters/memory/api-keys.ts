import { refusalOfRevocation } from "../../lib/decisions/api-keys.ts";
import { assertNotDeleted } from "../../lib/storage/refusals.ts";
import { wholeMinute } from "../../lib/decisions/rate-limit.ts";
import type { ApiKeyRow } from "../../lib/storage/rows.ts";
import type { ApiKeyStorage } from "../../lib/storage/api-keys.ts";
import { compare } from "./order.ts";
import { assertNotClosed, type State } from "./view.ts";

export function createApiKeys(state: State): ApiKeyStorage & { workspacesOfKeys(): Iterable<string> } {
  const keys = { byHash: new Map<string, ApiKeyRow>(), byId: new Map<string, ApiKeyRow>() };
  const open = (): typeof keys => {
    assertNotClosed(state);
    return keys;
  };
  const used = new Map<string, { startsAt: number; count: number }>();
  return {
    workspacesOfKeys: () => Array.from(keys.byId.values(), ({ workspace }) => workspace),
    async insertApiKey(row) {
      const { byHash, byId } = open();
      assertNotDeleted(state.deletedAt.has(row.workspace));
      if (byHash.has(row.hash)) return false;
      const stored = { ...row };
      byHash.set(row.hash, stored);
      byId.set(row.id, stored);
      return true;
    },
    async findApiKey(hash) {
      const row = open().byHash.get(hash);
      if (!row || state.deletedAt.has(row.workspace)) return null;
      const { id, workspace, access, requestsPerMinute, expiresAt } = row;
      return { id, workspace, access, requestsPerMinute, expiresAt };
    },
    async listApiKeys(workspace) {
      return [...open().byHash.values()]
        .filter((row) => row.workspace === workspace)
        .sort(compare)
        .map((row) => ({ ...row }));
    },
    async deleteApiKey(workspace, id, options) {
      const { byHash, byId } = open();
      const row = byId.get(id);
      if (row?.workspace !== workspace) return false;
      const own = [...byId.values()].filter((other) => other.workspace === workspace);
      const refusal = options ? refusalOfRevocation(own, id, options.adminKeyAt) : null;
      if (refusal) return refusal;
      byId.delete(id);
      byHash.delete(row.hash);
      used.delete(id);
      return true;
    },
    async consume(apiKeyId, limit, { startsAt, endsAt, now }, n) {
      const row = open().byId.get(apiKeyId);
      if (row) row.lastUsedAt = wholeMinute(now);
      const known = used.get(apiKeyId);
      // A fast clock may have begun the next window. Requests then count in that window, so that its count is not lost.
      const goesOn = known !== undefined && known.startsAt >= startsAt && known.startsAt <= endsAt;
      const window = goesOn ? known : { startsAt, count: 0 };
      const takenBefore = Math.min(window.count, limit);
      const count = Math.max(window.count, Math.min(takenBefore + n, limit));
      if (n > 0) used.set(apiKeyId, { startsAt: window.startsAt, count });
      return { takenBefore, startsAt: window.startsAt === endsAt ? endsAt : startsAt };
    },
  };
}
