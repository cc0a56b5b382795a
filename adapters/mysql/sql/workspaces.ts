/** The mark of deleted workspaces, and the removal of their rows. */
import { clockBackMs, longestCallMs } from "../limits.ts";
import { fragment, hexOf, integer, named, sqlOf, uuid, type Fragment } from "./fragments.ts";
import { query, table, type Statement, type Tables } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

export const listWorkspaces: Statement = query("listWorkspaces")`
  SELECT named.workspace, w.deleted_at
  FROM (SELECT DISTINCT workspace FROM ${table.contacts} UNION SELECT DISTINCT workspace FROM ${table.definitions}
    UNION SELECT DISTINCT workspace FROM ${table.apiKeys}
    UNION SELECT workspace FROM ${table.workspaces} WHERE deleted_at IS NOT NULL OR pruned_before > -8640000000000000) named
  LEFT JOIN ${table.workspaces} w ON w.workspace = named.workspace ORDER BY named.workspace`;

export const markDeleted = (workspace: string, at: number): Statement =>
  query("markDeleted", { mayChangeNothing: true })`
  INSERT INTO ${table.workspaces} (workspace, pruned_before, deleted_at) VALUES (${workspace}, -8640000000000000, ${at})
  ON DUPLICATE KEY UPDATE deleted_at = COALESCE(deleted_at, VALUES(deleted_at))`;

export type MarkLock = "" | "FOR UPDATE" | "LOCK IN SHARE MODE";

const clock = sqlOf(milliseconds);

/** Reads the mark of each of the workspaces, and the clock. */
export const readMarks = (workspaces: readonly string[], lock: MarkLock): Statement => query("readMarks")`
  SELECT named.workspace, w.deleted_at, ${clock} AS clock FROM ${named(workspaces, { workspace: "workspace" })}
  LEFT JOIN ${table.workspaces} w FORCE INDEX (PRIMARY) ON w.workspace = named.workspace ${sqlOf(lock)}`;

/**
 * A condition that is true if the clock is at most `longestCallMs` after each of these times, and at most `clockBackMs` before it.
 * Otherwise the statement fails with error 1690 in every `sql_mode`, because 0 has no cotangent.
 */
export function guardOf(clocks: readonly number[]): Fragment {
  const [from, to] = [Math.max(...clocks) - clockBackMs, Math.min(...clocks) + longestCallMs];
  return fragment`IF(${clock} BETWEEN ${from} AND ${to}, 1, COT(0))`;
}

/** Locks the next contacts. Waits for contacts that open transactions have written or created. */
export const lockContacts = (workspace: string, after: string | null, limit: number): Statement =>
  query("lockContacts")`
  SELECT id FROM ${table.contacts} FORCE INDEX (by_id)
  WHERE workspace = ${workspace}${after === null ? sqlOf("") : fragment` AND id > ${uuid(after)}`}
  ORDER BY id LIMIT ${integer(limit)} FOR UPDATE`;

const idsNamed = (ids: readonly string[]): Fragment => named(ids.map(hexOf), { id: "id" });

export const listEventsOf = (contactIds: readonly string[], limit: number): Statement => query("listEventsOf")`
  SELECT e.id FROM ${idsNamed(contactIds)}
  STRAIGHT_JOIN ${table.events} e FORCE INDEX (by_contact) ON e.contact_id = named.id LIMIT ${integer(limit)}`;

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
  ofContacts.map(
    ([name, column, index]) => query(`deleteContacts:${name}`)`
  DELETE t FROM ${idsNamed(contactIds)}
  STRAIGHT_JOIN ${table[name]} t FORCE INDEX (${sqlOf(index)}) ON ${sqlOf(`t.${column}`)} = named.id`,
  );

export const deleteChangesOf = (workspace: string, limit: number): Statement => query("deleteChangesOf")`
  DELETE FROM ${table.changes} WHERE workspace = ${workspace} ORDER BY position LIMIT ${integer(limit)}`;

/** Lists the watches, also those that have ended. */
export const listAllWatches = (workspace: string): Statement => query("listAllWatches")`
  SELECT id FROM ${table.watches} FORCE INDEX (by_workspace) WHERE workspace = ${workspace} FOR UPDATE`;

export const deleteUsesOf = (workspace: string): Statement => query("deleteUsesOf")`
  DELETE u FROM ${table.apiKeys} k STRAIGHT_JOIN ${table.apiKeyUses} u ON u.api_key_id = k.id WHERE k.workspace = ${workspace}`;

/** Removes the rows of a table that has a column for the workspace. */
export const deleteAll = (name: "definitions" | "apiKeys" | "workspaces", workspace: string): Statement =>
  query(`deleteAll:${name}`)`DELETE FROM ${table[name]} WHERE workspace = ${workspace}`;
