/** Writes contacts by drafts: upserts by email and by externalId, one or many. */
import { findAttributesOf, type Attributes } from "../definitions/attributes.ts";
import type { Sized } from "../bulk/groups.ts";
import { settle } from "../bulk/item-results.ts";
import type { GroupWrites } from "../bulk/many.ts";
import { beginInCallOrder, type Begun } from "./call-order.ts";
import { prepareChange, withKnownAttributes, type PreparedChange } from "./patches.ts";
import { namesIn, toContact } from "./index.ts";
import { conflictBetween } from "../decisions/find-contact.ts";
import { parse } from "../input/shapes.ts";
import * as structs from "../input/structs.ts";
import type { Contact } from "../model/contact-types.ts";
import { issue } from "../model/errors.ts";
import { newId } from "../model/ids.ts";
import { itemsPerTurn } from "../model/limits.ts";
import type { Scope } from "../scope.ts";
import { accepted, errorOf } from "../storage/refusals.ts";
import type { ContactDraft, ContactPatch, ContactReference, Silenceable } from "../storage/rows.ts";

/** The result of an upsert. */
export interface Upserted {
  contact: Contact;
  created: boolean;
}

export async function upsertContact(scope: Scope, input: unknown, prepare?: Prepare): Promise<Upserted> {
  return (await beginUpsert(scope, input, {}, prepare)).result;
}

/** Upserts the contact with this externalId. */
export async function putContact(scope: Scope, identifier: unknown, input: unknown): Promise<Upserted> {
  const begun = await beginInCallOrder(scope, [identifier, ...namesIn(input)], async () => {
    const externalId = structs.parseExternalId(identifier);
    const { externalId: named = externalId } = Object(input) as { externalId?: unknown };
    const issues = named === externalId ? [] : [issue("externalId", "invalid_format", otherExternalId)];
    const change = await prepareChange(scope, input, structs.contactChangesStruct, issues);
    const prepared = draftByExternalId(scope, change, externalId, {});
    return () => write(scope, prepared);
  });
  return begun.result;
}

const otherExternalId = "Must be left out, or equal to the externalId that the contact is found by.";

/** Prepares an item of a list or a batch. */
type Prepare = (scope: Scope, item: unknown, silence: Silenceable) => Promise<PreparedUpsert>;

/** How `writeMany` and `writeArray` write contacts. */
export function contactWrites(
  scope: Scope,
  prepareItem: Prepare,
  options: unknown = {},
): GroupWrites<unknown, PreparedUpsert & Sized, Upserted> {
  const silence = structs.silenceOf(parse(options, structs.manyOptionsStruct));
  return {
    itemsMax: itemsPerTurn,
    async prepare(input) {
      const prepared = await prepareItem(scope, input, silence);
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
export function beginUpsert(
  scope: Scope,
  input: unknown,
  silence: Silenceable = {},
  prepare: Prepare = prepareUpsert,
): Promise<Begun<Upserted>> {
  return beginInCallOrder(scope, namesIn(input), async () => {
    const prepared = await prepare(scope, input, silence);
    return () => write(scope, prepared);
  });
}

interface PreparedUpsert extends PreparedChange {
  draft: ContactDraft;
}

export async function prepareUpsert(
  scope: Scope,
  input: unknown,
  kind: Pick<ContactDraft, "notify" | "insertOnly">,
): Promise<PreparedUpsert> {
  const prepared = await prepareChange(scope, input, structs.newContactStruct);
  const { email, ...fields } = prepared.patch.fields;
  // `newContactStruct` requires an email.
  return newDraft(scope, prepared, { email: email! }, fields, kind);
}

export async function preparePut(scope: Scope, input: unknown, silence: Silenceable): Promise<PreparedUpsert> {
  const prepared = await prepareChange(scope, input, structs.putContactStruct);
  // `putContactStruct` requires an externalId.
  return draftByExternalId(scope, prepared, prepared.patch.fields.externalId!, silence);
}

/** Prepares a contact with an externalId of its own as `put` does, and any other as `upsert` does. */
export function prepareByOwnId(scope: Scope, input: unknown, silence: Silenceable): Promise<PreparedUpsert> {
  const { externalId } = Object(input) as { externalId?: unknown };
  return (typeof externalId === "string" ? preparePut : prepareUpsert)(scope, input, silence);
}

function draftByExternalId(
  scope: Scope,
  prepared: PreparedChange,
  externalId: string,
  silence: Silenceable,
): PreparedUpsert {
  const { externalId: _, ...fields } = prepared.patch.fields;
  return newDraft(scope, prepared, { externalId }, fields, silence);
}

function newDraft(
  { workspace, now }: Scope,
  prepared: PreparedChange,
  contact: ContactReference,
  fields: ContactPatch["fields"],
  kind: Pick<ContactDraft, "notify" | "insertOnly">,
): PreparedUpsert {
  const at = now();
  return {
    ...prepared,
    draft: { workspace, id: newId(at), contact, patch: { ...prepared.patch, fields }, at, ...kind },
  };
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
  const { workspace, contact } = prepared.draft;
  // First looks for the email without a lock: many refused calls must not delay writes to the contact that has the email.
  const holder = await scope.storage.findContact(workspace, contact);
  if (holder) throw errorOf({ refused: { code: "email_taken", conflict: conflictBetween("email", null, holder) } });
  await write(scope, prepared);
}
