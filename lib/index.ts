export { createTracker, type TrackerOptions, type Workspaces, type Tracker } from "./tracker.ts";
export type {
  AttributesOf,
  ChangeOf,
  ContactOf,
  KeyedEventOf,
  NewContactOf,
  NewEventOf,
  PropertiesOf,
} from "./model/typed.ts";
export type { Activity, ActivityPeriod, ActivityRequest } from "./model/activity-types.ts";
export type { RuleAbout } from "./model/typed-rules.ts";
export type {
  AudienceChange,
  Change,
  ChangedContact,
  ChecklistChange,
  ContactChange,
  DeletionChange,
  EventChange,
  FieldChange,
  ItemChange,
} from "./model/change-types.ts";
export type { Work } from "./webhooks/work.ts";
export type { WorkOptions } from "./model/work-types.ts";
export type { ConsumerHandler, ConsumerMethods, HandlerContext, TransactionContext } from "./consumers/methods.ts";
export type { Backlog, Consumed, ConsumeOptions, Consumer, ParkedContact } from "./model/consumer-types.ts";
export type { WebhookMethods } from "./webhooks/methods.ts";
export type { WebhookSecret, WebhookStats, WebhookStatus, WebhookTest } from "./model/webhook-types.ts";
export type { InTransaction, ManyOptions } from "./in-transaction.ts";
export type { Workspace } from "./methods/index.ts";
export type {
  Transaction,
  AudienceDefinition,
  ChecklistDefinition,
  ChecklistItem,
  ChecklistProgress,
  ItemCount,
  CompletedChecklistItem,
  Explanation,
  AttributeRule,
  ChecklistRule,
  EventRule,
  FieldRule,
  ObservedEvents,
  ObservedValue,
  Length,
  Period,
  PeriodOfTime,
  PeriodWithStart,
  PlainPeriod,
  Progress,
  PropertyCondition,
  Rule,
  SimpleRule,
  Access,
  ApiKey,
  AttributeDefinition,
  AttributeType,
  Contact,
  ContactChanges,
  ContactPageRequest,
  DefinedSubscription,
  Definitions,
  Kept,
  KeyedEvent,
  ListedSubscription,
  Deletion,
  NewApiKey,
  NewContact,
  PutContact,
  PutFields,
  NewEvent,
  Page,
  PageRequest,
  RecentEvent,
  Scalar,
  StoredEvent,
  SubscribedTopics,
  Subscription,
  SubscriptionDefinition,
  Tracked,
  TrackedEvent,
} from "./model/types.ts";
export type { ComparedDefinition, ComparedItem, Comparison, RuleIssue } from "./provisioning/compare.ts";
export type { RemovedDefinition } from "./provisioning/remove-unlisted.ts";
export type { CompletionByHand } from "./checklists/index.ts";
export type { DismissedChecklist } from "./checklists/dismissals.ts";
export type { ContactExport } from "./exports/contact.ts";
export type { Health } from "./health.ts";
export type { EventTypeDefinition, EventTypeUsage, PropertyType } from "./model/declarations.ts";
export {
  TrackerError,
  type Conflict,
  type ConflictingContact,
  type ErrorCode,
  type Issue,
  type IssueCode,
} from "./model/errors.ts";

export type { ItemResult } from "./bulk/item-results.ts";
export type { WriteCounts, ItemSource, OnResult } from "./bulk/many.ts";
export { statusOf } from "./http/statuses.ts";
export type { RateLimit } from "./decisions/rate-limit.ts";
export type { Storage } from "./storage/port.ts";
export type { ListedWorkspace, WorkspaceDeletion } from "./workspaces.ts";
