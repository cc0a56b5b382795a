/** Rows of the port: what a contact has, what a workspace defines, what behaviour is computed from, and where a list goes on. */
import type { Conflict, ErrorCode, Issue } from "../errors.ts";
import type { ChecklistItem, Rule, AttributeType, Scalar } from "../types.ts";

/** The answer to what a storage refuses to do. It has changed nothing. */
export interface Refused {
  refused: Refusal;
}

/** Why a storage refuses, as the caller's `TrackerError` will say it. */
export interface Refusal {
  code: ErrorCode;
  /** With `invalid_input`. */
  issues?: readonly Issue[];
  /** With `email_taken`, `external_id_taken` and `ambiguous_identifier`. */
  conflict?: Conflict;
  /** Instead of the code's own message. */
  message?: string;
}

/** The fields of a contact that a write may set. */
export interface ContactFields {
  /** Folded (`foldEmail`). */
  email: string;
  /** The externalId that was given; `null` while the email stands in for it. */
  externalId: string | null;
  name: string | null;
  phone: string | null;
  avatarUrl: string | null;
  role: string | null;
  plan: string | null;
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

/** `name: undefined` in a draft leaves the name as it is. */
export type AttributeRow = Definition<"attribute", { type: AttributeType; name: string | null | undefined }>;

/** Times in the rule are texts. */
export type AudienceRow = Definition<"audience", { name: string; rule: Rule }>;

/** An item without `when` is completed by hand. */
export type ChecklistRow = Definition<"checklist", { name: string; items: readonly ChecklistItem[] }>;

/** A definition as a storage keeps it. */
export type DefinitionRow = AttributeRow | AudienceRow | ChecklistRow;

/** The definitions of a kind. */
export type DefinitionOf<Kind extends DefinitionRow["kind"]> = Extract<DefinitionRow, { kind: Kind }>;

/** An API key as a storage keeps it: its hash, never the key. */
export interface ApiKeyRow {
  workspace: string;
  id: string;
  name: string;
  prefix: string;
  /** SHA-256 of the key, 64 hexadecimal digits. */
  hash: string;
  createdAt: number;
  /** A whole minute. */
  lastUsedAt: number | null;
}

/** Whose an API key is. */
export type ApiKeyOwner = Pick<ApiKeyRow, "id" | "workspace">;

/** What a contact's events of one key amount to. Behaviour is computed from it alone. */
export interface EventSummary {
  eventKey: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** A checklist item that a contact completed by hand. By the checklist's id, so that one defined anew starts empty. */
export interface Completion {
  checklistId: string;
  itemKey: string;
  /** `null` where it was completed before times were kept. */
  completedAt: number | null;
}

/** Which item of whom is completed by hand. */
export interface CompletionDraft extends Completion {
  workspace: string;
  externalId: string;
  completedAt: number;
}

/**
 * What is asked of a contact's summaries: of one of them, which must be there, that `from` <= its field < `to` (`null`: any),
 * or of several. No group is empty.
 */
export type Condition =
  | { eventKey: string; field: "count" | "firstAt" | "lastAt"; from: number | null; to: number | null }
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition };

/** A place in a list: just after the row of this time and id, whether or not that row is still there. */
export interface Position {
  createdAt: number;
  id: string;
}

/** Which rows of a list are wanted. */
export interface Slice {
  /** How many rows at most. */
  limit: number;
  after: Position | null;
}

/** A window of the rate limit, and the moment in it. Windows of a length begin where the one before ends. */
export interface RateWindow {
  startsAt: number;
  endsAt: number;
  now: number;
}

/** What became of requests that were taken out of a window. */
export interface WindowUse {
  /** How many were taken before them; the limit when none was left. */
  takenBefore: number;
  /** Of the window they were taken out of. */
  startsAt: number;
}

/** A contact as a storage keeps it. */
export interface ContactRow extends ContactFields {
  workspace: string;
  id: string;
  /** By the id of the attribute's definition, so that a key defined anew starts empty. */
  attributes: Record<string, Scalar>;
  createdAt: number;
  updatedAt: number;
}

/** What a write changes of a contact: an absent field stays, a `null` attribute is removed. */
export interface ContactPatch {
  fields: Partial<ContactFields>;
  attributes: Record<string, Scalar | null>;
  /** The attributes defined when the input was checked; only these count against the limit. */
  definedAttributeIds: readonly string[];
}

/** A contact to be made, or the change of the one that has its email. */
export interface ContactDraft {
  workspace: string;
  /** Whom to write; `patch.fields` does not repeat it. Folded. */
  email: string;
  /** Used if the contact is created. */
  id: string;
  patch: ContactPatch;
  at: number;
}

/** A change of the contact that the externalId names. */
export interface ContactUpdate {
  workspace: string;
  externalId: string;
  patch: ContactPatch;
  at: number;
}

/** Names a contact: by its own externalId or, folded, the email of one without; or by its folded email. */
export type ContactReference = { externalId: string } | { email: string };

/** An event to be recorded, its id and time made beforehand. */
export interface EventDraft {
  workspace: string;
  id: string;
  contact: ContactReference;
  eventKey: string;
  /** JSON text of a flat object: kept as it is, and its own copy. */
  properties: string;
  createdAt: number;
  /** SHA-256 of the idempotency key, 64 hexadecimal digits; `null` without one. */
  idempotencyHash: string | null;
  /** SHA-256 of the validated input, likewise; `null` without an idempotency key. */
  fingerprint: string | null;
}

/** An event as a storage keeps it. */
export interface EventRow {
  id: string;
  contactId: string;
  eventKey: string;
  properties: string;
  createdAt: number;
  idempotencyHash: string | null;
  fingerprint: string | null;
  /** JSON text of the checklist items that it completed, as `completeItems` gives them; `null` for none. */
  completedItems: string | null;
}
