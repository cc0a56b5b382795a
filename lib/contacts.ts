import { TrackerError } from "./errors.ts";
import { findAttributes, toAttributes, toCustomAttributes, type Attributes } from "./attributes.ts";
import { effectiveExternalId, foldEmail } from "./decisions/identity.ts";
import { contactPageRequestStruct, contactSliceOf, encodeContactCursor, pageOf } from "./input/pages.ts";
import { newId } from "./ids.ts";
import { itemsPerTurn } from "./limits.ts";
import { accepted } from "./refusals.ts";
import type { Scope } from "./scope.ts";
import type { Sized } from "./groups.ts";
import { settle } from "./item-results.ts";
import { writeMany, type GroupWrites, type ItemSource, type OnResult, type WriteCounts } from "./many.ts";
import type { ContactDraft, ContactFields, ContactPatch, ContactRow } from "./storage/rows.ts";
import { formatTime, parseTime } from "./times.ts";
import {
  emptyPlainFields,
  type Contact,
  type ContactChanges,
  type Deletion,
  type NewContact,
  type Page,
  type PlainContactField,
} from "./types.ts";
import { check, parse, refuse } from "./input/shapes.ts";
import {
  contactChangesStruct,
  customAttributesStruct,
  identifierOnlyStruct,
  newContactStruct,
  parseExternalId,
} from "./input/structs.ts";

interface Upserted {
  contact: Contact;
  created: boolean;
}

export async function upsertContact(scope: Scope, input: unknown): Promise<Upserted> {
  return write(scope, await prepareUpsert(scope, input));
}

export function upsertMany(
  scope: Scope,
  contacts: ItemSource<NewContact>,
  each?: OnResult<Upserted>,
): Promise<WriteCounts> {
  const writes: GroupWrites<NewContact, PreparedUpsert & Sized, Upserted> = {
    itemsMax: itemsPerTurn,
    async prepare(input) {
      const prepared = await prepareUpsert(scope, input);
      return { ...prepared, bytes: JSON.stringify(prepared.draft.patch).length };
    },
    async write(prepared) {
      const drafts = prepared.map(({ draft }) => draft);
      const written = await scope.storage.upsertContacts(drafts, { whenFull: scope.whenFull });
      // Each draft has one result.
      return Promise.all(prepared.map((one, index) => settle(upsertedOf(scope, one, written[index]!))));
    },
  };
  return writeMany(contacts, writes, each);
}

/** A write that has been asked for. */
export interface Begun<Result> {
  result: Promise<Result>;
}

/** Resolves when the contact's write has been asked for. */
export async function beginUpsert(scope: Scope, input: unknown): Promise<Begun<Upserted>> {
  const prepared = await prepareUpsert(scope, input);
  return { result: write(scope, prepared) };
}

interface PreparedUpsert {
  draft: ContactDraft;
  attributes: Attributes | undefined;
}

async function prepareUpsert(scope: Scope, input: unknown): Promise<PreparedUpsert> {
  const { patch, attributes } = await prepare(scope, input, newContactStruct);
  const { email, ...fields } = patch.fields;
  const at = scope.now();
  // `newContactStruct` requires an email.
  const draft = { workspace: scope.workspace, id: newId(at), email: email!, patch: { ...patch, fields }, at };
  return { draft, attributes };
}

async function write(scope: Scope, prepared: PreparedUpsert): Promise<Upserted> {
  const [written] = await scope.storage.upsertContacts([prepared.draft], { whenFull: scope.whenFull });
  // One draft has one result.
  return upsertedOf(scope, prepared, written!);
}

type Written = Awaited<ReturnType<Scope["storage"]["upsertContacts"]>>[number];

/** Throws what the contact is refused with. */
async function upsertedOf(scope: Scope, { attributes }: PreparedUpsert, written: Written): Promise<Upserted> {
  const { contact, created } = accepted(written);
  return { contact: await toContact(scope, contact, attributes), created };
}

export async function getContact(scope: Scope, identifier: unknown): Promise<Contact | null> {
  const contact = await scope.storage.findContact(scope.workspace, parseExternalId(identifier));
  return contact && toContact(scope, contact);
}

export async function updateContact(scope: Scope, identifier: unknown, changes: unknown): Promise<Contact> {
  const externalId = parseExternalId(identifier);
  const { patch, attributes } = await prepare(scope, changes, contactChangesStruct);
  const { storage, workspace } = scope;
  const contact = await storage.updateContact({ workspace, externalId, patch, at: scope.now() });
  return toContact(scope, accepted(contact), attributes);
}

export async function deleteContact(scope: Scope, identifier: unknown): Promise<Deletion> {
  const { identifier: parsed } = parse({ identifier }, identifierOnlyStruct);
  const deleted = await scope.storage.deleteContact(scope.workspace, parsed);
  if ("refused" in deleted && deleted.refused.code === "contact_not_found")
    throw new TrackerError("contact_not_found", {
      message: "No contact has this identifier as its externalId or email.",
    });
  return accepted(deleted);
}

export async function listContacts(scope: Scope, page: unknown = {}): Promise<Page<Contact>> {
  const slice = contactSliceOf(parse(page, contactPageRequestStruct));
  const { order, query } = slice;
  const rows = await scope.storage.listContacts(scope.workspace, { ...slice, query: foldEmail(query) });
  const attributes = await findAttributes(scope);
  return pageOf(
    rows,
    slice,
    (row) => showContact(row, attributes),
    (position) => encodeContactCursor({ ...position, order, query }),
  );
}

export function countContacts({ storage, workspace }: Scope): Promise<number> {
  return storage.countContacts(workspace);
}

/**
 * Validates and copies the input before the first `await`. The attributes are compared with their definitions after it, and
 * the issues of both are thrown together.
 */
async function prepare(
  scope: Scope,
  input: unknown,
  struct: typeof contactChangesStruct | typeof newContactStruct,
): Promise<{ patch: ContactPatch; attributes: Attributes | undefined }> {
  const { value, issues } = check(input, struct as typeof contactChangesStruct);
  const fields = issues.length === 0 ? toFields(value) : {};
  const sent = (value as Partial<ContactChanges> | null)?.customAttributes;
  if (sent === undefined || check(sent, customAttributesStruct).issues.some(({ path }) => path === "")) {
    refuse(issues);
    return { patch: { fields, attributes: {}, definedAttributeIds: [] }, attributes: undefined };
  }
  // A value of the wrong shape already has an issue. Without it here, no key gets two.
  for (const { path } of check(sent, customAttributesStruct).issues) delete sent[path];
  const attributes = await findAttributes(scope);
  const { values, issues: more } = toAttributes(sent, attributes);
  refuse([...issues, ...more]);
  return { patch: { fields, attributes: values, definedAttributeIds: [...attributes.byId.keys()] }, attributes };
}

const plainFields = Object.keys(emptyPlainFields) as PlainContactField[];
const copiedFields = ["externalId", ...plainFields] as const;

function toFields(changes: ContactChanges): Partial<ContactFields> {
  const fields: Partial<ContactFields> = {};
  for (const key of copiedFields) {
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
    ...plainFieldsOf(row),
    signedUpAt: row.signedUpAt === null ? null : formatTime(row.signedUpAt),
    customAttributes: attributes ? toCustomAttributes(row.attributes, attributes) : {},
    createdAt: formatTime(row.createdAt),
    updatedAt: formatTime(row.updatedAt),
  };
}

function plainFieldsOf(row: ContactRow): Pick<Contact, PlainContactField> {
  const fields: Partial<Contact> = {};
  for (const field of plainFields) fields[field] = row[field];
  return fields as Contact;
}
