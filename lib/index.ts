export { createTracker, type TrackerOptions } from "./tracker.ts";
export { TrackerError } from "./errors.ts";
export type { Conflict, ConflictingContact, ErrorCode, Issue, IssueCode } from "./errors.ts";
export type { RateLimit } from "./rate-limit.ts";
export type { Storage } from "./storage.ts";
export type {
  ApiKey,
  AttributeDefinition,
  AttributeType,
  CompletedChecklistItem,
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
