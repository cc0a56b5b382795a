import { holds } from "../../lib/decisions/conditions.ts";
import type { Completion, CompletionDraft, Condition, Slice, ContactRow } from "../../lib/storage/rows.ts";
import { copyOf, findContact } from "./contacts.ts";
import type { Tables } from "./tables.ts";
import type { View } from "./view.ts";

export function listMembers(tables: Tables, condition: Condition, { limit, after }: Slice): ContactRow[] {
  return membersOf(tables, condition)
    .filter(({ id }) => !after || id > after.id)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(copyOf);
}

export function countMembers(tables: Tables, condition: Condition): number {
  return membersOf(tables, condition).length;
}

function membersOf({ contacts }: Tables, condition: Condition): ContactRow[] {
  return Array.from(contacts.values()).flatMap(({ row, summaries }) => (holds(condition, summaries) ? [row] : []));
}

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
