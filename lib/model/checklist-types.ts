import type { LastingRule } from "./rule-types.ts";

/**
 * A list of steps for contacts to complete. Defining the same key again replaces the checklist; an item that keeps its key
 * keeps its completions by hand, also if it was left out meanwhile.
 */
export interface ChecklistDefinition {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes. */
  key: string;
  /** A name to show to people. */
  name: string;
  /** A text to show to people. */
  description?: string | undefined;
  /** 1 to 100 items. */
  items: readonly ChecklistItem[];
}

/** A step of a checklist. */
export interface ChecklistItem {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes; unique within the checklist. */
  key: string;
  /** A name to show to people. */
  name: string;
  /** A text to show to people. */
  description?: string | undefined;
  /** A link to the page where people do the step: an http or https URL, absolute or relative. */
  href?: string | undefined;
  /** The rule that completes the item for good; with `any`, one true rule is enough. Without it, only `checklists.complete` does. */
  when?: LastingRule | { any: readonly LastingRule[] } | undefined;
}

/** A contact's progress through one checklist. */
export interface ChecklistProgress {
  checklistKey: string;
  name: string;
  description: string | null;
  progress: Progress;
  /** The time of the first `checklists.dismiss` since the last `checklists.restore`; `null` if it is not dismissed. */
  dismissedAt: string | null;
  /** In the checklist's order. */
  items: {
    itemKey: string;
    name: string;
    description: string | null;
    href: string | null;
    /** `true` if events complete the item; `false` if it is completed by hand. */
    automatic: boolean;
    completed: boolean;
    /**
     * For `has_done`: the time of the first event. By hand: the time of the first `checklists.complete`. `null` if the item
     * is not completed, or no time is stored. No time is stored for a `count_greater_than` that is true, and for completions by
     * hand that are older than the stored times.
     */
    completedAt: string | null;
  }[];
}

/**
 * The number of contacts that completed one item of a checklist. With a period: of those that completed the first item within it, by
 * the first event of a `has_done`, or by hand at a known time. If the first item has another `when`, all that completed it count.
 */
export interface ItemCount {
  itemKey: string;
  name: string;
  contacts: number;
}

/** The number of completed items of a checklist, and of all its items. */
export interface Progress {
  completed: number;
  total: number;
}

/** A checklist item that an event completed. */
export interface CompletedChecklistItem {
  checklistKey: string;
  itemKey: string;
  name: string;
  /** When the event was recorded. Events of earlier times that are recorded later take nothing back. */
  completedAt: string;
  /** The progress of the checklist after this event. */
  progress: Progress;
}
