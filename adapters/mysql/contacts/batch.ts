import { changesOfContact } from "../../../lib/decisions/changes.ts";
import { namesOfContactChange } from "../../../lib/decisions/watches.ts";
import { effectiveExternalId } from "../../../lib/decisions/find-contact.ts";
import { inParts } from "../parts.ts";
import type { ContactDraft, ContactRow, ContactUpdate } from "../../../lib/storage/rows.ts";
import { contactStatements as sql, toContact } from "../sql/index.ts";
import type { Outbox } from "../changes/index.ts";
import { noData } from "../watches/index.ts";
import type { Work } from "../transactions/index.ts";

/** The contacts of one transaction in their final states, and the changes that are not yet written. */
export interface ContactBatch {
  /** Adds contacts that were read. A contact that is added again replaces the earlier one. */
  add(contacts: readonly ContactRow[], options?: { locked: boolean }): void;
  /** Whether this transaction has locked the contact, or creates it. */
  isLocked(contact: Pick<ContactRow, "id">): boolean;
  byEmail(workspace: string, email: string): ContactRow | null;
  byExternalId(workspace: string, effectiveExternalId: string): ContactRow | null;
  /** Whether an open transaction is about to give one of the contact's names to another contact. */
  isAwaited(contact: ContactRow): boolean;
  /** Whether the workspace has an attribute with this id. */
  isDefined(workspace: string, attributeId: string): boolean;
  /** Whether the workspace of the write is marked as deleted. */
  isDeleted: Outbox["isDeleted"];
  /** `before` is `null` for a new contact. */
  put(write: ContactDraft | ContactUpdate, before: ContactRow | null, after: ContactRow): Promise<void>;
  /** Writes the final states of the contacts that were put since the last `flush`, and their changes. */
  flush(): Promise<void>;
}

export function createContactBatch(work: Work, isDefined: ContactBatch["isDefined"], outbox: Outbox): ContactBatch {
  const contacts = new Map<string, ContactRow>();
  const ids = new Map<string, string>();
  const added = new Map<string, ContactRow>();
  const changed = new Map<string, ContactRow>();
  const given = new Set<string>();
  const lockedIds = new Set<string>();
  const awaited = new Set(work.uncommitted.map(toContact).flatMap(uniqueNamesOf));

  const find = (name: string): ContactRow | null => contacts.get(ids.get(name) ?? "") ?? null;
  const remove = (contact: ContactRow): void => uniqueNamesOf(contact).forEach((name) => ids.delete(name));
  const add = (contact: ContactRow): void => {
    const before = contacts.get(contact.id);
    if (before) remove(before);
    contacts.set(contact.id, contact);
    for (const name of uniqueNamesOf(contact)) ids.set(name, contact.id);
  };

  async function flush(): Promise<void> {
    for (const rows of inParts([...changed.values()], bytesOf)) await work.writeLater(sql.updateContacts(rows));
    for (const rows of inParts(sql.inOrderOfInserts([...added.values()]), bytesOf))
      await work.writeLater(sql.insertContacts(rows, outbox.clocks));
    await outbox.flush();
    for (const done of [added, changed, given]) done.clear();
  }

  return {
    add(rows, { locked } = { locked: false }) {
      rows.forEach(add);
      for (const name of rows.flatMap(uniqueNamesOf)) awaited.delete(name);
      if (locked) rows.forEach(({ id }) => lockedIds.add(id));
    },
    isLocked: ({ id }) => lockedIds.has(id),
    byEmail: (workspace, email) => find(emailName(workspace, email)),
    byExternalId: (workspace, externalId) => find(externalIdName(workspace, externalId)),
    isAwaited: (contact) => uniqueNamesOf(contact).some((name) => awaited.has(name)),
    isDefined,
    isDeleted: outbox.isDeleted,
    async put(write, before, after) {
      const names = uniqueNamesOf(after);
      // A statement writes its rows in any order, so an earlier statement must free a name that another contact takes.
      if (names.some((name) => given.has(name))) await flush();
      if (before) uniqueNamesOf(before).forEach((name) => names.includes(name) || given.add(name));
      add(after);
      lockedIds.add(after.id);
      const target = before === null || added.has(after.id) ? added : changed;
      target.set(after.id, after);
      outbox.add(write, () => changesOfContact(before, after));
      outbox.edit(write, {
        contactId: after.id,
        names: before && namesOfContactChange(before, after),
        before,
        apply: (data) => ({ ...(data ?? noData), row: after }),
        at: write.at,
      });
    },
    flush,
  };
}

/** The size of the resulting row: even a small patch can be merged into a contact of 3 MB. */
function bytesOf(row: ContactRow): number {
  return JSON.stringify(row).length;
}

function uniqueNamesOf(contact: ContactRow): [string, string] {
  const { workspace, email } = contact;
  return [emailName(workspace, email), externalIdName(workspace, effectiveExternalId(contact))];
}

function emailName(workspace: string, email: string): string {
  return `email ${workspace} ${email}`;
}

function externalIdName(workspace: string, externalId: string): string {
  return `externalId ${workspace} ${externalId}`;
}
