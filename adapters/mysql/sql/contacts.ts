import { emptyPlainFields, type PlainContactField } from "../../../lib/model/contact-types.ts";
import type { ContactRow, TestedField } from "../../../lib/storage/rows.ts";
import { id, numberOrNull, text, textOrNull, type Row } from "./rows.ts";
import { fragment, hexOf, named, plain, sqlOf, type Fragment } from "./fragments.ts";
import { deleteBy, query, table, template, type ById, type Statement, type Template } from "./statement.ts";
import { guardOf } from "./workspaces.ts";

/** An email or externalId, and the workspace in which to find it. */
export type Name = readonly [workspace: string, text: string];

/** The empty text is a read without a lock. `SKIP LOCKED` leaves out rows that other transactions have locked. */
export type Lock = "" | "FOR UPDATE" | "FOR UPDATE SKIP LOCKED";

/** A column of the contacts table. */
interface Column<Value> {
  name: string;
  /** The type that JSON_TABLE reads it as. */
  type: string;
  /** Whether an update writes it. */
  isUpdated: boolean;
  write(this: void, value: Value): string | number | null;
  read(this: void, value: unknown): Value;
}

/** `characters` must be at least the column's size in bytes, because JSON_TABLE cuts longer text without an error. */
const textColumn = (name: string, characters: number, isUpdated = true): Column<string> => ({
  name,
  type: `VARCHAR(${characters}) CHARACTER SET utf8mb4`,
  isUpdated,
  write: (value) => value,
  read: text,
});

const optionalText = (name: string, characters: number): Column<string | null> => ({
  ...textColumn(name, characters),
  write: (value) => value,
  read: textOrNull,
});

const time = { type: "BIGINT", write: <Value>(value: Value): Value => value };

/** The only list of the columns: a field of `ContactRow` that is missing here does not compile. */
const columnsByField: { [Field in keyof ContactRow]: Column<ContactRow[Field]> } = {
  id: { name: "id", type: "CHAR(32)", isUpdated: false, write: hexOf, read: id },
  workspace: textColumn("workspace", 64, false),
  email: textColumn("email", 254),
  externalId: optionalText("external_id", 255),
  name: optionalText("name", 1000),
  phone: optionalText("phone", 1000),
  avatarUrl: optionalText("avatar_url", 2048),
  role: optionalText("role", 1000),
  plan: optionalText("plan", 1000),
  signedUpAt: { ...time, name: "signed_up_at", isUpdated: true, read: numberOrNull },
  attributes: {
    name: "attributes",
    type: "MEDIUMTEXT CHARACTER SET utf8mb4",
    isUpdated: true,
    write: JSON.stringify,
    read: (value) => JSON.parse(text(value)) as ContactRow["attributes"],
  },
  createdAt: { ...time, name: "created_at", isUpdated: false, read: Number },
  updatedAt: { ...time, name: "updated_at", isUpdated: true, read: Number },
};

// The fixed parts of the statements' texts.
const fields = Object.entries(columnsByField) as [keyof ContactRow, Column<unknown>][];
const columnNames = fields.map(([, { name }]) => name);
const updated = fields.filter(([, { isUpdated }]) => isUpdated).map(([, { name }]) => name);

export const contactColumns: Fragment = sqlOf(columnNames.map((name) => `c.${name}`).join(", "));

/** The columns of the plain fields. */
export const plainColumns: readonly string[] = (Object.keys(emptyPlainFields) as PlainContactField[]).map(
  (field) => columnsByField[field].name,
);

/** The column of a field that a condition tests. */
export function testedColumn(field: TestedField): string {
  return field === "externalId" ? "effective_external_id" : columnsByField[field].name;
}

export const idColumn: Fragment = sqlOf("c.id");
export const nameColumns: Fragment = sqlOf("c.id, c.workspace, c.email, c.external_id");

const written = (
  rows: readonly ContactRow[],
) => fragment`JSON_TABLE(${plain(JSON.stringify(rows.map(toArray)))}, '$[*]' COLUMNS (
  ${sqlOf(fields.map(([, { name, type }], index) => `${name} ${type} PATH '$[${index}]'`).join(", "))}))`;
const insertedNames = sqlOf(columnNames.join(", "));
const insertedValues = sqlOf(columnNames.map((name) => (name === "id" ? "UNHEX(id)" : name)).join(", "));
const updatedNames = sqlOf(updated.join(", "));
const assignments = sqlOf(updated.map((name) => `c.${name} = written.${name}`).join(", "));

/** A contact, from a row with the `contactColumns`. */
export function toContact(row: Row): ContactRow {
  const contact: Partial<Record<keyof ContactRow, unknown>> = {};
  for (const [field, { name, read }] of fields) contact[field] = read(row[name]);
  return contact as unknown as ContactRow;
}

/** The columns by which contacts are found, and their indexes. Without FORCE INDEX the optimizer scans a small table, and so locks all of its rows. */
const byEmail = { column: "email", index: "by_email" };
const byExternalId = { column: "effective_external_id", index: "by_external_id" };

function namedBy({ column, index }: typeof byEmail, names: readonly Name[], columns: Fragment, lock: Lock): Template {
  const [found, by] = [sqlOf(`c.${column}`), sqlOf(index)];
  const [only] = names;
  // A single name needs no JSON_TABLE, which makes a single call faster.
  if (only && names.length === 1)
    return template`SELECT ${columns} FROM ${table.contacts} c FORCE INDEX (${by})
  WHERE c.workspace = ${only[0]} AND ${found} = ${only[1]} ${sqlOf(lock)}`;
  return template`SELECT ${columns} FROM ${named(names, { workspace: "workspace", name: "name" })}
  STRAIGHT_JOIN ${table.contacts} c FORCE INDEX (${by})
    ON c.workspace = named.workspace AND ${found} = named.name ${sqlOf(lock)}`;
}

/** Makes a statement that finds contacts by one of their names. */
export type FindByName = (names: readonly Name[], lock: Lock, columns?: Fragment) => Statement;

export const findContactsByEmail: FindByName = (names, lock, columns = contactColumns) =>
  query("findContactsByEmail")`${namedBy(byEmail, names, columns, lock)}`;

export const findContactsByExternalId: FindByName = (names, lock, columns = contactColumns) =>
  query("findContactsByExternalId")`${namedBy(byExternalId, names, columns, lock)}`;

/** Finds the contacts that have one of the names as their email or externalId. */
export const findNames = (names: readonly Name[]): Statement => query("findNames")`
  ${namedBy(byEmail, names, contactColumns, "")} UNION ALL ${namedBy(byExternalId, names, contactColumns, "")}`;

export const findContactsById = (ids: readonly string[], lock: Lock, columns: Fragment = contactColumns): Statement =>
  query("findContactsById")`
  SELECT ${columns} FROM ${named(ids.map(hexOf), { id: "id" })}
  STRAIGHT_JOIN ${table.contacts} c FORCE INDEX (PRIMARY) ON c.id = named.id ${sqlOf(lock)}`;

/** All transactions insert in the same order, so that no two of them wait for each other. */
export function inOrderOfInserts(rows: readonly ContactRow[]): ContactRow[] {
  const nameOf = ({ workspace, email }: ContactRow): string => `${workspace} ${email}`;
  return rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Fails if the marks were read too long ago. Nothing else keeps a new contact out of a workspace that was deleted in between. */
export const insertContacts = (rows: readonly ContactRow[], clocks: readonly number[]): Statement =>
  query("insertContacts")`
  INSERT INTO ${table.contacts} (${insertedNames})
  SELECT ${insertedValues} FROM ${written(rows)} written WHERE ${guardOf(clocks)}`;

export const updateContacts = (rows: readonly ContactRow[]): Statement => query("updateContacts")`
  UPDATE (SELECT UNHEX(id) AS id, ${updatedNames} FROM ${written(rows)} listed) written
  STRAIGHT_JOIN ${table.contacts} c FORCE INDEX (PRIMARY) ON c.id = written.id SET ${assignments}`;

export const deleteContact: ById = deleteBy("deleteContact", "contacts", "id");

function toArray(row: ContactRow): (string | number | null)[] {
  return fields.map(([field, { write }]) => write(row[field]));
}
