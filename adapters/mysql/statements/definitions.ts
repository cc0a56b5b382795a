import type { DefinitionRow } from "../../../lib/storage.ts";
import { hexOf, type Statement } from "../statements.ts";

const columns = "id, workspace, kind, definition_key, body, created_at";

export const findDefinition =
  (workspace: string, kind: string, key: string): Statement =>
  (tables) => ({
    sql: `SELECT ${columns} FROM ${tables.definitions}
WHERE workspace = CAST(? AS BINARY) AND kind = CAST(? AS BINARY) AND definition_key = CAST(? AS BINARY)`,
    values: [workspace, kind, key],
  });

export const listDefinitions =
  (workspace: string, kind: string): Statement =>
  (tables) => ({
    sql: `SELECT ${columns} FROM ${tables.definitions}
WHERE workspace = CAST(? AS BINARY) AND kind = CAST(? AS BINARY) ORDER BY created_at, id`,
    values: [workspace, kind],
  });

export const insertDefinition =
  ({ id, workspace, kind, key, body, createdAt }: DefinitionRow): Statement =>
  (tables) => ({
    sql: `INSERT INTO ${tables.definitions} (${columns})
VALUES (UNHEX(?), CAST(? AS BINARY), CAST(? AS BINARY), CAST(? AS BINARY), ?, ?)`,
    values: [hexOf(id), workspace, kind, key, JSON.stringify(body), createdAt],
  });

/** Only while it is as `before` says. */
export const updateDefinition =
  (before: DefinitionRow, after: DefinitionRow): Statement =>
  (tables) => ({
    sql: `UPDATE ${tables.definitions} SET body = ? WHERE id = UNHEX(?) AND body = ?`,
    values: [JSON.stringify(after.body), hexOf(after.id), JSON.stringify(before.body)],
  });

export const deleteDefinition =
  (id: string): Statement =>
  (tables) => ({
    sql: `DELETE FROM ${tables.definitions} WHERE id = UNHEX(?)`,
    values: [hexOf(id)],
  });
