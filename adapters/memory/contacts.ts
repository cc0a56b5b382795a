import { changeOfDeletion, changesOfContact } from "../../lib/decisions/changes.ts";
import { decideContactWrite, refusalOfAttributes } from "../../lib/decisions/contact-writes.ts";
import { fillPage } from "../../lib/decisions/pages.ts";
import { namesOfContactChange } from "../../lib/decisions/watches.ts";
import {
  chooseForDeletion,
  chooseForUpsert,
  chooseByExternalId,
  effectiveExternalId,
  foldEmail,
  isFound,
  isFoundByWord,
} from "../../lib/decisions/find-contact.ts";
import type {
  ContactSlice,
  ContactReference,
  ContactUpdate,
  ContactDraft,
  ContactRow,
  ContactRows,
  Position,
  Refused,
  Silenceable,
} from "../../lib/storage/rows.ts";
import { compare } from "./order.ts";
import { logChanges } from "./log.ts";
import { assertKnownRules, dataOf, noticeEdit } from "./watches/index.ts";
import { findByEffectiveExternalId, findByEmail, putContact, removeContact, type Tables } from "./tables.ts";
import type { View } from "./view.ts";

export function upsertContact(view: View, draft: ContactDraft): { contact: ContactRow; created: boolean } | Refused {
  const tables = view.makeTables(draft.workspace);
  const before = chooseForUpsert(
    draft,
    (externalId) => findByEffectiveExternalId(tables, externalId),
    (email) => findByEmail(tables, email),
  );
  const after = write(view, tables, draft, before);
  return "refused" in after ? after : { contact: copyOf(after), created: before === null };
}

export function updateContact(view: View, update: ContactUpdate): ContactRow | Refused {
  const tables = view.tables(update.workspace);
  const after = write(view, tables, update, findContact(tables, update));
  return "refused" in after ? after : copyOf(after);
}

export function deleteContact(
  view: View,
  workspace: string,
  identifier: string,
  at: number,
): { contactId: string; events: number } | Refused {
  const tables = view.tables(workspace);
  const chosen = chooseForDeletion(
    findContact(tables, { externalId: identifier }),
    findByEmail(tables, foldEmail(identifier)),
  );
  if ("refused" in chosen) return chosen;
  // The contact was found in these tables.
  const record = tables.contacts.get(chosen.id)!;
  view.claim(workspace, () => [
    ...namesClaimedBy(chosen),
    ...record.events.flatMap(({ idempotencyHash }) => idempotencyHash ?? []),
  ]);
  removeContact(tables, record);
  logChanges(tables, {}, () => [changeOfDeletion(chosen, at)]);
  return { contactId: chosen.id, events: record.events.length };
}

export function findContact(tables: Tables, reference: ContactReference): ContactRow | null {
  if ("email" in reference) return findByEmail(tables, reference.email);
  const exact = findByEffectiveExternalId(tables, reference.externalId);
  return chooseByExternalId(exact, exact ? null : findByEmail(tables, foldEmail(reference.externalId)));
}

export function listContacts({ contacts }: Tables, slice: ContactSlice): ContactRows {
  const { after, order, query } = slice;
  const inOrder = (a: Position, b: Position): number => (order === "oldest" ? compare(a, b) : compare(b, a));
  const beyond = (rows: ContactRow[], start: Position | null): ContactRow[] =>
    rows.filter((row) => !start || inOrder(row, start) > 0).sort(inOrder);
  const beginnings: ContactRow[] = [];
  const byWord: ContactRow[] = [];
  for (const { row } of contacts.values()) {
    if (isFound(row, query)) beginnings.push(row);
    else if (isFoundByWord(row, query)) byWord.push(row);
  }
  const first = after?.byWord ? [] : beyond(beginnings, after);
  const page = fillPage([...first, ...beyond(byWord, after?.byWord ? after : null)], slice, copyOf);
  const { createdAt, id } = page.rows.at(-1) ?? { createdAt: 0, id: "" };
  return page.more && page.rows.length > first.length ? { ...page, next: { createdAt, id, byWord: true } } : page;
}

export function countContacts({ contacts }: Tables): number {
  return [...contacts.values()].length;
}

export function copyOf(row: ContactRow): ContactRow {
  return { ...row, attributes: { ...row.attributes } };
}

/** Decides the change and writes it. Returns the resulting contact, or the refusal. */
function write(
  view: View,
  tables: Tables,
  change: (ContactDraft | ContactUpdate) & Silenceable,
  before: ContactRow | null,
): ContactRow | Refused {
  const isDefined = (id: string): boolean => tables.definitions("attribute").some((row) => row.id === id);
  const refusal = refusalOfAttributes(change.patch, isDefined);
  if (refusal) return refusal;
  const after = decideContactWrite(change, before, (wanted) => {
    view.claim(wanted.workspace, () => [...(before ? namesClaimedBy(before) : []), ...namesClaimedBy(wanted)]);
    return {
      email: findByEmail(tables, wanted.email),
      externalId: findByEffectiveExternalId(tables, effectiveExternalId(wanted)),
    };
  });
  if ("refused" in after || after === before) return after;
  const names = before && namesOfContactChange(before, after);
  assertKnownRules(tables, after.id, names);
  const edited = before && dataOf(tables, tables.edit(before.id));
  putContact(tables, before, after);
  logChanges(tables, change, () => changesOfContact(before, after));
  noticeEdit(tables, change, () => ({
    names,
    before: edited,
    after: dataOf(tables, tables.edit(after.id)),
    at: change.at,
  }));
  return after;
}

/** The names that only one transaction at a time can write: the contact's id, and its unique values. */
function namesClaimedBy(row: ContactRow): string[] {
  return [row.id, `email ${row.email}`, `externalId ${effectiveExternalId(row)}`];
}
