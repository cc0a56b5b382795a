import type { Completion, CompletionDraft, Dismissal, DismissalDraft } from "../../lib/storage/rows.ts";
import { findContact } from "./contacts.ts";
import type { Tables } from "./tables.ts";
import type { View } from "./view.ts";

export function insertCompletion(view: View, draft: CompletionDraft): boolean {
  const { workspace, externalId, checklistId, itemKey, completedAt } = draft;
  const tables = view.tables(workspace);
  const contact = findContact(tables, { externalId });
  if (!contact) return false;
  view.claim(workspace, () => [contact.id]);
  const { completions } = tables.edit(contact.id);
  if (!completions.some((other) => other.checklistId === checklistId && other.itemKey === itemKey)) {
    completions.push({ checklistId, itemKey, completedAt });
  }
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
