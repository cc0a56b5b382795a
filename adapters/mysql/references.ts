import { chooseByExternalId, effectiveExternalId, foldEmail } from "../../lib/contact-writes.ts";
import type { ContactReference, ContactRow } from "../../lib/storage.ts";
import { toContact } from "./rows.ts";
import * as sql from "./statements/contacts.ts";
import type { Lock, Name } from "./statements/contacts.ts";
import { held, type Work } from "./transactions.ts";

/** Whom to find, and where. */
export interface Located {
  workspace: string;
  reference: ContactReference;
}

/** Reads the contacts that the references mean, without a lock; `null` for none. */
export async function readContacts(work: Work, wanted: readonly Located[]): Promise<(ContactRow | null)[]> {
  const contacts = await findNamed(work, wanted, "");
  return wanted.map((located) => choose(contacts, located));
}

/** Locks the contacts that the references mean, and reads them as they then are; `null` for none. */
export async function lockContacts(
  work: Work,
  wanted: readonly Located[],
): Promise<(ContactRow | null | typeof held)[]> {
  const locked = await findNamed(work, wanted, work.waits ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED");
  const isCertain = ({ workspace, reference }: Located): boolean =>
    work.waits || locked.some((contact) => contact.workspace === workspace && isFirstChoice(contact, reference));
  const uncertain = wanted.filter((located) => !isCertain(located));
  // What was left out is either held or absent: a plain read tells.
  const standing = uncertain.length > 0 ? await findNamed(work, uncertain, "") : [];
  return wanted.map((located) => {
    if (isCertain(located)) return choose(locked, located);
    const chosen = choose(standing, located);
    return chosen && (locked.find(({ id }) => id === chosen.id) ?? held);
  });
}

/** The same by id, which must be one of the workspace. */
export async function lockContact(work: Work, id: string): Promise<ContactRow | null | typeof held> {
  const [locked] = await work.rows(sql.findContactsById([id], work.waits ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED"));
  if (locked) return toContact(locked);
  const [standing] = work.waits ? [] : await work.rows(sql.findContactsById([id], ""));
  return standing ? held : null;
}

async function findNamed(work: Work, wanted: readonly Located[], lock: Lock): Promise<ContactRow[]> {
  const externalIds: Name[] = [];
  const emails: Name[] = [];
  for (const { workspace, reference } of wanted) {
    if ("email" in reference) emails.push([workspace, reference.email]);
    else for (const text of namesOf(reference.externalId)) externalIds.push([workspace, text]);
  }
  const rows = [
    ...(externalIds.length > 0 ? await work.rows(sql.findContactsByExternalId(distinct(externalIds), lock)) : []),
    ...(emails.length > 0 ? await work.rows(sql.findContactsByEmail(distinct(emails), lock)) : []),
  ];
  return rows.map(toContact);
}

/** An externalId that is given may also be meant as the email of a contact without one. */
function namesOf(externalId: string): Set<string> {
  return new Set([externalId, foldEmail(externalId)]);
}

/** Each of them once, so that no row is found twice. */
export function distinct(names: readonly Name[]): Name[] {
  return [...new Map(names.map((name) => [name.join(" "), name])).values()];
}

function choose(contacts: readonly ContactRow[], { workspace, reference }: Located): ContactRow | null {
  const there = contacts.filter((contact) => contact.workspace === workspace);
  const first = there.find((contact) => isFirstChoice(contact, reference)) ?? null;
  if ("email" in reference) return first;
  const email = foldEmail(reference.externalId);
  return chooseByExternalId(first, there.find((contact) => contact.email === email) ?? null);
}

function isFirstChoice(contact: ContactRow, reference: ContactReference): boolean {
  if ("email" in reference) return contact.email === reference.email;
  return effectiveExternalId(contact) === reference.externalId;
}
