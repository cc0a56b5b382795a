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

/** Reads the contact that the externalId means, without a lock; `null` for none. */
export async function readContact(work: Work, workspace: string, externalId: string): Promise<ContactRow | null> {
  const located = { workspace, reference: { externalId } };
  return indexNames(await findNamed(work, [located], "")).choose(located);
}

/** Locks the contacts that the references mean, and reads them as they then are; `null` for none. */
export async function lockContacts(
  work: Work,
  wanted: readonly Located[],
): Promise<(ContactRow | null | typeof held)[]> {
  const locked = indexNames(
    await (work.waits ? lockNamed(work, wanted) : findNamed(work, wanted, "FOR UPDATE SKIP LOCKED")),
  );
  const isCertain = (located: Located): boolean => work.waits || locked.firstChoice(located) !== null;
  const uncertain = wanted.filter((located) => !isCertain(located));
  // What was left out is either held or absent: a plain read tells.
  const standing = indexNames(uncertain.length > 0 ? await findNamed(work, uncertain, "") : []);
  return wanted.map((located) => {
    if (isCertain(located)) return locked.choose(located);
    const chosen = standing.choose(located);
    return chosen && (locked.byId(chosen.id) ?? held);
  });
}

/**
 * By id whom the caller's snapshot shows: a lock taken by name keeps others from inserting the names next to it, and is taken
 * only for names that the snapshot does not show, or shows wrongly.
 */
async function lockNamed(work: Work, wanted: readonly Located[]): Promise<ContactRow[]> {
  const ids = (await findNamed(work, wanted, "")).map(({ id }) => id);
  const locked = ids.length > 0 ? (await work.rows(sql.findContactsById(ids, "FOR UPDATE"))).map(toContact) : [];
  const index = indexNames(locked);
  const rest = wanted.filter((located) => index.firstChoice(located) === null);
  return rest.length > 0 ? [...locked, ...(await findNamed(work, rest, "FOR UPDATE"))] : locked;
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

interface NameIndex {
  byId(id: string): ContactRow | null;
  /** Who has exactly the name, which nobody else can have. */
  firstChoice(located: Located): ContactRow | null;
  choose(located: Located): ContactRow | null;
}

function indexNames(contacts: readonly ContactRow[]): NameIndex {
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  const byEmail = new Map(contacts.map((contact) => [`${contact.workspace} ${contact.email}`, contact]));
  const byExternalId = new Map(
    contacts.map((contact) => [`${contact.workspace} ${effectiveExternalId(contact)}`, contact]),
  );
  const firstChoice = ({ workspace, reference }: Located): ContactRow | null =>
    ("email" in reference
      ? byEmail.get(`${workspace} ${reference.email}`)
      : byExternalId.get(`${workspace} ${reference.externalId}`)) ?? null;
  return {
    byId: (id) => byId.get(id) ?? null,
    firstChoice,
    choose(located) {
      const { workspace, reference } = located;
      const first = firstChoice(located);
      if ("email" in reference) return first;
      return chooseByExternalId(first, byEmail.get(`${workspace} ${foldEmail(reference.externalId)}`) ?? null);
    },
  };
}
