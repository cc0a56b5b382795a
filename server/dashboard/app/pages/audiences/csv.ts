import { contactFieldNames } from "../../../../../lib/model/contact-fields.ts";
import type { Contact, Scalar } from "../../../../../lib/model/types.ts";
import { attributeOf } from "../contacts/changes.ts";

const fields = ["externalId", "email", ...contactFieldNames, "createdAt"] as const;

/** The first line of the file: the names of the columns. */
export function headerOf(attributes: readonly string[]): string {
  return lineOf([...fields, ...attributes]);
}

/** The contact's line: its fields, and its values of the attributes. */
export function rowOf(contact: Contact, attributes: readonly string[]): string {
  return lineOf([...fields.map((field) => contact[field]), ...attributes.map((key) => attributeOf(contact, key))]);
}

/** A line of RFC 4180. */
function lineOf(cells: readonly (Scalar | null | undefined)[]): string {
  return `${cells.map((cell) => `"${String(defused(cell ?? "")).replaceAll('"', '""')}"`).join(",")}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula. */
function defused(cell: Scalar): Scalar {
  return typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}
