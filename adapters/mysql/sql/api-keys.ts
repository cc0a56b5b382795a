import { wholeMinute } from "../../../lib/decisions/rate-limit.ts";
import type { ApiKeyRow, RateWindow, WindowUse } from "../../../lib/storage/rows.ts";
import { deleteBy, hexOf, type ById, type Statement, type Tables } from "./statement.ts";

const selectFrom = ({ apiKeys, apiKeyUses }: Tables): string =>
  `SELECT k.id, k.workspace, k.name, k.prefix, k.hash, k.access, k.requests_per_minute, k.expires_at, k.created_at, COALESCE(u.last_used_at, k.last_used_at) AS last_used_at
FROM ${apiKeys} k LEFT JOIN ${apiKeyUses} u ON u.api_key_id = k.id`;

export const insertApiKey =
  (row: ApiKeyRow): Statement =>
  (tables) => ({
    name: "insertApiKey",
    sql: `INSERT INTO ${tables.apiKeys}
  (id, workspace, name, prefix, hash, access, requests_per_minute, expires_at, created_at, last_used_at)
VALUES (UNHEX(?), CAST(? AS BINARY), CAST(? AS BINARY), CAST(? AS BINARY), UNHEX(?), CAST(? AS BINARY), ?, ?, ?, ?)`,
    values: [
      hexOf(row.id),
      row.workspace,
      row.name,
      row.prefix,
      row.hash,
      row.access,
      row.requestsPerMinute,
      row.expiresAt,
      row.createdAt,
      row.lastUsedAt,
    ],
  });

/** Finds the owners of the given key hashes. The keys of workspaces that are being deleted are revoked. */
export const findApiKeys =
  (hashes: readonly string[]): Statement =>
  ({ apiKeys, workspaces }) => ({
    name: "findApiKeys",
    sql: `SELECT k.hash, k.id, k.workspace, k.access, k.requests_per_minute, k.expires_at
FROM (SELECT UNHEX(hash) AS hash FROM JSON_TABLE(?, '$[*]' COLUMNS (hash CHAR(64) PATH '$')) listed) named
STRAIGHT_JOIN ${apiKeys} k FORCE INDEX (by_hash) ON k.hash = named.hash
WHERE NOT EXISTS (SELECT 1 FROM ${workspaces} w WHERE w.workspace = k.workspace AND w.deleted_at IS NOT NULL)`,
    values: [JSON.stringify(hashes)],
  });

export const findApiKeyById =
  (workspace: string, id: string): Statement =>
  (tables) => ({
    name: "findApiKeyById",
    sql: `${selectFrom(tables)} WHERE k.id = UNHEX(?) AND k.workspace = CAST(? AS BINARY)`,
    values: [hexOf(id), workspace],
  });

export const listApiKeys =
  (workspace: string): Statement =>
  (tables) => ({
    name: "listApiKeys",
    sql: `${selectFrom(tables)} WHERE k.workspace = CAST(? AS BINARY) ORDER BY k.created_at, k.id`,
    values: [workspace],
  });

export const deleteApiKey =
  (workspace: string, id: string): Statement =>
  (tables) => ({
    name: "deleteApiKey",
    sql: `DELETE FROM ${tables.apiKeys} WHERE id = UNHEX(?) AND workspace = CAST(? AS BINARY)`,
    values: [hexOf(id), workspace],
  });

/** A row for an unused id. Nobody else writes to it. */
export const insertUnused =
  (id: string): Statement =>
  ({ apiKeyUses }) => ({
    name: "insertUnused",
    sql: `INSERT INTO ${apiKeyUses} (api_key_id, window_starts_at, used, last_used_at) VALUES (UNHEX(?), 0, 0, 0)`,
    values: [hexOf(id)],
  });

export const deleteUses: ById = deleteBy("deleteUses", "apiKeyUses", "api_key_id");

/**
 * True if the stored window is an earlier one, or comes from a wrong clock. A window that begins where this process's window
 * ends comes from a faster clock, and is kept, so that its count is not lost.
 */
const isOver = "window_starts_at NOT BETWEEN ? AND ?";
const moves = `(? > 0 AND ${isOver})`;

/** The start of the window of a key without a count: earlier than every window. */
const never = Number.MIN_SAFE_INTEGER;

/** LAST_INSERT_ID returns twice the number taken before, plus 1 if taken from the next window. `toWindowUse` reads it. */
export const consume =
  (id: string, limit: number, { startsAt, endsAt, now }: RateWindow, n: number): Statement =>
  (tables) => {
    const inserted = [hexOf(id), n > 0 ? startsAt : never, n, limit, wholeMinute(now)];
    const used = [n, startsAt, endsAt, startsAt, endsAt, limit, endsAt, n, limit];
    const sql = `INSERT INTO ${tables.apiKeyUses} (api_key_id, window_starts_at, used, last_used_at)
VALUES (UNHEX(?), ?, LAST_INSERT_ID(0) + LEAST(?, ?), ?)
ON DUPLICATE KEY UPDATE
  used = GREATEST(IF(${moves}, 0, used),
    LEAST(LAST_INSERT_ID(LEAST(IF(${isOver}, 0, used), ?) * 2 + (window_starts_at = ?)) DIV 2 + ?, ?)),
  window_starts_at = IF(${moves}, VALUES(window_starts_at), window_starts_at), last_used_at = VALUES(last_used_at)`;
    return { name: "consume", sql, values: [...inserted, ...used, n, startsAt, endsAt] };
  };

export function toWindowUse(insertId: number, { startsAt, endsAt }: RateWindow): WindowUse {
  return { takenBefore: Math.floor(insertId / 2), startsAt: insertId % 2 === 1 ? endsAt : startsAt };
}
