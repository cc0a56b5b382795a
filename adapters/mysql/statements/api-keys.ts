import { clockSkewMaxMs } from "../../../lib/limits.ts";
import { wholeMinute } from "../../../lib/rate-limit.ts";
import type { ApiKeyRow, RateWindow } from "../../../lib/storage.ts";
import { hexOf, type Statement, type Tables } from "../statements.ts";

const selectFrom = ({ apiKeys, apiKeyUses }: Tables): string =>
  `SELECT k.id, k.workspace, k.name, k.prefix, k.hash, k.created_at, COALESCE(u.last_used_at, k.last_used_at) AS last_used_at
FROM ${apiKeys} k LEFT JOIN ${apiKeyUses} u ON u.api_key_id = k.id`;

export const insertApiKey =
  ({ id, workspace, name, prefix, hash, createdAt, lastUsedAt }: ApiKeyRow): Statement =>
  (tables) => ({
    sql: `INSERT INTO ${tables.apiKeys} (id, workspace, name, prefix, hash, created_at, last_used_at)
VALUES (UNHEX(?), CAST(? AS BINARY), CAST(? AS BINARY), CAST(? AS BINARY), UNHEX(?), ?, ?)`,
    values: [hexOf(id), workspace, name, prefix, hash, createdAt, lastUsedAt],
  });

/** Whose the keys are that there are of these hashes. */
export const findApiKeys =
  (hashes: readonly string[]): Statement =>
  ({ apiKeys }) => ({
    sql: `SELECT k.hash, k.id, k.workspace
FROM (SELECT UNHEX(hash) AS hash FROM JSON_TABLE(?, '$[*]' COLUMNS (hash CHAR(64) PATH '$')) listed) named
STRAIGHT_JOIN ${apiKeys} k FORCE INDEX (by_hash) ON k.hash = named.hash`,
    values: [JSON.stringify(hashes)],
  });

export const findApiKeyById =
  (workspace: string, id: string): Statement =>
  (tables) => ({
    sql: `${selectFrom(tables)} WHERE k.id = UNHEX(?) AND k.workspace = CAST(? AS BINARY)`,
    values: [hexOf(id), workspace],
  });

export const listApiKeys =
  (workspace: string): Statement =>
  (tables) => ({
    sql: `${selectFrom(tables)} WHERE k.workspace = CAST(? AS BINARY) ORDER BY k.created_at, k.id`,
    values: [workspace],
  });

export const deleteApiKey =
  (id: string): Statement =>
  (tables) => ({ sql: `DELETE FROM ${tables.apiKeys} WHERE id = UNHEX(?)`, values: [hexOf(id)] });

export const deleteUses =
  (id: string): Statement =>
  (tables) => ({
    sql: `DELETE FROM ${tables.apiKeyUses} WHERE api_key_id = UNHEX(?)`,
    values: [hexOf(id)],
  });

/**
 * A process whose clock is behind counts in the window that the others have begun: going back to the old one would forget what
 * they took. One that is far ahead was begun by a wrong clock.
 */
const isOver = "(VALUES(window_starts_at) > window_starts_at OR window_starts_at > ?)";

/** The number taken before is what LAST_INSERT_ID hands back. */
export const consume =
  (id: string, limit: number, { startsAt, now }: RateWindow, n: number): Statement =>
  (tables) => {
    const latest = now + clockSkewMaxMs;
    return {
      sql: `INSERT INTO ${tables.apiKeyUses} (api_key_id, window_starts_at, used, last_used_at)
VALUES (UNHEX(?), ?, LAST_INSERT_ID(0) + LEAST(?, ?), ?)
ON DUPLICATE KEY UPDATE
  used = GREATEST(IF(${isOver}, 0, used), LEAST(LAST_INSERT_ID(LEAST(IF(${isOver}, 0, used), ?)) + ?, ?)),
  window_starts_at = IF(${isOver}, VALUES(window_starts_at), window_starts_at), last_used_at = VALUES(last_used_at)`,
      values: [hexOf(id), startsAt, n, limit, wholeMinute(now), latest, latest, limit, n, limit, latest],
    };
  };
