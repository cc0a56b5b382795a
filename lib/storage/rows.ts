/** The rows of the port, the drafts that become rows, and the positions and slices of lists. */
import type { Access, PropertyType } from "../model/declarations.ts";
import type { Conflict, ErrorCode, Issue } from "../model/errors.ts";
import type { SubscriptionBody } from "./watch-rows.ts";
import type { ChecklistItem, Contact, PlainContactField, Rule, AttributeType, Scalar } from "../model/types.ts";
import type { Silenceable } from "./silenceable.ts";

export type { Silenceable } from "./silenceable.ts";
export type { Completion, CompletionDraft, Dismissal, DismissalDraft } from "./checklist-rows.ts";
export type { StoredTopics } from "./watch-rows.ts";
export type * from "./conditions.ts";

/** The result of a call that the storage refuses. Such a call has changed nothing. */
export interface Refused {
  refused: Refusal;
}

/** The reason of a refusal. The library throws it as a `TrackerError`. */
export interface Refusal {
  code: ErrorCode;
  /** Set if the code is `invalid_input`. */
  issues?: readonly Issue[];
  /** Set if the code is `email_taken`, `external_id_taken` or `ambiguous_identifier`. */
  conflict?: Conflict;
  /** Replaces the default message of the code. */
  message?: string;
}

/** The fields of a contact that a write can set. */
export interface ContactFields extends Pick<Contact, PlainContactField> {
  /** Folded (`foldEmail`). */
  email: string;
  /** The contact's own externalId; `null` if its email is used instead. */
  externalId: string | null;
  signedUpAt: number | null;
}

interface Definition<Kind extends string, Body> {
  workspace: string;
  kind: Kind;
  key: string;
  id: string;
  body: Body;
  createdAt: number;
}

/** In a draft, `name: undefined` keeps the stored name. */
export type AttributeRow = Definition<"attribute", { type: AttributeType; name: string | null | undefined }>;

/** The times in the rule are ISO 8601 texts. `announce` is in drafts alone: it is not stored. */
export type AudienceRow = Definition<"audience", { name: string; rule: Rule; announce?: true }>;

/** An item without `when` is completed by hand. */
export type ChecklistRow = Definition<
  "checklist",
  { name: string; description?: string; items: readonly ChecklistItem[] }
>;

/** Without `properties`, events of the key have any properties. */
export type EventTypeRow = Definition<
  "event",
  { name: string | null; properties?: Readonly<Record<string, PropertyType>> }
>;

/** The changes that a reader or a consumer takes. */
export type SubscriptionRow = Definition<"subscription", SubscriptionBody>;

/** A stored definition. */
export type DefinitionRow = AttributeRow | AudienceRow | ChecklistRow | EventTypeRow | SubscriptionRow;

/** The definition rows of one kind. */
export type DefinitionOf<Kind extends DefinitionRow["kind"]> = Extract<DefinitionRow, { kind: Kind }>;

/** A stored API key: its hash, never the key itself. */
export interface ApiKeyRow {
  workspace: string;
  id: string;
  name: string;
  prefix: string;
  /** SHA-256 of the key, 64 hexadecimal digits. */
  hash: string;
  access: Access;
  /** The number of requests allowed in each minute of the clock; `null` if the common limit applies. */
  requestsPerMinute: number | null;
  /** When the key expires; `null` for never. The storage also finds expired keys. */
  expiresAt: number | null;
  createdAt: number;
  /** The minute of the last use: a multiple of 60,000. `null` before the first. */
  lastUsedAt: number | null;
}

/** The owner of an API key, and its access. */
export type ApiKeyOwner = Pick<ApiKeyRow, "id" | "workspace" | "access" | "requestsPerMinute" | "expiresAt">;

/** The summary of a contact's events of one key. Audiences and checklists are computed from summaries alone. */
export interface EventSummary {
  eventKey: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** The events of one key, of all contacts of a workspace. */
export interface EventUsage extends EventSummary {
  /** The number of contacts that have such events. */
  contacts: number;
}

/** A position in a list: just after the row with this time and id, even if that row was deleted. */
export interface Position {
  createdAt: number;
  id: string;
}

/** The largest size of a page. */
export interface PageSize {
  /** The largest number of rows. */
  limit: number;
  /** The largest size of the rows together (`bytesOfRow`). A page of one row can be larger. */
  maxBytes: number;
}

/** Selects rows of a list, from the start or after a position. */
export interface Slice extends PageSize {
  after: Position | null;
}

/** The rows of a page, and whether others follow. */
export interface PageRows<Row> {
  rows: Row[];
  more: boolean;
}

/** Selects the events that a step of a pruning looks at: in order of `createdAt`, then id, after the position. */
export interface PruneRequest {
  /** Events with an earlier `createdAt` are removed. */
  before: number;
  /** Events recorded at this time or later stay. An id contains the time of recording. */
  recordedBefore: number;
  after: Position | null;
  /** Removes nothing, and counts the events as removed. */
  dryRun?: boolean;
}

/** The result of a step of a pruning. */
export interface PruneStep {
  /** The number of events removed. */
  pruned: number;
  /** Whether events were left because another transaction has locked their contacts. */
  held: boolean;
  /** The position of the last event that it looked at; `null` at the end. */
  next: Position | null;
}

/** Selects contacts of a list. */
export interface ContactSlice extends Slice {
  /** The folded beginning (`foldEmail`) of the email, the externalId or the name. The empty text finds every contact. */
  query: string;
  order: "oldest" | "newest";
}

/** A window of the rate limit, and the current time, which is in it. Each window begins where the previous one ends. */
export interface RateWindow {
  startsAt: number;
  endsAt: number;
  now: number;
}

/** The result of `consume`. */
export interface WindowUse {
  /** The number of requests that were taken before; the limit if none was left. */
  takenBefore: number;
  /** The start of the window that the requests were taken out of. */
  startsAt: number;
}

/** A stored contact. */
export interface ContactRow extends ContactFields {
  workspace: string;
  id: string;
  /** Values by the id of the attribute's definition: an attribute that is deleted and defined anew has no values. */
  attributes: Record<string, Scalar>;
  createdAt: number;
  updatedAt: number;
}

/** The changes of a write to a contact. An absent field keeps its value; an attribute that is `null` is removed. */
export interface ContactPatch {
  fields: Partial<ContactFields>;
  attributes: Record<string, Scalar | null>;
  /** The ids of all attributes that were defined when the input was validated. Only their values count against the limit. */
  definedAttributeIds: readonly string[];
}

/** A contact to create, or the changes of a contact. */
export interface ContactDraft extends Silenceable {
  workspace: string;
  /** The email or the externalId that the contact has afterwards. Not repeated in `patch.fields`. */
  contact: ContactReference;
  /** The id of the contact if it is created. */
  id: string;
  patch: ContactPatch;
  at: number;
  /** In a draft by email: refuses it if any contact has the email; otherwise absent. */
  insertOnly?: true;
}

/** The changes of the contact with this externalId. */
export interface ContactUpdate {
  workspace: string;
  externalId: string;
  patch: ContactPatch;
  at: number;
}

/** Refers to a contact by its externalId, as `findContact` finds it, or by its folded email. */
export type ContactReference = { externalId: string } | { email: string };

/** An event to record. The library has made its id and times. */
export interface EventDraft extends Silenceable {
  workspace: string;
  id: string;
  contact: ContactReference;
  eventKey: string;
  /** The JSON text of a flat object, stored unchanged. */
  properties: string;
  /** When it happened. Events can be recorded in any order of their times. */
  createdAt: number;
  /** The time of the call. */
  recordedAt: number;
  /** SHA-256 of the idempotency key, as 64 hexadecimal digits; `null` without a key. */
  idempotencyHash: string | null;
  /** SHA-256 of the validated input, as 64 hexadecimal digits; `null` without an idempotency key. */
  fingerprint: string | null;
  /** Whether the event is refused if its key has no event type. */
  mustBeDefined: boolean;
}

/** A stored event. */
export interface EventRow {
  id: string;
  contactId: string;
  eventKey: string;
  properties: string;
  createdAt: number;
  idempotencyHash: string | null;
  fingerprint: string | null;
  /** The JSON text of the checklist items that the event completed, as `completeItems` returns them; `null` if none. */
  completedItems: string | null;
}

/** A stored event, and the externalId by which its contact is found. */
export interface RecordedEvent extends EventRow {
  externalId: string;
}
