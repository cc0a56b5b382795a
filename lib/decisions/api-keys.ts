import type { ApiKeyRow, Refused } from "../storage/rows.ts";

/**
 * The refusal `last_admin_key` if no admin key is valid at this time without the key with this id; otherwise `null`. `keys` are
 * all API keys of the workspace. An expired key is not valid, and can always be revoked.
 */
export function refusalOfRevocation(keys: readonly ApiKeyRow[], id: string, now: number): Refused | null {
  const valid = keys.filter(({ access, expiresAt }) => access === "admin" && (expiresAt === null || expiresAt > now));
  return valid.length === 1 && valid[0]?.id === id ? { refused: { code: "last_admin_key" } } : null;
}
