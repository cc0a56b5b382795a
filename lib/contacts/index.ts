import { findAttributesOf, toCustomAttributes, type Attributes } from "../definitions/attributes.ts";
import { eachItem } from "../bulk/each.ts";
import { beginInCallOrder } from "./call-order.ts";
import { prepareChange, withKnownAttributes } from "./patches.ts";
import { effectiveExternalId } from "../decisions/find-contact.ts";
import { foldEmail } from "../model/emails.ts";
import { contactPageRequestStruct, contactSliceOf, encodeContactCursor, pageOf } from "../input/pages.ts";
import { parse } from "../input/shapes.ts";
import { contactChangesStruct, deletionOptionsStruct, parseExternalId, parseIdentifier } from "../input/structs.ts";
import { emptyPlainFields, type Contact, type PlainContactField } from "../model/contact-types.ts";
import { TrackerError } from "../model/errors.ts";
import { formatTime } from "../model/times.ts";
import type { Deletion, Page } from "../model/types.ts";
import type { Scope } from "../scope.ts";
import { accepted } from "../storage/refusals.ts";
import type { ContactPatch, ContactRow, Refused } from "../storage/rows.ts";

export async function getContact(scope: Scope, identifier: unknown): Promise<Contact | null> {
  const contact = await scope.storage.findContact(scope.workspace, { externalId: parseExternalId(identifier) });
  return contact && (await toContact(scope, contact));
}

export async function updateContact(scope: Scope, identifier: unknown, changes: unknown): Promise<Contact> {
  const begun = await beginInCallOrder(scope, [identifier, ...namesIn(changes)], async () => {
    const externalId = parseExternalId(identifier);
    const prepared = await prepareChange(scope, changes, contactChangesStruct);
    const { storage, workspace } = scope;
    const at = scope.now();
    const update = (patch: ContactPatch): Promise<ContactRow | Refused> =>
      storage.updateContact({ workspace, externalId, patch, at });
    return async () => {
      const { answer, attributes } = await withKnownAttributes(prepared, await update(prepared.patch), update);
      return toContact(scope, accepted(answer), attributes);
    };
  });
  return begun.result;
}

/** The names that the input may give to a contact. The input may be anything. */
export function namesIn(input: unknown): unknown[] {
  const { email, externalId } = Object(input) as { email?: unknown; externalId?: unknown };
  return [email, externalId];
}

/** Resolves with `null` only if the options say `ifExists`. */
export async function deleteContact(
  scope: Scope,
  identifier: unknown,
  options: unknown = {},
): Promise<Deletion | null> {
  const parsed = parseIdentifier(identifier);
  const { ifExists = false } = parse(options, deletionOptionsStruct);
  const deleted = await scope.storage.deleteContact(scope.workspace, parsed, scope.now());
  if ("refused" in deleted && deleted.refused.code === "contact_not_found") {
    if (ifExists) return null;
    throw new TrackerError("contact_not_found", {
      message: "No contact has this identifier as its externalId or email.",
    });
  }
  return accepted(deleted);
}

export async function listContacts(scope: Scope, page: unknown = {}): Promise<Page<Contact>> {
  const slice = contactSliceOf(parse(page, contactPageRequestStruct));
  const { order, query } = slice;
  const found = await scope.storage.listContacts(scope.workspace, { ...slice, query: foldEmail(query) });
  const attributes = await findAttributesOf(scope, found.rows);
  return pageOf(
    found,
    (row) => showContact(row, attributes),
    (position) => encodeContactCursor({ ...position, order, query }),
  );
}

export function eachContact(scope: Scope, page: unknown = {}): AsyncGenerator<Contact, void, undefined> {
  return eachItem(
    (request) => listContacts(scope, request),
    () => parse(page, contactPageRequestStruct),
  );
}

export function countContacts({ storage, workspace }: Scope): Promise<number> {
  return storage.countContacts(workspace);
}

export function toContact(scope: Scope, row: ContactRow, known?: Attributes): Promise<Contact> {
  return findAttributesOf(scope, [row], known).then((attributes) => showContact(row, attributes));
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

const plainFields = Object.keys(emptyPlainFields) as PlainContactField[];

function plainFieldsOf(row: ContactRow): Pick<Contact, PlainContactField> {
  const fields: Partial<Contact> = {};
  for (const field of plainFields) fields[field] = row[field];
  return fields as Contact;
}
