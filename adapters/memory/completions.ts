import type { Completion, CompletionDraft } from "../../lib/storage/rows.ts";
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
