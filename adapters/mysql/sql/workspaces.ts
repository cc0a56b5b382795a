/** The mark of deleted workspaces, and the removal of their rows. */
import { clockBackMs, longestCallMs } from "../limits.ts";
import { hexOf, type Fragment, type Statement, type Tables } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

export const listWorkspaces: Statement = ({ contacts, definitions, apiKeys, workspaces }) => ({
  name: "listWorkspaces",
  sql: `SELECT named.workspace, w.deleted_at
FROM (SELECT DISTINCT workspace FROM ${contacts} UNION SELECT DISTINCT workspace FROM ${definitions}
  UNION SELECT DISTINCT workspace FROM ${apiKeys}
  UNION SELECT workspace FROM ${workspaces} WHERE deleted_at IS NOT NULL OR pruned_before > -8640000000000000) named
LEFT JOIN ${workspaces} w ON w.workspace = named.workspace ORDER BY named.workspace`,
  values: [],
});

export const markDeleted =
  (workspace: string, at: number): Statement =>
  ({ workspaces }) => ({
    name: "markDeleted",
    sql: `INSERT INTO ${workspaces} (workspace, pruned_before, deleted_at) VALUES (CAST(? AS BINARY), -8640000000000000, ?)
ON DUPLICATE KEY UPDATE deleted_at = COALESCE(deleted_at, VALUES(deleted_at))`,
    values: [workspace, at],
    mayChangeNothing: true,
  });

export type MarkLock = "" | "FOR UPDATE" | "LOCK IN SHARE MODE";

/** Reads the mark of each of the workspaces, and the clock. */
export const readMarks =
  (named: readonly string[], lock: MarkLock): Statement =>
  ({ workspaces }) => ({
    name: "readMarks",
    sql: `SELECT named.workspace, w.deleted_at, ${milliseconds} AS clock
FROM (SELECT CAST(w AS BINARY) AS workspace FROM JSON_TABLE(?, '$[*]' COLUMNS (w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$')) listed) named
LEFT JOIN ${workspaces} w FORCE INDEX (PRIMARY) ON w.workspace = named.workspace ${lock}`,
    values: [JSON.stringify(named)],
  });

/**
 * A condition that is true if the clock is at most `longestCallMs` after each of these times, and at most `clockBackMs` before it.
 * Otherwise the statement fails with error 1690 in every `sql_mode`, because 0 has no cotangent.
 */
export function guardOf(clocks: readonly number[]): Fragment {
  return {
    sql: `IF(${milliseconds} BETWEEN ? AND ?, 1, COT(0))`,
    values: [Math.max(...clocks) - clockBackMs, Math.min(...clocks) + longestCallMs],
  };
}

/** Locks the next contacts. Waits for contacts that open transactions have written or created. */
export const lockContacts =
  (workspace: string, after: string | null, limit: number): Statement =>
  ({ contacts }) => ({
    name: "lockContacts",
    sql: `SELECT id FROM ${contacts} FORCE INDEX (by_id)
WHERE workspace = CAST(? AS BINARY)${after === null ? "" : " AND id > UNHEX(?)"} ORDER BY id LIMIT ? FOR UPDATE`,
    values: [workspace, ...(after === null ? [] : [hexOf(after)]), String(limit)],
  });

const listed = "(SELECT UNHEX(id) AS id FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed) named";

export const listEventsOf =
  (contactIds: readonly string[], limit: number): Statement =>
  ({ events }) => ({
    name: "listEventsOf",
    sql: `SELECT e.id FROM ${listed} STRAIGHT_JOIN ${events} e FORCE INDEX (by_contact) ON e.contact_id = named.id LIMIT ?`,
    values: [JSON.stringify(contactIds.map(hexOf)), String(limit)],
  });

/** The tables with rows of contacts, beside their events, and the index that finds these rows. The contacts come last. */
const ofContacts: readonly (readonly [table: keyof Tables, column: string, index: string])[] = [
  ["summaries", "contact_id", "by_contact"],
  ["completions", "contact_id", "PRIMARY"],
  ["dismissals", "contact_id", "PRIMARY"],
  ["memberships", "contact_id", "by_contact"],
  ["contacts", "id", "PRIMARY"],
];

/** The statements that remove contacts without events. */
export const deleteContacts = (contactIds: readonly string[]): Statement[] =>
  ofContacts.map(([table, column, index]) => (tables) => ({
    name: `deleteContacts:${table}`,
    sql: `DELETE t FROM ${listed} STRAIGHT_JOIN ${tables[table]} t FORCE INDEX (${index}) ON t.${column} = named.id`,
    values: [JSON.stringify(contactIds.map(hexOf))],
  }));

export const deleteChangesOf =
  (workspace: string, limit: number): Statement =>
  ({ changes }) => ({
    name: "deleteChangesOf",
    sql: `DELETE FROM ${changes} WHERE workspace = CAST(? AS BINARY) ORDER BY position LIMIT ?`,
    values: [workspace, String(limit)],
  });

/** Lists the watches, also those that have ended. */
export const listAllWatches =
  (workspace: string): Statement =>
  ({ watches }) => ({
    name: "listAllWatches",
    sql: `SELECT id FROM ${watches} FORCE INDEX (by_workspace) WHERE workspace = CAST(? AS BINARY) FOR UPDATE`,
    values: [workspace],
  });

export const deleteMembers =
  (watchId: string, limit: number): Statement =>
  ({ memberships }) => ({
    name: "deleteMembers",
    sql: `DELETE FROM ${memberships} WHERE watch_id = UNHEX(?) ORDER BY contact_id LIMIT ?`,
    values: [hexOf(watchId), String(limit)],
  });

export const deleteUsesOf =
  (workspace: string): Statement =>
  ({ apiKeys, apiKeyUses }) => ({
    name: "deleteUsesOf",
    sql: `DELETE u FROM ${apiKeys} k STRAIGHT_JOIN ${apiKeyUses} u ON u.api_key_id = k.id WHERE k.workspace = CAST(? AS BINARY)`,
    values: [workspace],
  });

/** Removes the rows of a table that has a column for the workspace. */
export const deleteAll =
  (table: "definitions" | "apiKeys" | "workspaces", workspace: string): Statement =>
  (tables) => ({
    name: `deleteAll:${table}`,
    sql: `DELETE FROM ${tables[table]} WHERE workspace = CAST(? AS BINARY)`,
    values: [workspace],
  });
