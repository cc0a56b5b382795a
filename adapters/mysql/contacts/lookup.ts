import { chooseByExternalId, effectiveExternalId, foldEmail } from "../../../lib/decisions/find-contact.ts";
import type { ContactReference, ContactRow } from "../../../lib/storage/rows.ts";
import {
  id as toId,
  toContact,
  toContactNames,
  contactStatements as sql,
  type Fragment,
  type Row,
  type FindByName,
  type Lock,
  type Name,
} from "../sql/index.ts";
import { distinct, spellingsOf } from "./names.ts";
import { assertCaughtUp, rowLocked, type Work } from "../transactions/index.ts";

/** A reference to a contact, and its workspace. */
export interface Located {
  workspace: string;
  reference: ContactReference;
}

/** The columns by which a contact is found. */
export type ContactNames = Pick<ContactRow, "id" | "workspace" | "email" | "externalId">;

/** The columns to read of a contact, and the function that makes an object of them. */
export interface Reading<Contact> {
  columns: Fragment;
  read(this: void, row: Row): Contact;
}

export const wholeContacts: Reading<ContactRow> = { columns: sql.contactColumns, read: toContact };

export const namesOnly: Reading<ContactNames> = { columns: sql.nameColumns, read: toContactNames };

/** Reads the contact without locking it; `null` if there is none. */
export async function readContact(work: Work, located: Located): Promise<ContactRow | null> {
  const found = indexNames(await findNamed(work, [located], wholeContacts, "")).choose(located);
  if (!found) assertCaughtUp(work);
  return found;
}

/** Locks the contacts, then reads them. `null` for a reference that finds none. */
export async function lockContacts<Contact extends ContactNames>(
  work: Work,
  wanted: readonly Located[],
  reading: Reading<Contact>,
): Promise<(Contact | null | typeof rowLocked)[]> {
  const waits = work.waits || work.inLine;
  const locked = indexNames(
    await (waits ? lockNamed(work, wanted, reading) : findNamed(work, wanted, reading, "FOR UPDATE SKIP LOCKED")),
  );
  if (waits) return wanted.map(locked.choose);
  const chosen = wanted.map(locked.firstChoice);
  const missed = wanted.filter((_, index) => chosen[index] === null);
  if (missed.length === 0) return chosen;
  // A row that SKIP LOCKED left out is locked or absent. A read without a lock shows which.
  const standing = indexNames(await findNamed(work, missed, reading, ""));
  return wanted.map((located, index) => {
    if (chosen[index]) return chosen[index];
    const shown = standing.choose(located);
    return shown && (locked.byId(shown.id) ?? rowLocked);
  });
}

/**
 * Locks the contacts of the caller's snapshot by id. A lock by name also locks the gap next to it against inserts. So only contacts
 * that the snapshot lacks, or has under old names, are locked by name.
 */
async function lockNamed<Contact extends ContactNames>(
  work: Work,
  wanted: readonly Located[],
  reading: Reading<Contact>,
): Promise<Contact[]> {
  const ids = (await findNamed(work, wanted, namesOnly, "")).map(({ id }) => id);
  const rows = ids.length > 0 ? await work.rows(sql.findContactsById(ids, "FOR UPDATE")) : [];
  const locked = rows.map(reading.read);
  const index = indexNames(locked);
  const rest = wanted.filter((located) => index.firstChoice(located) === null);
  return rest.length > 0 ? [...locked, ...(await findNamed(work, rest, reading, "FOR UPDATE"))] : locked;
}

/** Locks and reads a contact by its id, which must belong to the workspace. */
export async function lockContact(work: Work, id: string): Promise<ContactRow | null | typeof rowLocked> {
  const [locked] = await work.rows(sql.findContactsById([id], work.waits ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED"));
  if (locked) return toContact(locked);
  const [standing] = work.waits ? [] : await work.rows(sql.findContactsById([id], ""));
  return standing ? rowLocked : null;
}

/** Locks the contacts that no other transaction has locked. Resolves with their ids. */
export async function lockFree(work: Work, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await work.rows(sql.findContactsById(ids, "FOR UPDATE SKIP LOCKED", sql.idColumn));
  return new Set(rows.map((row) => toId(row.id)));
}

async function findNamed<Contact>(
  work: Work,
  wanted: readonly Located[],
  { columns, read }: Reading<Contact>,
  lock: Lock,
): Promise<Contact[]> {
  const externalIds: Name[] = [];
  const emails: Name[] = [];
  for (const { workspace, reference } of wanted) {
    if ("email" in reference) emails.push([workspace, reference.email]);
    else for (const text of spellingsOf(reference.externalId)) externalIds.push([workspace, text]);
  }
  const found: Contact[] = [];
  const find = async (findBy: FindByName, names: readonly Name[]): Promise<void> => {
    if (names.length > 0)
      for (const row of await work.rows(findBy(distinct(names), lock, columns))) found.push(read(row));
  };
  await find(sql.findContactsByExternalId, externalIds);
  await find(sql.findContactsByEmail, emails);
  return found;
}

interface NameIndex<Contact> {
  byId(id: string): Contact | null;
  /** The contact that matches exactly; at most one contact does. */
  firstChoice(this: void, located: Located): Contact | null;
  choose(this: void, located: Located): Contact | null;
}

function indexNames<Contact extends ContactNames>(contacts: readonly Contact[]): NameIndex<Contact> {
  const byEmail = new Map<string, Contact>();
  const byExternalId = new Map<string, Contact>();
  for (const contact of contacts) {
    byEmail.set(`${contact.workspace} ${contact.email}`, contact);
    byExternalId.set(`${contact.workspace} ${effectiveExternalId(contact)}`, contact);
  }
  const firstChoice = ({ workspace, reference }: Located): Contact | null =>
    ("email" in reference
      ? byEmail.get(`${workspace} ${reference.email}`)
      : byExternalId.get(`${workspace} ${reference.externalId}`)) ?? null;
  return {
    byId: (id) => contacts.find((contact) => contact.id === id) ?? null,
    firstChoice,
    choose(located) {
      const { workspace, reference } = located;
      const first = firstChoice(located);
      if ("email" in reference) return first;
      return chooseByExternalId(first, byEmail.get(`${workspace} ${foldEmail(reference.externalId)}`) ?? null);
    },
  };
}
