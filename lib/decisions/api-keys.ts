import type { ApiKeyRow, Refused } from "../storage/rows.ts";

/** Whether the key is not expired and may do everything. */
export function isValidAdmin({ access, expiresAt }: ApiKeyRow, now: number): boolean {
  return access === "admin" && (expiresAt === null || expiresAt > now);
}

/**
 * Returns the refusal `last_admin_key` if the id is that of the only valid admin key, or of the only admin key that never
 * expires; otherwise `null`. `keys` are all API keys of the workspace. An expired key is not valid, and can always be revoked.
 */
export function refusalOfRevocation(keys: readonly ApiKeyRow[], id: string, now: number): Refused | null {
  const valid = keys.filter((key) => isValidAdmin(key, now));
  const lasting = valid.filter(({ expiresAt }) => expiresAt === null);
  const isLast = [valid, lasting].some((list) => list.length === 1 && list[0]!.id === id);
  return isLast ? { refused: { code: "last_admin_key" } } : null;
}
