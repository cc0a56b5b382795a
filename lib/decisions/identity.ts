import type { Conflict, ConflictingContact } from "../errors.ts";
import type { ContactRow, Refused } from "../storage/rows.ts";

/** Lowers A–Z and keeps every other code point: Unicode folding would make the Kelvin sign a `k` and merge two mailboxes. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The externalId that a contact is found by and shows. */
export function effectiveExternalId(contact: Pick<ContactRow, "email" | "externalId">): string {
  return contact.externalId ?? contact.email;
}

/** Whom an externalId means: who has exactly it, own or as email; else who has it, folded, as email and none of its own. */
export function chooseByExternalId<Contact extends Pick<ContactRow, "externalId">>(
  exact: Contact | null,
  byFoldedEmail: Contact | null,
): Contact | null {
  return exact ?? (byFoldedEmail?.externalId === null ? byFoldedEmail : null);
}

export function conflictBetween(field: Conflict["field"], first: ContactRow | null, second: ContactRow): Conflict {
  return { field, contacts: [...(first ? [first] : []), second].map(toConflicting) };
}

function toConflicting(contact: ContactRow): ConflictingContact {
  return { id: contact.id, email: contact.email, externalId: effectiveExternalId(contact) };
}

/** Which of the contacts found by externalId and by email an identifier means; both, when different, is a refusal. */
export function chooseForDeletion(byExternalId: ContactRow | null, byEmail: ContactRow | null): ContactRow | Refused {
  if (byExternalId && byEmail && byExternalId.id !== byEmail.id) {
    const conflict = conflictBetween("identifier", byExternalId, byEmail);
    return { refused: { code: "ambiguous_identifier", conflict } };
  }
  return byExternalId ?? byEmail ?? { refused: { code: "contact_not_found" } };
}
