/** Rows of the port: what a contact has, what a workspace defines, what behaviour is computed from, and where a list goes on. */
import type { ChecklistItem, Rule } from "./behaviour-types.ts";
import type { AttributeType } from "./types.ts";

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
