import { TrackerError } from "./errors.ts";
import { findAttributes, toAttributes, toCustomAttributes, type Attributes } from "./attributes.ts";
import { effectiveExternalId, foldEmail } from "./decisions/identity.ts";
import { contactPageRequestStruct, contactSliceOf, encodeContactCursor, pageOf } from "./input/pages.ts";
import { namesUnknownAttribute } from "./decisions/contact-writes.ts";
import { refusedAfresh, type ListOptions } from "./definitions.ts";
import { newId } from "./ids.ts";
import { attributeTriesMax, itemsPerTurn } from "./limits.ts";
import { accepted } from "./refusals.ts";
import type { Scope } from "./scope.ts";
import type { Sized } from "./groups.ts";
import { settle } from "./item-results.ts";
import { writeMany, type GroupWrites, type ItemSource, type OnResult, type WriteCounts } from "./many.ts";
import type { ContactDraft, ContactFields, ContactPatch, ContactRow, Refused } from "./storage/rows.ts";
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
  deletionOptionsStruct,
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

interface PreparedUpsert extends Prepared {
  draft: ContactDraft;
}

async function prepareUpsert(scope: Scope, input: unknown): Promise<PreparedUpsert> {
  const prepared = await prepare(scope, input, newContactStruct);
  const { email, ...fields } = prepared.patch.fields;
  const at = scope.now();
  // `newContactStruct` requires an email.
  const draft = { workspace: scope.workspace, id: newId(at), email: email!, patch: { ...prepared.patch, fields }, at };
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

/** Throws what the contact is refused with. */
async function upsertedOf(scope: Scope, prepared: PreparedUpsert, written: Written): Promise<Upserted> {
  const { draft } = prepared;
  const { answer, attributes } = await withKnownAttributes(
    prepared,
    written,
    ({ attributes: values, definedAttributeIds }) =>
      upsertDraft(scope, { ...draft, patch: { ...draft.patch, attributes: values, definedAttributeIds } }),
  );
  const { contact, created } = accepted(answer);
  return { contact: await toContact(scope, contact, attributes), created };
}

export async function getContact(scope: Scope, identifier: unknown): Promise<Contact | null> {
  const contact = await scope.storage.findContact(scope.workspace, parseExternalId(identifier));
  return contact && toContact(scope, contact);
}

export async function updateContact(scope: Scope, identifier: unknown, changes: unknown): Promise<Contact> {
  const externalId = parseExternalId(identifier);
  const prepared = await prepare(scope, changes, contactChangesStruct);
  const { storage, workspace } = scope;
  const at = scope.now();
  const update = (patch: ContactPatch): Promise<ContactRow | Refused> =>
    storage.updateContact({ workspace, externalId, patch, at });
  const { answer, attributes } = await withKnownAttributes(prepared, await update(prepared.patch), update);
  return toContact(scope, accepted(answer), attributes);
}

/** Resolves with `null` only if the options say `ifExists`. */
export async function deleteContact(
  scope: Scope,
  identifier: unknown,
  options: unknown = {},
): Promise<Deletion | null> {
  const { identifier: parsed } = parse({ identifier }, identifierOnlyStruct);
  const { ifExists = false } = parse(options, deletionOptionsStruct);
  const deleted = await scope.storage.deleteContact(scope.workspace, parsed);
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

interface Decided {
  patch: ContactPatch;
  attributes: Attributes | undefined;
}

/** A change that was compared with the attributes, and the function that compares it with those of another list. */
interface Prepared extends Decided {
  decide(options: ListOptions): Promise<Decided>;
}

/**
 * Writes again, by attributes that are listed anew, while the storage does not find one of those before: another process has
 * deleted it, and may have defined its key again. Throws `storage_unavailable` after some tries. Nothing is written then.
 */
async function withKnownAttributes<Answer extends object>(
  prepared: Prepared,
  first: Answer,
  repeat: (patch: ContactPatch) => Promise<Answer>,
): Promise<{ answer: Answer; attributes: Attributes | undefined }> {
  let { attributes } = prepared;
  let answer = first;
  for (let tries = 1; namesUnknownAttribute(answer); tries++) {
    if (tries === attributeTriesMax) throw new TrackerError("storage_unavailable");
    const decided = await prepared.decide({ maxAgeMs: 0 });
    attributes = decided.attributes;
    answer = await repeat(decided.patch);
  }
  return { answer, attributes };
}

/**
 * Validates and copies the input before the first `await`. The attributes are compared with their definitions after it, and
 * the issues of both are thrown together.
 */
async function prepare(
  scope: Scope,
  input: unknown,
  struct: typeof contactChangesStruct | typeof newContactStruct,
): Promise<Prepared> {
  const { value, issues } = check(input, struct as typeof contactChangesStruct);
  const fields = issues.length === 0 ? toFields(value) : {};
  const sent = (value as Partial<ContactChanges> | null)?.customAttributes;
  if (sent === undefined || check(sent, customAttributesStruct).issues.some(({ path }) => path === "")) {
    refuse(issues);
    const decided = { patch: { fields, attributes: {}, definedAttributeIds: [] }, attributes: undefined };
    return { ...decided, decide: async () => decided };
  }
  // A value of the wrong shape already has an issue. Without it here, no key gets two.
  for (const { path } of check(sent, customAttributesStruct).issues) delete sent[path];
  const decide = async (options: ListOptions): Promise<Decided> => {
    const attributes = await findAttributes(scope, options);
    const { values, issues: more } = toAttributes(sent, attributes);
    refuse([...issues, ...more]);
    return { patch: { fields, attributes: values, definedAttributeIds: [...attributes.byId.keys()] }, attributes };
  };
  return { ...(await refusedAfresh(decide)), decide };
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
