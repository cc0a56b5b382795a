/**
 * The rules of writing contacts, as pure functions over rows. A storage calls them inside its atomic section, so that every
 * storage decides alike.
 */
import { TrackerError, type Conflict, type ConflictingContact } from "./errors.ts";
import { attributesPerContactMax } from "./limits.ts";
import type { ContactDraft, ContactPatch, ContactRow } from "./storage.ts";
import { issue } from "./validation.ts";

/** Lowers A–Z and keeps every other code point: Unicode folding would make the Kelvin sign a `k` and merge two mailboxes. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The externalId that a contact is found by and shows. */
export function effectiveExternalId(contact: Pick<ContactRow, "email" | "externalId">): string {
  return contact.externalId ?? contact.email;
}

/** The contact that the draft creates where there is none of its email. */
export function createContact({ workspace, id, email, patch, at }: ContactDraft): ContactRow {
  return {
    workspace,
    id,
    email,
    externalId: null,
    name: null,
    phone: null,
    avatarUrl: null,
    role: null,
    plan: null,
    signedUpAt: null,
    ...patch.fields,
    attributes: mergeAttributes({}, patch.attributes),
    createdAt: at,
    updatedAt: at,
  };
}

/** The contact after the patch: `before` itself when nothing changes. */
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
 * Why `after` may not be written, or `null`. `before` is the contact as it stands, `null` for a new one; `holders` are the
 * contacts that now have the email and the effective externalId of `after`.
 */
export function refuseWrite(
  before: ContactRow | null,
  after: ContactRow,
  patch: ContactPatch,
  holders: { email: ContactRow | null; externalId: ContactRow | null },
): TrackerError | null {
  const counted = patch.definedAttributeIds.filter((id) => Object.hasOwn(after.attributes, id));
  if (counted.length > attributesPerContactMax) {
    const message = `Too long: at most ${attributesPerContactMax} attributes a contact.`;
    return new TrackerError("invalid_input", { issues: [issue("customAttributes", "too_long", message)] });
  }
  const { email, externalId } = holders;
  if (email && email.id !== after.id) {
    return new TrackerError("email_taken", { conflict: conflictBetween("email", before, email) });
  }
  if (externalId && externalId.id !== after.id) {
    return new TrackerError("external_id_taken", { conflict: conflictBetween("externalId", before, externalId) });
  }
  return null;
}

/** Whom an externalId means: who has exactly it, own or as email; else who has it, folded, as email and none of its own. */
export function chooseByExternalId<Contact extends Pick<ContactRow, "externalId">>(
  exact: Contact | null,
  byFoldedEmail: Contact | null,
): Contact | null {
  return exact ?? (byFoldedEmail?.externalId === null ? byFoldedEmail : null);
}

/** Which of the contacts found by externalId and by email an identifier means; both, when different, is a refusal. */
export function chooseForDeletion(
  byExternalId: ContactRow | null,
  byEmail: ContactRow | null,
): ContactRow | TrackerError {
  if (byExternalId && byEmail && byExternalId.id !== byEmail.id) {
    const conflict = conflictBetween("identifier", byExternalId, byEmail);
    return new TrackerError("ambiguous_identifier", { conflict });
  }
  return byExternalId ?? byEmail ?? new TrackerError("contact_not_found");
}

function conflictBetween(field: Conflict["field"], first: ContactRow | null, second: ContactRow): Conflict {
  return { field, contacts: [...(first ? [first] : []), second].map(toConflicting) };
}

function toConflicting(contact: ContactRow): ConflictingContact {
  return { id: contact.id, email: contact.email, externalId: effectiveExternalId(contact) };
}
