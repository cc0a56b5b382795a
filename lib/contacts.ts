import { nullable, optional, type Struct } from "superstruct";
import { findAttributes, toAttributes, toCustomAttributes, type Attributes } from "./attributes.ts";
import { effectiveExternalId, foldEmail } from "./contact-writes.ts";
import { pageOf, sliceOf } from "./cursors.ts";
import { TrackerError } from "./errors.ts";
import { pageRequest, text, time } from "./fields.ts";
import { email, externalId } from "./identifiers.ts";
import { newId } from "./ids.ts";
import { avatarUrlMaxBytes, textMaxBytes } from "./limits.ts";
import type { Scope } from "./scope.ts";
import type { ContactFields, ContactPatch, ContactRow } from "./storage.ts";
import { formatTime, parseTime } from "./times.ts";
import type { Contact, ContactChanges, Deletion, NewContact, Page, PageRequest, Scalar } from "./types.ts";
import { check, leaf, parse, refuse, scalars, shape, textProblem } from "./validation.ts";

export async function upsertContact(scope: Scope, input: unknown): Promise<{ contact: Contact; created: boolean }> {
  const { patch, attributes } = await prepare(scope, input, newContact);
  const { email, ...fields } = patch.fields;
  const { storage, workspace } = scope;
  const at = scope.now();
  const draft = { workspace, id: newId(at), email: email!, patch: { ...patch, fields }, at };
  const [written] = await storage.upsertContacts([draft]);
  if (written instanceof TrackerError) throw written;
  const { contact, created } = written!;
  return { contact: await toContact(scope, contact, attributes), created };
}

export async function getContact(scope: Scope, identifier: unknown): Promise<Contact | null> {
  const contact = await scope.storage.findContact(scope.workspace, parseExternalId(identifier));
  return contact && toContact(scope, contact);
}

export async function updateContact(scope: Scope, identifier: unknown, changes: unknown): Promise<Contact> {
  const externalId = parseExternalId(identifier);
  const { patch, attributes } = await prepare(scope, changes, contactChanges);
  const { storage, workspace } = scope;
  const contact = await storage.updateContact({ workspace, externalId, patch, at: scope.now() });
  if (contact instanceof TrackerError) throw contact;
  return toContact(scope, contact, attributes);
}

export async function deleteContact(scope: Scope, identifier: unknown): Promise<Deletion> {
  const { identifier: parsed } = parse({ identifier }, identifierOnly);
  const deletion = await scope.storage.deleteContact(scope.workspace, parsed);
  if (deletion instanceof TrackerError) throw deletion;
  return deletion;
}

export async function listContacts(scope: Scope, page: unknown = {}): Promise<Page<Contact>> {
  const slice = sliceOf(parse<PageRequest>(page, pageRequest));
  const rows = await scope.storage.listContacts(scope.workspace, slice);
  const attributes = await findAttributes(scope);
  return pageOf(rows, slice, (row) => showContact(row, attributes));
}

const identifierOnly = shape<{ identifier: string }>("Identifier", { identifier: externalId });
const externalIdOnly = shape<{ externalId: string }>("ExternalId", { externalId });

export function parseExternalId(value: unknown): string {
  return parse({ externalId: value }, externalIdOnly).externalId;
}

const clearable = <T>(struct: Struct<T, null>): Struct<T | null | undefined, null> => optional(nullable(struct));

const avatarUrl = leaf<string>("an absolute http(s) URL", (value) => {
  if (typeof value !== "string") return "wrong_type";
  // URL.canParse alone takes relative schemes, and drops white space that we would keep.
  const absolute = /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
  return textProblem(value, avatarUrlMaxBytes) ?? (absolute ? null : "invalid_format");
});

// How many a contact may have is decided where they are merged.
const customAttributes = scalars<Scalar | null>("customAttributes", { countMax: Infinity, allowNull: true });

const changeFields = {
  externalId: clearable(externalId),
  name: clearable(text(textMaxBytes)),
  phone: clearable(text(textMaxBytes)),
  avatarUrl: clearable(avatarUrl),
  role: clearable(text(textMaxBytes)),
  plan: clearable(text(textMaxBytes)),
  signedUpAt: clearable(time),
  customAttributes: optional(customAttributes),
};

export const newContact: Struct<NewContact, null> = shape<NewContact>("NewContact", { email, ...changeFields });
export const contactChanges: Struct<ContactChanges, null> = shape<ContactChanges>("ContactChanges", {
  email: optional(email),
  ...changeFields,
});

/**
 * Validates and copies the input before anything is awaited; the attributes, which need the workspace's definitions, after it,
 * and all issues are thrown together.
 */
async function prepare(
  scope: Scope,
  input: unknown,
  struct: Struct<ContactChanges, null> | Struct<NewContact, null>,
): Promise<{ patch: ContactPatch; attributes: Attributes | undefined }> {
  const { value, issues } = check(input, struct as Struct<ContactChanges, null>);
  const fields = issues.length === 0 ? toFields(value) : {};
  const sent = (value as Partial<ContactChanges> | null)?.customAttributes;
  if (sent === undefined || check(sent, customAttributes).issues.some(({ path }) => path === "")) {
    refuse(issues);
    return { patch: { fields, attributes: {}, definedAttributeIds: [] }, attributes: undefined };
  }
  // One issue for a key: what has the wrong shape is not compared with its definition.
  for (const { path } of check(sent, customAttributes).issues) delete sent[path];
  const attributes = await findAttributes(scope);
  const { values, issues: more } = toAttributes(sent, attributes);
  refuse([...issues, ...more]);
  return { patch: { fields, attributes: values, definedAttributeIds: [...attributes.byId.keys()] }, attributes };
}

const plainFields = ["externalId", "name", "phone", "avatarUrl", "role", "plan"] as const;

function toFields(changes: ContactChanges): Partial<ContactFields> {
  const fields: Partial<ContactFields> = {};
  for (const key of plainFields) {
    const value = changes[key];
    if (value !== undefined) fields[key] = value;
  }
  const { email, signedUpAt } = changes;
  if (email !== undefined) fields.email = foldEmail(email);
  if (signedUpAt !== undefined) fields.signedUpAt = signedUpAt === null ? null : (parseTime(signedUpAt) as number);
  return fields;
}

async function toContact(scope: Scope, row: ContactRow, attributes?: Attributes): Promise<Contact> {
  return showContact(
    row,
    attributes ?? (Object.keys(row.attributes).length > 0 ? await findAttributes(scope) : undefined),
  );
}

export function showContact(row: ContactRow, attributes: Attributes | undefined): Contact {
  return {
    id: row.id,
    email: row.email,
    externalId: effectiveExternalId(row),
    name: row.name,
    phone: row.phone,
    avatarUrl: row.avatarUrl,
    role: row.role,
    plan: row.plan,
    signedUpAt: row.signedUpAt === null ? null : formatTime(row.signedUpAt),
    customAttributes: attributes ? toCustomAttributes(row.attributes, attributes) : {},
    createdAt: formatTime(row.createdAt),
    updatedAt: formatTime(row.updatedAt),
  };
}
