import { TrackerError } from "./model/errors.ts";
import { findAttributesOf, toCustomAttributes, type Attributes } from "./attributes.ts";
import { beginInCallOrder, type Begun } from "./call-order.ts";
import { prepareChange, withKnownAttributes, type PreparedChange } from "./contact-changes.ts";
import { readingOnce } from "./definitions.ts";
import { conflictBetween, effectiveExternalId, foldEmail } from "./decisions/identity.ts";
import { contactPageRequestStruct, contactSliceOf, encodeContactCursor, pageOf } from "./input/pages.ts";
import { newId } from "./model/ids.ts";
import { itemsPerTurn } from "./model/limits.ts";
import { accepted, errorOf } from "./storage/refusals.ts";
import type { Scope } from "./scope.ts";
import type { Sized } from "./bulk/groups.ts";
import { writeArray } from "./bulk/array.ts";
import { settle } from "./bulk/item-results.ts";
import { eachItem } from "./bulk/each.ts";
import { writeMany, type GroupWrites, type ItemSource, type OnResult, type WriteCounts } from "./bulk/many.ts";
import type { ContactDraft, ContactPatch, ContactRow, Refused, Silenceable } from "./storage/rows.ts";
import { formatTime } from "./model/times.ts";
import { emptyPlainFields, type Contact, type NewContact, type PlainContactField } from "./model/contact-types.ts";
import type { Deletion, Page } from "./model/types.ts";
import { parse } from "./input/shapes.ts";
import {
  contactChangesStruct,
  deletionOptionsStruct,
  identifierOnlyStruct,
  manyOptionsStruct,
  newContactStruct,
  parseExternalId,
  silenceOf,
} from "./input/structs.ts";

interface Upserted {
  contact: Contact;
  created: boolean;
}

export async function upsertContact(scope: Scope, input: unknown): Promise<Upserted> {
  return (await beginUpsert(scope, input)).result;
}

export async function upsertMany(
  scope: Scope,
  contacts: ItemSource<NewContact>,
  each?: OnResult<Upserted>,
  options: unknown = {},
): Promise<WriteCounts> {
  return writeMany(contacts, contactWrites(scope, options), each);
}

export async function upsertArray(
  scope: Scope,
  contacts: readonly NewContact[],
  each?: OnResult<Upserted>,
  options: unknown = {},
): Promise<WriteCounts> {
  return writeArray(contacts, contactWrites(readingOnce(scope), options), each);
}

function contactWrites(scope: Scope, options: unknown): GroupWrites<NewContact, PreparedUpsert & Sized, Upserted> {
  const silence = silenceOf(parse(options, manyOptionsStruct));
  return {
    itemsMax: itemsPerTurn,
    async prepare(input) {
      const prepared = await prepareUpsert(scope, input, silence);
      return { ...prepared, bytes: JSON.stringify(prepared.draft.patch).length };
    },
    async write(prepared) {
      const drafts = prepared.map(({ draft }) => draft);
      const written = await scope.storage.upsertContacts(drafts, { whenFull: scope.whenFull });
      const contacts = written.flatMap((one) => ("contact" in one ? [one.contact] : []));
      const known = await findAttributesOf(scope, contacts);
      // Each draft has one result.
      return Promise.all(prepared.map((one, index) => settle(upsertedOf(scope, one, written[index]!, known))));
    },
  };
}

/** Resolves when the contact's write has begun. */
export function beginUpsert(scope: Scope, input: unknown, silence: Silenceable = {}): Promise<Begun<Upserted>> {
  return beginInCallOrder(scope, namesIn(input), async () => {
    const prepared = await prepareUpsert(scope, input, silence);
    return () => write(scope, prepared);
  });
}

/** The names that the input may give to a contact. The input may be anything. */
function namesIn(input: unknown): unknown[] {
  const { email, externalId } = Object(input) as { email?: unknown; externalId?: unknown };
  return [email, externalId];
}

interface PreparedUpsert extends PreparedChange {
  draft: ContactDraft;
}

async function prepareUpsert(
  scope: Scope,
  input: unknown,
  kind: Pick<ContactDraft, "notify" | "insertOnly">,
): Promise<PreparedUpsert> {
  const prepared = await prepareChange(scope, input, newContactStruct);
  const { email, ...fields } = prepared.patch.fields;
  const at = scope.now();
  const patch = { ...prepared.patch, fields };
  // `newContactStruct` requires an email.
  const draft = { workspace: scope.workspace, id: newId(at), email: email!, patch, at, ...kind };
  return { ...prepared, draft };
}

async function write(scope: Scope, prepared: PreparedUpsert): Promise<Upserted> {
  return upsertedOf(scope, prepared, await upsertDraft(scope, prepared.draft));
}

async function upsertDraft({ storage, whenFull }: Scope, draft: ContactDraft): Promise<Written> {
  const [written] = await storage.upsertContacts([draft], { whenFull });
  // One draft has one result.
  return written!;
}

type Written = Awaited<ReturnType<Scope["storage"]["upsertContacts"]>>[number];

/** Returns the result of an upsert. Throws a refusal of the storage as a `TrackerError`. */
async function upsertedOf(
  scope: Scope,
  prepared: PreparedUpsert,
  written: Written,
  known?: Attributes,
): Promise<Upserted> {
  const { draft } = prepared;
  const { answer, attributes } = await withKnownAttributes(
    prepared,
    written,
    ({ attributes: values, definedAttributeIds }) =>
      upsertDraft(scope, { ...draft, patch: { ...draft.patch, attributes: values, definedAttributeIds } }),
  );
  const { contact, created } = accepted(answer);
  return { contact: await toContact(scope, contact, known ?? attributes), created };
}

/** The property that holds the `addContact` of a tracker, for visitors. Every copy of the package has the same symbol. */
export const addContactSymbol: unique symbol = Symbol.for("whodid.addContact");

export type AddContact = (workspace: string, contact: unknown) => Promise<void>;

export interface WithAddContact {
  [addContactSymbol]: AddContact;
}

/** Creates a contact. Throws `email_taken` if any contact has the email, and changes none. */
export async function addContact(scope: Scope, input: unknown): Promise<void> {
  const prepared = await prepareUpsert(scope, input, { insertOnly: true });
  const { workspace, email } = prepared.draft;
  // A look-up that locks nothing: a row of refusals must not delay the writes to the contact that has the email.
  const holder = await scope.storage.findContact(workspace, { email });
  if (holder) throw errorOf({ refused: { code: "email_taken", conflict: conflictBetween("email", null, holder) } });
  await write(scope, prepared);
}

export async function getContact(scope: Scope, identifier: unknown): Promise<Contact | null> {
  const contact = await scope.storage.findContact(scope.workspace, { externalId: parseExternalId(identifier) });
  return contact && toContact(scope, contact);
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

/** Resolves with `null` only if the options say `ifExists`. */
export async function deleteContact(
  scope: Scope,
  identifier: unknown,
  options: unknown = {},
): Promise<Deletion | null> {
  const { identifier: parsed } = parse({ identifier }, identifierOnlyStruct);
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

async function toContact(scope: Scope, row: ContactRow, known?: Attributes): Promise<Contact> {
  return showContact(row, await findAttributesOf(scope, [row], known));
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
