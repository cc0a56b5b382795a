/**
 * Finds the contact that an identifier names. Whether a write may take an email or externalId is decided by `refuseWrite` in
 * `contact-writes.ts`.
 */
import { foldEmail } from "../model/emails.ts";
import type { Conflict, ConflictingContact } from "../model/errors.ts";
import type { ContactDraft, ContactRow, Refused } from "../storage/rows.ts";

export { foldEmail } from "../model/emails.ts";

/** The externalId that finds the contact and that answers show: its own, or else its email. */
export function effectiveExternalId(contact: Pick<ContactRow, "email" | "externalId">): string {
  return contact.externalId ?? contact.email;
}

/** Whether the folded email, externalId or name begins with the query, which is folded already. */
export function isFound({ email, externalId, name }: ContactRow, query: string): boolean {
  return [email, externalId, name].some((text) => text !== null && foldEmail(text).startsWith(query));
}

/**
 * A word of a name begins after each of these characters. They are those of ASCII but letters, digits and most controls, and some
 * spaces, dashes, dots and quotation marks. They are listed, because `\p` differs between versions of Unicode.
 */
export const wordSeparators: readonly string[] = Array.from(
  "\t\n\r !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" +
    "\u00a0\u00b7\u2010\u2011\u2012\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb\u3000\u30fb",
);

/** The part of an email that the query finds: what stands behind the `@` begins with it. The query may have the `@` itself. */
export function partOfEmail(query: string): string {
  return query.startsWith("@") ? query : `@${query}`;
}

/**
 * Whether a later word of the folded name, or the part of the email behind the `@`, begins with the query, which is folded already.
 * A word is a place where the query can begin. It may go on over further words.
 */
export function isFoundByWord({ email, name }: Pick<ContactRow, "email" | "name">, query: string): boolean {
  const folded = foldEmail(name ?? "");
  return (
    email.includes(partOfEmail(query)) ||
    (folded.includes(query) && wordSeparators.some((separator) => folded.includes(separator + query)))
  );
}

/** Chooses the contact that an externalId finds: the exact match, or else the match by email if it has no own externalId. */
export function chooseByExternalId<Contact extends Pick<ContactRow, "externalId">>(
  exact: Contact | null,
  byFoldedEmail: Contact | null,
): Contact | null {
  return exact ?? (byFoldedEmail?.externalId === null ? byFoldedEmail : null);
}

/**
 * Chooses the contact that a draft writes, among those with an effective externalId and those with a folded email. A draft by
 * externalId finds it as `findContact` does, or else a contact without an externalId of its own by the email of the patch.
 */
export function chooseForUpsert(
  { contact, patch }: ContactDraft,
  byExternalId: (effectiveExternalId: string) => ContactRow | null,
  byEmail: (email: string) => ContactRow | null,
): ContactRow | null {
  if ("email" in contact) return byEmail(contact.email);
  const { externalId } = contact;
  const found = chooseByExternalId(byExternalId(externalId), byEmail(foldEmail(externalId)));
  const { email } = patch.fields;
  return found ?? chooseByExternalId(null, email === undefined ? null : byEmail(email));
}

export function conflictBetween(field: Conflict["field"], first: ContactRow | null, second: ContactRow): Conflict {
  return { field, contacts: [...(first ? [first] : []), second].map(toConflicting) };
}

function toConflicting(contact: ContactRow): ConflictingContact {
  return { id: contact.id, email: contact.email, externalId: effectiveExternalId(contact) };
}

/** Chooses between the contacts that an identifier finds by externalId and by email. Refuses if they are different. */
export function chooseForDeletion(byExternalId: ContactRow | null, byEmail: ContactRow | null): ContactRow | Refused {
  if (byExternalId && byEmail && byExternalId.id !== byEmail.id) {
    const conflict = conflictBetween("identifier", byExternalId, byEmail);
    return { refused: { code: "ambiguous_identifier", conflict } };
  }
  return byExternalId ?? byEmail ?? { refused: { code: "contact_not_found" } };
}
