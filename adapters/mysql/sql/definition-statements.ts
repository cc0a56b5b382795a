import type { DefinitionRow } from "../../../lib/storage/rows.ts";
import { hexOf, named, plain, sqlOf, uuid } from "./fragments.ts";
import { deleteBy, query, table, type ById, type Statement } from "./statement.ts";

const columns = sqlOf("id, workspace, kind, definition_key, body, created_at");

type ReadLock = "" | "LOCK IN SHARE MODE";

export const findDefinition = (workspace: string, kind: string, key: string): Statement => query("findDefinition")`
  SELECT ${columns} FROM ${table.definitions} WHERE workspace = ${workspace} AND kind = ${kind} AND definition_key = ${key}`;

/** Reads the definitions of several lists. The name of a list is the JSON of its workspace and kind. */
export const listDefinitions = (names: readonly string[], lock: ReadLock = ""): Statement => query("listDefinitions")`
  SELECT d.id, d.workspace, d.kind, d.definition_key, d.body, d.created_at
  FROM (SELECT CAST(w AS BINARY) AS workspace, CAST(k AS BINARY) AS kind FROM JSON_TABLE(${plain(`[${names.join()}]`)}, '$[*]' COLUMNS (
    w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]', k VARCHAR(20) PATH '$[1]')) listed) named
  STRAIGHT_JOIN ${table.definitions} d FORCE INDEX (by_key) ON d.workspace = named.workspace AND d.kind = named.kind
  ORDER BY d.created_at, d.id ${sqlOf(lock)}`;

export const findAttributes = (ids: readonly string[], lock: ReadLock): Statement => query("findAttributes")`
  SELECT d.id, d.workspace FROM ${named(ids.map(hexOf), { id: "id" })}
  STRAIGHT_JOIN ${table.definitions} d FORCE INDEX (PRIMARY) ON d.id = named.id AND d.kind = CAST('attribute' AS BINARY) ${sqlOf(lock)}`;

/** Counts a write of a definition. A new row prunes no event: its `pruned_before` is the earliest time of a Date. */
export const countDefinitionWrite = (workspace: string): Statement => query("countDefinitionWrite")`
  INSERT INTO ${table.workspaces} (workspace, pruned_before, definition_writes) VALUES (${workspace}, -8640000000000000, 1)
  ON DUPLICATE KEY UPDATE definition_writes = definition_writes + 1`;

export const insertDefinition = ({ id, workspace, kind, key, body, createdAt }: DefinitionRow): Statement =>
  query("insertDefinition")`
  INSERT INTO ${table.definitions} (${columns})
  VALUES (${uuid(id)}, ${workspace}, ${kind}, ${key}, ${plain(JSON.stringify(body))}, ${createdAt})`;

/** Updates the definition only if it still equals `before`. */
export const updateDefinition = (before: DefinitionRow, after: DefinitionRow): Statement => query("updateDefinition")`
  UPDATE ${table.definitions} SET body = ${plain(JSON.stringify(after.body))}
  WHERE id = ${uuid(after.id)} AND body = ${plain(JSON.stringify(before.body))}`;

export const deleteDefinition: ById = deleteBy("deleteDefinition", "definitions", "id");
