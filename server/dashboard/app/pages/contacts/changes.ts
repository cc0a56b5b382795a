import { numberOf } from "../../numbers.ts";
import { contactFieldNames, type ContactFieldName } from "../../../../../lib/model/contact-fields.ts";
import type {
  AttributeDefinition,
  AttributeType,
  Contact,
  ContactChanges,
  Scalar,
} from "../../../../../lib/model/types.ts";

export type FormField = "email" | "externalId" | ContactFieldName;

/** The fields of the form, in its order. */
export const fields: readonly FormField[] = ["email", "externalId", ...contactFieldNames];

/** The texts in the form by the path of the field. The text of an unset field is empty. */
export type Draft = Readonly<Record<string, string>>;

export function attributePath(key: string): string {
  return `customAttributes.${key}`;
}

/** The contact's value of the attribute. A key can equal the name of an inherited property, such as `constructor`. */
export function attributeOf({ customAttributes }: Contact, key: string): Scalar | undefined {
  return Object.hasOwn(customAttributes, key) ? customAttributes[key] : undefined;
}

export function draftOf(contact: Contact, attributes: readonly AttributeDefinition[]): Draft {
  return Object.fromEntries([
    ...fields.map((field) => [field, contact[field] ?? ""]),
    ...attributes.map(({ key }) => [attributePath(key), String(attributeOf(contact, key) ?? "")]),
  ]);
}

/** Returns the changed fields; a cleared field is `null`. */
export function changesOf(before: Draft, after: Draft, attributes: readonly AttributeDefinition[]): ContactChanges {
  const isChanged = (path: string): boolean => after[path] !== before[path];
  const changed = fields.filter(isChanged).map((field) => [field, after[field] || null]);
  const values = attributes
    .filter(({ key }) => isChanged(attributePath(key)))
    .map(({ key, type }) => [key, valueOf(after[attributePath(key)] ?? "", type)]);
  return Object.fromEntries([
    ...changed,
    ...(values.length > 0 ? [["customAttributes", Object.fromEntries(values)]] : []),
  ]) as ContactChanges;
}

/** Converts the text to the type. Returns text that is no number unchanged, because the server says what is wrong with it. */
export function valueOf(text: string, type: AttributeType): Scalar | null {
  if (text === "") return null;
  if (type === "boolean") return text === "true";
  return type === "number" ? numberOf(text) : text;
}
