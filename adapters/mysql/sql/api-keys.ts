import { wholeMinute } from "../../../lib/decisions/rate-limit.ts";
import type { ApiKeyRow, RateWindow, WindowUse } from "../../../lib/storage/rows.ts";
import { bytes, fragment, named, plain, uuid } from "./fragments.ts";
import { deleteBy, query, table, template, type ById, type Statement } from "./statement.ts";

const selected = template`
  SELECT k.id, k.workspace, k.name, k.prefix, k.hash, k.access, k.requests_per_minute, k.expires_at, k.created_at,
    COALESCE(u.last_used_at, k.last_used_at) AS last_used_at
  FROM ${table.apiKeys} k LEFT JOIN ${table.apiKeyUses} u ON u.api_key_id = k.id`;

export const insertApiKey = (row: ApiKeyRow): Statement => query("insertApiKey")`
  INSERT INTO ${table.apiKeys}
    (id, workspace, name, prefix, hash, access, requests_per_minute, expires_at, created_at, last_used_at)
  VALUES (${uuid(row.id)}, ${row.workspace}, ${row.name}, ${row.prefix}, ${bytes(row.hash)}, ${row.access},
    ${plain(row.requestsPerMinute)}, ${plain(row.expiresAt)}, ${row.createdAt}, ${plain(row.lastUsedAt)})`;

/** Finds the owners of the given key hashes. The keys of workspaces that are being deleted are revoked. */
export const findApiKeys = (hashes: readonly string[]): Statement => query("findApiKeys")`
  SELECT k.hash, k.id, k.workspace, k.access, k.requests_per_minute, k.expires_at
  FROM ${named(hashes, { hash: "hash" })} STRAIGHT_JOIN ${table.apiKeys} k FORCE INDEX (by_hash) ON k.hash = named.hash
  WHERE NOT EXISTS (SELECT 1 FROM ${table.workspaces} w WHERE w.workspace = k.workspace AND w.deleted_at IS NOT NULL)`;

export const findApiKeyById = (workspace: string, id: string): Statement => query("findApiKeyById")`
  ${selected} WHERE k.id = ${uuid(id)} AND k.workspace = ${workspace}`;

export const listApiKeys = (workspace: string): Statement => query("listApiKeys")`
  ${selected} WHERE k.workspace = ${workspace} ORDER BY k.created_at, k.id`;

export const deleteApiKey = (workspace: string, id: string): Statement => query("deleteApiKey")`
  DELETE FROM ${table.apiKeys} WHERE id = ${uuid(id)} AND workspace = ${workspace}`;

/** A row for an unused id. Nobody else writes to it. */
export const insertUnused = (id: string): Statement => query("insertUnused")`
  INSERT INTO ${table.apiKeyUses} (api_key_id, window_starts_at, used, last_used_at) VALUES (${uuid(id)}, 0, 0, 0)`;

export const deleteUses: ById = deleteBy("deleteUses", "apiKeyUses", "api_key_id");

/** The start of the window of a key without a count: earlier than every window. */
const never = Number.MIN_SAFE_INTEGER;

/** LAST_INSERT_ID returns twice the number taken before, plus 1 if taken from the next window. `toWindowUse` reads it. */
export function consume(id: string, limit: number, { startsAt, endsAt, now }: RateWindow, n: number): Statement {
  // True if the stored window is an earlier one, or comes from a wrong clock. A window that begins where this process's window
  // ends comes from a faster clock, and is kept, so that its count is not lost.
  const isOver = fragment`window_starts_at NOT BETWEEN ${startsAt} AND ${endsAt}`;
  const moves = fragment`(${n} > 0 AND ${isOver})`;
  return query("consume")`
  INSERT INTO ${table.apiKeyUses} (api_key_id, window_starts_at, used, last_used_at)
  VALUES (${uuid(id)}, ${n > 0 ? startsAt : never}, LAST_INSERT_ID(0) + LEAST(${n}, ${limit}), ${wholeMinute(now)})
  ON DUPLICATE KEY UPDATE
    used = GREATEST(IF(${moves}, 0, used),
      LEAST(LAST_INSERT_ID(LEAST(IF(${isOver}, 0, used), ${limit}) * 2 + (window_starts_at = ${endsAt})) DIV 2 + ${n}, ${limit})),
    window_starts_at = IF(${moves}, VALUES(window_starts_at), window_starts_at), last_used_at = VALUES(last_used_at)`;
}

export function toWindowUse(insertId: number, { startsAt, endsAt }: RateWindow): WindowUse {
  return { takenBefore: Math.floor(insertId / 2), startsAt: insertId % 2 === 1 ? endsAt : startsAt };
}
