/** The part of the storage port about contacts' checklists, and its rows. */
import type { Silenceable } from "./results.ts";

/** The methods for completions by hand and dismissals. */
export interface ChecklistStorage {
  /**
   * Stores that a contact completed an item, and when. A second call for the same item changes nothing. Finds the contact as
   * `findContact` does, and resolves with `false` if it does not exist.
   */
  insertCompletion(draft: CompletionDraft): Promise<boolean>;

  /** The contact's completions by hand, in any order; empty if the contact does not exist. */
  findCompletions(workspace: string, contactId: string): Promise<Completion[]>;

  /**
   * Stores that a contact dismissed a checklist, and when. A second call keeps the first time. With `null` it removes the
   * dismissal. Finds the contact as `findContact` does, and resolves with `false` if it does not exist. Causes no change in the
   * log.
   */
  putDismissal(draft: DismissalDraft): Promise<boolean>;

  /** The contact's dismissals, in any order; empty if the contact does not exist. */
  findDismissals(workspace: string, contactId: string): Promise<Dismissal[]>;
}

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
