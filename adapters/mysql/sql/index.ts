/** Statements by table, and the rows that they read. */
export * as apiKeyStatements from "./api-keys.ts";
export * as changeStatements from "./changes.ts";
export * as completionStatements from "./completions.ts";
export * as contactListStatements from "./contact-lists.ts";
export * as contactStatements from "./contacts.ts";
export { toContact, type FindByName, type Lock, type Name } from "./contacts.ts";
export * as definitionStatements from "./definition-statements.ts";
export * as eventListStatements from "./event-lists.ts";
export * as eventStatements from "./events.ts";
export * as outboxStatements from "./outbox.ts";
export * as pruningStatements from "./pruning.ts";
export * as slotStatements from "./slots.ts";
export * as subscriptionStatements from "./subscriptions.ts";
export * as takenChangeStatements from "./taken-changes.ts";
export * as failureStatements from "./failures.ts";
export * as webhookStatements from "./webhooks.ts";
export { toSecret, toWebhooks } from "./webhooks.ts";
export * as watchStatements from "./watches.ts";
export { toWatch } from "./watches.ts";
export * as membershipStatements from "./memberships.ts";
export type { Membership } from "./memberships.ts";
export type { LogRange } from "./changes.ts";
export { keyedTopics, toChange, toChangeTableRow } from "./change-rows.ts";
export type { ChangeTableRow } from "./outbox.ts";
export type { EventTableRow, SummaryChange } from "./events.ts";
export {
  hex,
  id,
  idOrNull,
  text,
  textOrNull,
  toApiKey,
  toApiKeyOwner,
  toCompletion,
  toContactNames,
  toDefinition,
  toDismissal,
  toEvent,
  toEventUsage,
  toRecordedEvent,
  toSummary,
  type Row,
} from "./rows.ts";
export { beginCall, control, findEngine, findGalera, ownLimits, probe, sessionState, type Control } from "./control.ts";
export { bytes, fragment, hexOf, integer, joined, named, plain, sqlOf, uuid, type Fragment } from "./fragments.ts";
export {
  joinedTemplates,
  query,
  table,
  tablesOf,
  template,
  textInside,
  textOf,
  type Query,
  type Statement,
  type Tables,
  type Template,
} from "./statement.ts";
export { createViews } from "./views.ts";
export { compoundOf, either } from "./compound.ts";
export { fitsSeveral, severalOf } from "./several-statements.ts";
export { beginningWith, committedAfter, sizeOf, type Part, type Sequence, type SequenceForm } from "./sequence.ts";
export * as workspaceStatements from "./workspaces.ts";
export type { MarkLock } from "./workspaces.ts";
