/**
 * From now minus so long to now, both ends included, a day being 24 hours; or from `from` until just before `to`, either of
 * which may be left out. Times are a `Date`, or an ISO 8601 date-time with a zone.
 */
export type Period =
  | { days: number }
  | { hours: number }
  | { minutes: number }
  | { from: string | Date; to?: string | Date | undefined }
  | { from?: undefined; to: string | Date };

/** What a contact's events of one key must be like. */
export type SimpleRule =
  | { kind: "has_done"; eventKey: string }
  | { kind: "has_not_done"; eventKey: string }
  | { kind: "count_greater_than"; eventKey: string; count: number }
  | { kind: "first_done_within"; eventKey: string; period: Period }
  | { kind: "last_done_within"; eventKey: string; period: Period };

/** A targeting rule: true or false of a contact at a moment. No group is empty. */
export type Rule = SimpleRule | { all: readonly Rule[] } | { any: readonly Rule[] } | { not: Rule };

/** A rule with a name. Defined again, it is replaced. */
export interface AudienceDefinition {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes. */
  key: string;
  /** For people. */
  name: string;
  rule: Rule;
}

/** Why a rule is true or false of a contact. */
export interface Explanation {
  match: boolean;
  /** Each rule that is no group, in the order in which it stands, with the events that it was decided by. */
  because: { rule: SimpleRule; match: boolean; observed: ObservedEvents | null }[];
}

/** A contact's events of one key. */
export interface ObservedEvents {
  count: number;
  firstAt: string;
  lastAt: string;
}

/** Steps for a contact to take. Defined again, it is replaced; items whose keys stay keep what was completed by hand. */
export interface ChecklistDefinition {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes; so is an item's, of which no two are the same. */
  key: string;
  /** For people. */
  name: string;
  /** 1 to 100. */
  items: readonly ChecklistItem[];
}

/** A step of a checklist. */
export interface ChecklistItem {
  key: string;
  /** For people. */
  name: string;
  /** What completes it, for good; without it, it is completed by hand. */
  when?: Extract<SimpleRule, { kind: "has_done" | "count_greater_than" }> | undefined;
}

/** How far a contact has come with a checklist. */
export interface ChecklistProgress {
  checklistKey: string;
  name: string;
  progress: Progress;
  /** In the checklist's order. */
  items: {
    itemKey: string;
    name: string;
    /** Whether events complete it; if not, it is completed by hand. */
    automatic: boolean;
    completed: boolean;
    /**
     * When its first event was recorded, for a `has_done`; when `complete` was first called, by hand. `null` while it is not
     * completed, and where the time is not kept: for a `count_greater_than`, and by hand before times were kept.
     */
    completedAt: string | null;
  }[];
}

/** How many items of a checklist are completed. */
export interface Progress {
  completed: number;
  total: number;
}

/** A checklist item that an event completed. */
export interface CompletedChecklistItem {
  checklistKey: string;
  itemKey: string;
  name: string;
  /** The event's time. */
  completedAt: string;
  /** The checklist's, once the event is recorded. */
  progress: Progress;
}
