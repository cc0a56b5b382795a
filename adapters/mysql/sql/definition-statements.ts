import type { DefinitionRow } from "../../../lib/storage/rows.ts";
import { deleteBy, hexOf, type ById, type Statement } from "./statement.ts";

const columns = "id, workspace, kind, definition_key, body, created_at";

export const findDefinition =
  (workspace: string, kind: string, key: string): Statement =>
  (tables) => ({
    name: "findDefinition",
    sql: `SELECT ${columns} FROM ${tables.definitions}
WHERE workspace = CAST(? AS BINARY) AND kind = CAST(? AS BINARY) AND definition_key = CAST(? AS BINARY)`,
    values: [workspace, kind, key],
  });

/** Reads the definitions of several lists. The name of a list is the JSON of its workspace and kind. */
export const listDefinitions =
  (names: readonly string[], lock: "" | "LOCK IN SHARE MODE" = ""): Statement =>
  ({ definitions }) => ({
    name: "listDefinitions",
    sql: `SELECT d.id, d.workspace, d.kind, d.definition_key, d.body, d.created_at
FROM (SELECT CAST(w AS BINARY) AS workspace, CAST(k AS BINARY) AS kind
  FROM JSON_TABLE(?, '$[*]' COLUMNS (w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]', k VARCHAR(20) PATH '$[1]')) listed) named
STRAIGHT_JOIN ${definitions} d FORCE INDEX (by_key) ON d.workspace = named.workspace AND d.kind = named.kind
ORDER BY d.created_at, d.id ${lock}`,
    values: [`[${names.join()}]`],
  });

export const findAttributes =
  (ids: readonly string[], lock: "" | "LOCK IN SHARE MODE"): Statement =>
  ({ definitions }) => ({
    name: "findAttributes",
    sql: `SELECT d.id, d.workspace
FROM (SELECT UNHEX(id) AS id FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed) named
STRAIGHT_JOIN ${definitions} d FORCE INDEX (PRIMARY) ON d.id = named.id AND d.kind = CAST('attribute' AS BINARY) ${lock}`,
    values: [JSON.stringify(ids.map(hexOf))],
  });

/** Counts a write of a definition. A new row prunes no event: its `pruned_before` is the earliest time of a Date. */
export const countDefinitionWrite =
  (workspace: string): Statement =>
  ({ workspaces }) => ({
    name: "countDefinitionWrite",
    sql: `INSERT INTO ${workspaces} (workspace, pruned_before, definition_writes) VALUES (CAST(? AS BINARY), -8640000000000000, 1)
ON DUPLICATE KEY UPDATE definition_writes = definition_writes + 1`,
    values: [workspace],
  });

export const insertDefinition =
  ({ id, workspace, kind, key, body, createdAt }: DefinitionRow): Statement =>
  (tables) => ({
    name: "insertDefinition",
    sql: `INSERT INTO ${tables.definitions} (${columns})
VALUES (UNHEX(?), CAST(? AS BINARY), CAST(? AS BINARY), CAST(? AS BINARY), ?, ?)`,
    values: [hexOf(id), workspace, kind, key, JSON.stringify(body), createdAt],
  });

/** Updates the definition only if it still equals `before`. */
export const updateDefinition =
  (before: DefinitionRow, after: DefinitionRow): Statement =>
  (tables) => ({
    name: "updateDefinition",
    sql: `UPDATE ${tables.definitions} SET body = ? WHERE id = UNHEX(?) AND body = ?`,
    values: [JSON.stringify(after.body), hexOf(after.id), JSON.stringify(before.body)],
  });

export const deleteDefinition: ById = deleteBy("deleteDefinition", "definitions", "id");
