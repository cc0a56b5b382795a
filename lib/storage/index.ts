/** `whodid/storage`: the types and functions for writing a storage. */
export type { Storage } from "./port.ts";
export type {
  ActivityCounts,
  ApiKeyOwner,
  ApiKeyRow,
  AttributeRow,
  AudienceRow,
  ChecklistRow,
  Completion,
  CompletionDraft,
  CompletionTest,
  Condition,
  ContactDraft,
  ContactFields,
  ContactPatch,
  ContactPosition,
  ContactReference,
  ContactRow,
  ContactRows,
  ContactSlice,
  ContactTest,
  ContactUpdate,
  DefinitionOf,
  DefinitionRow,
  Dismissal,
  DismissalDraft,
  EventDraft,
  EventRow,
  EventSummary,
  EventTest,
  EventTypeRow,
  EventUsage,
  Faulted,
  NamedEvent,
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
  Span,
  StoredTopics,
  SubscriptionRow,
  TestedField,
  ValueTest,
  WindowUse,
  WriteOptions,
} from "./rows.ts";
/** `AudienceStorage` is the earlier name of `WatchStorage`. Storages of others may import it. */
export type { WatchStorage as AudienceStorage, WatchedRule, WatchRow } from "./watches.ts";
export type { RemovedRows, WorkspaceRow } from "./workspaces.ts";
export type { SecretRow, WebhookRow, WebhookState, WebhookStorage } from "./webhooks.ts";
export type {
  ChangeFailure,
  ConsumerStorage,
  ContactProgress,
  ParkedRow,
  SlotProgress,
  Taken,
  TakenChange,
  TakenSlot,
  TakeRequest,
} from "./consumers.ts";
export type {
  ChangeDraft,
  ChangedValue,
  ChangedValues,
  ChangeReader,
  ChangeRow,
  ChangeStorage,
  NextChange,
} from "./changes.ts";
export { refusalOfRevocation } from "../decisions/api-keys.ts";
export {
  changeOfDeletion,
  changesOfCompletion,
  changesOfContact,
  changesOfEvent,
  isTaken,
} from "../decisions/changes.ts";
export { completeItems, completingCounts } from "../decisions/completions.ts";
export { slotOf } from "../decisions/slots.ts";
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
  isFoundByWord,
} from "../decisions/find-contact.ts";
export { refusalOfAudience, refusalOfDeletion, refusalOfSubscription } from "../decisions/named-definitions.ts";
export { beginPage, fillPage, type OpenPage } from "../decisions/pages.ts";
export { createLine, namesOfContact, namesOfEvent, namesOfUpdate, type Line } from "../decisions/order.ts";
export {
  createWatcher,
  moveFirst,
  namesOfCompletion,
  namesOfContactChange,
  namesOfEventKey,
  positionAt,
  type Edit,
  type Watcher,
} from "../decisions/watches.ts";
export { planWatches } from "../decisions/watch-plans.ts";
export { addSecret, newWebhook, signingSecrets, withoutSecret } from "../decisions/webhooks.ts";
export { wholeMinute } from "../decisions/rate-limit.ts";
