import type { Slice, ContactRow } from "../../../lib/storage/rows.ts";
import { hexOf, type Statement } from "./statement.ts";

/** An email or externalId, and the workspace in which to find it. */
export type Name = readonly [workspace: string, text: string];

/** The empty text is a read without a lock. `SKIP LOCKED` leaves out rows that other transactions have locked. */
export type Lock = "" | "FOR UPDATE" | "FOR UPDATE SKIP LOCKED";

export const contactColumns = `c.id, c.workspace, c.email, c.external_id, c.name, c.phone, c.avatar_url, c.role, c.plan, c.signed_up_at,
  c.attributes, c.created_at, c.updated_at`;

export const nameColumns = "c.id, c.workspace, c.email, c.external_id";

// JSON_TABLE silently cuts longer text. Widths are in characters, so a width in bytes of the column is always enough.
const written = `JSON_TABLE(?, '$[*]' COLUMNS (
  id CHAR(32) PATH '$[0]', workspace VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[1]',
  email VARCHAR(254) CHARACTER SET utf8mb4 PATH '$[2]', external_id VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[3]',
  name VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[4]', phone VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[5]',
  avatar_url VARCHAR(2048) CHARACTER SET utf8mb4 PATH '$[6]', role VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[7]',
  plan VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[8]', signed_up_at BIGINT PATH '$[9]',
  attributes MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[10]', created_at BIGINT PATH '$[11]', updated_at BIGINT PATH '$[12]'))`;

// Without the hint the optimizer scans a small table, and so locks all of its rows.
const byName = (
  contacts: string,
  column: string,
  index: string,
  lock: Lock,
  columns = contactColumns,
): string => `SELECT ${columns}
FROM (SELECT CAST(w AS BINARY) AS workspace, CAST(n AS BINARY) AS name
  FROM JSON_TABLE(?, '$[*]' COLUMNS (w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]',
    n VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[1]')) listed) named
STRAIGHT_JOIN ${contacts} c FORCE INDEX (${index}) ON c.workspace = named.workspace AND c.${column} = named.name ${lock}`;

// A single name needs no JSON_TABLE, which makes a single call faster.
const byOneName = (
  contacts: string,
  column: string,
  index: string,
  lock: Lock,
  columns: string,
): string => `SELECT ${columns}
FROM ${contacts} c FORCE INDEX (${index}) WHERE c.workspace = CAST(? AS BINARY) AND c.${column} = CAST(? AS BINARY) ${lock}`;

const findBy =
  (name: string, column: string, index: string) =>
  (names: readonly Name[], lock: Lock, columns = contactColumns): Statement =>
  ({ contacts }) =>
    names.length === 1
      ? { name, sql: byOneName(contacts, column, index, lock, columns), values: [...names[0]!] }
      : { name, sql: byName(contacts, column, index, lock, columns), values: [JSON.stringify(names)] };

/** Makes a statement that finds contacts by one of their names. */
export type FindByName = (names: readonly Name[], lock: Lock, columns?: string) => Statement;

export const findContactsByEmail: FindByName = findBy("findContactsByEmail", "email", "by_email");

export const findContactsByExternalId: FindByName = findBy(
  "findContactsByExternalId",
  "effective_external_id",
  "by_external_id",
);

/** Finds the contacts that have one of the names as their email or externalId. */
export const findNames =
  (names: readonly Name[]): Statement =>
  (tables) => ({
    name: "findNames",
    sql: `${byName(tables.contacts, "email", "by_email", "")} UNION ALL ${byName(tables.contacts, "effective_external_id", "by_external_id", "")}`,
    values: [JSON.stringify(names), JSON.stringify(names)],
  });

export const findContactsById =
  (ids: readonly string[], lock: Lock): Statement =>
  (tables) => ({
    name: "findContactsById",
    sql: `SELECT ${contactColumns}
FROM (SELECT UNHEX(id) AS id FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed) named
STRAIGHT_JOIN ${tables.contacts} c FORCE INDEX (PRIMARY) ON c.id = named.id ${lock}`,
    values: [JSON.stringify(ids.map(hexOf))],
  });

export const listContacts =
  (workspace: string, { limit, after }: Slice): Statement =>
  (tables) => ({
    name: "listContacts",
    sql: `SELECT ${contactColumns} FROM ${tables.contacts} c FORCE INDEX (by_creation)
WHERE c.workspace = CAST(? AS BINARY)${after ? " AND (c.created_at > ? OR (c.created_at = ? AND c.id > UNHEX(?))) AND c.created_at >= ?" : ""}
ORDER BY c.created_at, c.id LIMIT ?`,
    values: [
      workspace,
      ...(after ? [after.createdAt, after.createdAt, hexOf(after.id), after.createdAt] : []),
      String(limit),
    ],
  });

export const insertContacts =
  (rows: readonly ContactRow[]): Statement =>
  (tables) => ({
    name: "insertContacts",
    sql: `INSERT INTO ${tables.contacts} (id, workspace, email, external_id, name, phone, avatar_url, role, plan, signed_up_at,
  attributes, created_at, updated_at)
SELECT UNHEX(id), workspace, email, external_id, name, phone, avatar_url, role, plan, signed_up_at, attributes, created_at,
  updated_at
FROM ${written} written`,
    values: [JSON.stringify(rows.map(toArray))],
  });

export const updateContacts =
  (rows: readonly ContactRow[]): Statement =>
  (tables) => ({
    name: "updateContacts",
    sql: `UPDATE (SELECT UNHEX(id) AS id, email, external_id, name, phone, avatar_url, role, plan, signed_up_at, attributes, updated_at
  FROM ${written} listed) written
STRAIGHT_JOIN ${tables.contacts} c FORCE INDEX (PRIMARY) ON c.id = written.id
SET c.email = written.email, c.external_id = written.external_id, c.name = written.name, c.phone = written.phone,
  c.avatar_url = written.avatar_url, c.role = written.role, c.plan = written.plan, c.signed_up_at = written.signed_up_at,
  c.attributes = written.attributes, c.updated_at = written.updated_at`,
    values: [JSON.stringify(rows.map(toArray))],
  });

export const deleteContact =
  (id: string): Statement =>
  (tables) => ({
    name: "deleteContact",
    sql: `DELETE FROM ${tables.contacts} WHERE id = UNHEX(?)`,
    values: [hexOf(id)],
  });

function toArray(row: ContactRow): (string | number | null)[] {
  const { name, phone, avatarUrl, role, plan, signedUpAt, createdAt, updatedAt } = row;
  const fields = [name, phone, avatarUrl, role, plan, signedUpAt, JSON.stringify(row.attributes)];
  return [hexOf(row.id), row.workspace, row.email, row.externalId, ...fields, createdAt, updatedAt];
}
