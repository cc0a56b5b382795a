import type { Completion, CompletionDraft, Dismissal, DismissalDraft } from "../../lib/storage/rows.ts";
import { changesOfCompletion } from "../../lib/decisions/changes.ts";
import { namesOfCompletion } from "../../lib/decisions/watches.ts";
import { findContact } from "./contacts.ts";
import { countsOf } from "./events.ts";
import { assertKnownRules, dataOf, noticeEdit } from "./watches/index.ts";
import { logChanges } from "./log.ts";
import type { Tables } from "./tables.ts";
import type { View } from "./view.ts";

export function insertCompletion(view: View, draft: CompletionDraft): boolean {
  const { workspace, externalId, checklistId, itemKey, completedAt } = draft;
  const tables = view.tables(workspace);
  const contact = findContact(tables, { externalId });
  if (!contact) return false;
  view.claim(workspace, () => [contact.id]);
  const record = tables.edit(contact.id);
  const { completions, summaries } = record;
  if (completions.some((other) => other.checklistId === checklistId && other.itemKey === itemKey)) return true;
  assertKnownRules(tables, contact.id, namesOfCompletion(checklistId));
  const before = dataOf(tables, record);
  completions.push({ checklistId, itemKey, completedAt });
  logChanges(tables, draft, () => {
    const checklist = tables.definitions("checklist").find(({ id }) => id === checklistId);
    return changesOfCompletion(contact, checklist, draft, { counts: countsOf(summaries), completions });
  });
  noticeEdit(tables, draft, () => ({
    names: namesOfCompletion(checklistId),
    before,
    after: dataOf(tables, record),
    at: completedAt ?? Date.now(),
  }));
  return true;
}

export function findCompletions({ contacts }: Tables, contactId: string): Completion[] {
  return (contacts.get(contactId)?.completions ?? []).map((completion) => ({ ...completion }));
}

export function putDismissal(view: View, { workspace, externalId, checklistId, dismissedAt }: DismissalDraft): boolean {
  const tables = view.tables(workspace);
  const contact = findContact(tables, { externalId });
  if (!contact) return false;
  view.claim(workspace, () => [contact.id]);
  const record = tables.edit(contact.id);
  const isDismissed = record.dismissals.some((other) => other.checklistId === checklistId);
  if (dismissedAt === null) record.dismissals = record.dismissals.filter((other) => other.checklistId !== checklistId);
  else if (!isDismissed) record.dismissals.push({ checklistId, dismissedAt });
  return true;
}

export function findDismissals({ contacts }: Tables, contactId: string): Dismissal[] {
  return (contacts.get(contactId)?.dismissals ?? []).map((dismissal) => ({ ...dismissal }));
}
