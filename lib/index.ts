export { createTracker, type TrackerOptions } from "./tracker.ts";
export { TrackerError } from "./errors.ts";
export { statusOf } from "./http/statuses.ts";
export type { Conflict, ConflictingContact, ErrorCode, Issue, IssueCode } from "./errors.ts";
export type { RateLimit } from "./rate-limit.ts";
export type { Storage } from "./storage.ts";
export type {
  AudienceDefinition,
  ChecklistDefinition,
  ChecklistItem,
  ChecklistProgress,
  CompletedChecklistItem,
  Explanation,
  ObservedEvents,
  Period,
  Progress,
  Rule,
  SimpleRule,
} from "./behaviour-types.ts";
export type {
  ApiKey,
  AttributeDefinition,
  AttributeType,
  Contact,
  ContactChanges,
  Definitions,
  Deletion,
  NewContact,
  NewEvent,
  Page,
  PageRequest,
  Scalar,
  StoredEvent,
  Tracked,
  TrackedEvent,
  Tracker,
  Transaction,
  Workspace,
} from "./types.ts";
