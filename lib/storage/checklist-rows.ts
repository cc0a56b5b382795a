/** The rows of contacts' checklists, and their drafts. */
import type { Silenceable } from "./silenceable.ts";

/** An item that a contact completed by hand. Deleting the checklist and defining it anew changes its id: it starts empty. */
export interface Completion {
  checklistId: string;
  itemKey: string;
  /** `null` if the item was completed before times were stored. */
  completedAt: number | null;
}

/** A completion by hand to be stored. */
export interface CompletionDraft extends Completion, Silenceable {
  workspace: string;
  externalId: string;
}

/** A checklist that a contact dismissed. Deleting the checklist and defining it anew changes its id: it is not dismissed. */
export interface Dismissal {
  checklistId: string;
  dismissedAt: number;
}

/** A dismissal to be stored, or with `null` to be removed. */
export interface DismissalDraft {
  workspace: string;
  externalId: string;
  checklistId: string;
  dismissedAt: number | null;
}
