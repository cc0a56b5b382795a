/** `whodid/storage`: the types and functions for writing a storage. */
export type { Faulted, Storage, WriteOptions } from "./port.ts";
export type {
  ApiKeyOwner,
  ApiKeyRow,
  AttributeRow,
  AudienceRow,
  ChecklistRow,
  Completion,
  CompletionDraft,
  Dismissal,
  DismissalDraft,
  CompletionTest,
  Condition,
  ContactDraft,
  ContactFields,
  ContactPatch,
  ContactReference,
  ContactRow,
  ContactSlice,
  ContactTest,
  ContactUpdate,
  DefinitionOf,
  DefinitionRow,
  EventDraft,
  EventRow,
  EventSummary,
  EventTest,
  EventTypeRow,
  EventUsage,
  OccurrenceTest,
  PageRows,
  PageSize,
  Position,
  PropertyTest,
  PruneRequest,
  PruneStep,
  RateWindow,
  RecordedEvent,
  Refusal,
  Refused,
  Silenceable,
  Slice,
  StoredTopics,
  SubscriptionRow,
  TestedField,
  ValueTest,
  WindowUse,
} from "./rows.ts";
export type { AudienceStorage } from "./audience-port.ts";
export type { WatchedRule, WatchRow } from "./watch-rows.ts";
export type { RemovedRows, WorkspaceRow } from "./workspace-port.ts";
export type { ChangeStorage } from "./change-port.ts";
export type { ConsumerStorage } from "./consumer-port.ts";
export type {
  ChangeFailure,
  ContactProgress,
  ParkedRow,
  SlotProgress,
  Taken,
  TakenChange,
  TakenSlot,
  TakeRequest,
} from "./consumer-rows.ts";
export type { ChangeDraft, ChangedValue, ChangedValues, ChangeReader, ChangeRow, NextChange } from "./change-rows.ts";
export { refusalOfRevocation } from "../decisions/api-keys.ts";
export {
  changeOfDeletion,
  changesOfCompletion,
  changesOfContact,
  changesOfEvent,
  isTaken,
} from "../decisions/changes.ts";
export { completeItems, completingCounts } from "../decisions/completions.ts";
export { slotOf } from "../decisions/consumers.ts";
export { holds } from "../decisions/conditions.ts";
export { decideContactWrite, refusalOfAttributes, type Holders } from "../decisions/contact-writes.ts";
export { putDefinition } from "../decisions/definition-writes.ts";
export { isOfThePast, refusalOfEvent } from "../decisions/event-types.ts";
export { addToSummary, decideEvent, summarizeEvents, withEvent, type EventDecision } from "../decisions/events.ts";
export {
  chooseByExternalId,
  chooseForUpsert,
  chooseForDeletion,
  effectiveExternalId,
  foldEmail,
  isFound,
} from "../decisions/identity.ts";
export { refusalOfAudience, refusalOfDeletion, refusalOfSubscription } from "../decisions/named-definitions.ts";
export { beginPage, fillPage, type OpenPage } from "../decisions/pages.ts";
export { createLine, namesOfContact, namesOfEvent, namesOfUpdate, type Line } from "../decisions/order.ts";
export {
  createWatcher,
  namesOfCompletion,
  namesOfContactChange,
  namesOfEventKey,
  planWatches,
  positionAt,
  type Edit,
  type Watcher,
} from "../decisions/watches.ts";
export { wholeMinute } from "../decisions/rate-limit.ts";
