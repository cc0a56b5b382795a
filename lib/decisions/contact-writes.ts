/**
 * The rules for writing contacts: pure functions over rows. A storage calls them inside its transaction, so that all
 * storages decide in the same way.
 */
import { issue } from "../model/errors.ts";
import { attributesPerContactMax } from "../model/limits.ts";
import type { ContactDraft, ContactFields, ContactPatch, ContactRow, ContactUpdate, Refused } from "../storage/rows.ts";
import { emptyPlainFields } from "../model/contact-types.ts";
import { conflictBetween } from "./find-contact.ts";

/** The contacts that have the new email and the new effective externalId before the write. */
export interface Holders {
  email: ContactRow | null;
  externalId: ContactRow | null;
}

/**
 * Decides the result of a write. `before` is the stored contact, `null` if there is none. Returns the contact to store,
 * which is `before` itself if nothing changes, or a refusal. A draft with `insertOnly` patches no contact: `before` holds its
 * email, so it is refused. Calls `holdersOf` once, or not at all if there is no contact to write. A storage that cannot know
 * the holders yet returns a symbol from `holdersOf`, and gets that symbol back.
 */
export function decideContactWrite<Found extends Holders | symbol>(
  write: ContactDraft | ContactUpdate,
  before: ContactRow | null,
  holdersOf: (after: ContactRow) => Found,
): ContactRow | Refused | Extract<Found, symbol> {
  const isUpdate = "externalId" in write;
  const patched = isUpdate || !write.insertOnly ? before : null;
  const { patch, at } = isUpdate ? write : { ...write, patch: { ...write.patch, fields: writtenFields(write) } };
  const created = patched || isUpdate ? null : createContact(write);
  const after = patched ? patchContact(patched, patch, at) : created;
  if (!after) return isUpdate ? { refused: { code: "contact_not_found" } } : noEmail;
  const holders = holdersOf(after);
  if (typeof holders === "symbol") return holders as Extract<Found, symbol>;
  return refuseWrite(patched, after, write.patch, holders) ?? after;
}

const noEmail: Refused = {
  refused: {
    code: "invalid_input",
    issues: [issue("email", "required", "Required to create a contact with this externalId.")],
  },
};

/** Whether the answer is the refusal of an upsert by externalId that found no contact and has no email. */
export function lacksEmail(answer: object): boolean {
  return answer === noEmail;
}

/** The fields that the draft writes, its email or externalId included. */
export function writtenFields({ contact, patch }: ContactDraft): Partial<ContactFields> {
  return { ...patch.fields, ...contact };
}

/** The contact that the draft creates if it finds none; `null` without an email. */
export function createContact(draft: ContactDraft): ContactRow | null {
  const { workspace, id, patch, at } = draft;
  const { email, ...fields } = writtenFields(draft);
  if (email === undefined) return null;
  return {
    workspace,
    id,
    email,
    externalId: null,
    ...emptyPlainFields,
    signedUpAt: null,
    ...fields,
    attributes: mergeAttributes({}, patch.attributes),
    createdAt: at,
    updatedAt: at,
  };
}

/** The contact after the patch. Returns `before` itself if nothing changes. */
export function patchContact(before: ContactRow, patch: ContactPatch, at: number): ContactRow {
  const after = { ...before, ...patch.fields, attributes: mergeAttributes(before.attributes, patch.attributes) };
  return isSame(before, after) ? before : { ...after, updatedAt: at };
}

function mergeAttributes(
  before: ContactRow["attributes"],
  changes: ContactPatch["attributes"],
): ContactRow["attributes"] {
  const after = { ...before };
  for (const [id, value] of Object.entries(changes)) {
    if (value === null) delete after[id];
    else after[id] = value;
  }
  return after;
}

function isSame(before: ContactRow, after: ContactRow): boolean {
  const ids = Object.keys(before.attributes);
  return (
    (Object.keys(before) as (keyof ContactRow)[]).every((key) => key === "attributes" || before[key] === after[key]) &&
    ids.length === Object.keys(after.attributes).length &&
    ids.every((id) => before.attributes[id] === after.attributes[id])
  );
}

/**
 * The refusal of a patch with an attribute id that is not defined, or not any more; `null` if all ids are defined. After a
 * refusal the library repeats the write with the attributes that are defined then.
 */
export function refusalOfAttributes({ attributes }: ContactPatch, isDefined: (id: string) => boolean): Refused | null {
  return Object.keys(attributes).every(isDefined) ? null : { refused: { code: "definition_not_found" } };
}

/** Whether the answer is a refusal of `refusalOfAttributes`. */
export function namesUnknownAttribute(answer: object | null): boolean {
  return answer !== null && "refused" in answer && (answer as Refused).refused.code === "definition_not_found";
}

/** Why `after` may not be written, or `null`. `before` is the contact as it stands, `null` for a new one. */
export function refuseWrite(
  before: ContactRow | null,
  after: ContactRow,
  patch: ContactPatch,
  holders: Holders,
): Refused | null {
  const counted = patch.definedAttributeIds.filter((id) => Object.hasOwn(after.attributes, id));
  if (counted.length > attributesPerContactMax) {
    const message = `Too long: at most ${attributesPerContactMax} attributes a contact.`;
    return { refused: { code: "invalid_input", issues: [issue("customAttributes", "too_long", message)] } };
  }
  const { email, externalId } = holders;
  if (email && email.id !== after.id) {
    return { refused: { code: "email_taken", conflict: conflictBetween("email", before, email) } };
  }
  if (externalId && externalId.id !== after.id) {
    return { refused: { code: "external_id_taken", conflict: conflictBetween("externalId", before, externalId) } };
  }
  return null;
}
