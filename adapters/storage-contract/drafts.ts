/** Makes valid inputs. A test states only the parts that it is about. */
import { hash } from "node:crypto";
import { firstIdAt, newId } from "../../lib/model/ids.ts";
import type * as rows from "../../lib/storage/rows.ts";

/** The workspace of every draft that names no other. */
export const workspace = "acme";

/** 2026-01-31T09:00:00.000Z: when everything happens, unless a test says otherwise. */
export const at = 1_769_850_000_000;
export const dayMs = 86_400_000;

export const wholeList: rows.ContactSlice = { ...rowsUpTo(1_001), after: null, query: "", order: "oldest" };

/** A page of at most so many rows, of any size. */
export function rowsUpTo(limit: number): rows.PageSize {
  return { limit, maxBytes: Infinity };
}

export type ContactDraftParts = Partial<Omit<rows.ContactDraft, "patch"> & rows.ContactPatch & { email: string }>;

/** A draft by email, unless `contact` says otherwise. */
export function contactDraft(parts: ContactDraftParts = {}): rows.ContactDraft {
  const { fields = {}, attributes = {}, definedAttributeIds = Object.keys(attributes), email, ...rest } = parts;
  const patch = { fields, attributes, definedAttributeIds };
  return { workspace, contact: { email: email ?? "ada@example.com" }, id: newId(at), at, ...rest, patch };
}

export type ContactUpdateParts = Partial<Omit<rows.ContactUpdate, "patch"> & rows.ContactPatch>;

export function contactUpdate(parts: ContactUpdateParts = {}): rows.ContactUpdate {
  const { fields = {}, attributes = {}, definedAttributeIds = Object.keys(attributes), ...rest } = parts;
  const patch = { fields, attributes, definedAttributeIds };
  return { workspace, externalId: "ada@example.com", at, ...rest, patch };
}

export function eventDraft(parts: Partial<rows.EventDraft> = {}): rows.EventDraft {
  return {
    workspace,
    id: newId(at),
    contact: { email: "ada@example.com" },
    eventKey: "step",
    properties: "{}",
    createdAt: at,
    recordedAt: at,
    idempotencyHash: null,
    fingerprint: null,
    mustBeDefined: false,
    ...parts,
  };
}

export function completionDraft(parts: Partial<rows.CompletionDraft> = {}): rows.CompletionDraft {
  return {
    workspace,
    externalId: "ada@example.com",
    checklistId: newId(at),
    itemKey: "hand",
    completedAt: at,
    ...parts,
  };
}

export function dismissalDraft(parts: Partial<rows.DismissalDraft> = {}): rows.DismissalDraft {
  return { workspace, externalId: "ada@example.com", checklistId: newId(at), dismissedAt: at, ...parts };
}

/** The additional fields of an event that was sent with an idempotency key. */
export function keyed(key: string, input = "input"): { idempotencyHash: string; fingerprint: string } {
  return { idempotencyHash: sha256(key), fingerprint: sha256(input) };
}

/** The fields of a definition's row, and those of its body. */
type Parts<Row extends { body: object }> = Partial<Omit<Row, "body">> & Partial<Row["body"]>;

export type DefinitionParts = Parts<rows.AttributeRow>;

export function definitionDraft({ type = "text", name, ...rest }: DefinitionParts = {}): rows.AttributeRow {
  return { workspace, kind: "attribute", key: "seats", id: newId(at), createdAt: at, ...rest, body: { type, name } };
}

export function audienceDraft(parts: Parts<rows.AudienceRow> = {}): rows.AudienceRow {
  const { name = "Doers", rule, announce, ...rest } = parts;
  const body = { name, rule: rule ?? ({ kind: "has_done", eventKey: "step" } as const), ...(announce && { announce }) };
  return { workspace, kind: "audience", key: "doers", id: newId(at), createdAt: at, ...rest, body };
}

export function checklistDraft({ name = "Start", items, ...rest }: Parts<rows.ChecklistRow> = {}): rows.ChecklistRow {
  const body = { name, items: items ?? [{ key: "hand", name: "By hand" }] };
  return { workspace, kind: "checklist", key: "start", id: newId(at), createdAt: at, ...rest, body };
}

export function eventTypeDraft({ name = null, properties, ...rest }: Parts<rows.EventTypeRow> = {}): rows.EventTypeRow {
  const body = { name, ...(properties && { properties }) };
  return { workspace, kind: "event", key: "step", id: newId(at), createdAt: at, ...rest, body };
}

export function subscriptionDraft(parts: Parts<rows.SubscriptionRow> = {}): rows.SubscriptionRow {
  const { on, keepDays = 7, current, url, concurrency = 10, ...rest } = parts;
  const topics = on ?? ({ events: true, contacts: true, checklists: true } as const);
  const body = { on: topics, keepDays, ...(current && { current }), ...(url !== undefined && { url, concurrency }) };
  return { workspace, kind: "subscription", key: "all", id: newId(at), createdAt: at, ...rest, body };
}

/** A subscription with a URL. */
export function webhookDraft(parts: Parts<rows.SubscriptionRow> = {}): rows.SubscriptionRow {
  return subscriptionDraft({ key: "hook", url: "https://example.com/hooks?key=1", ...parts });
}

let apiKeys = 0;

export function ownerOf(row: rows.ApiKeyRow): rows.ApiKeyOwner {
  const { id, workspace: owner, access, requestsPerMinute, expiresAt } = row;
  return { id, workspace: owner, access, requestsPerMinute, expiresAt };
}

export function apiKeyRow(parts: Partial<rows.ApiKeyRow> = {}): rows.ApiKeyRow {
  return {
    workspace,
    id: newId(at),
    name: "backend",
    prefix: "sk_abcdefghi",
    hash: sha256(`key ${++apiKeys}`),
    access: "write",
    requestsPerMinute: null,
    expiresAt: null,
    createdAt: at,
    lastUsedAt: null,
    ...parts,
  };
}

/** 64 hexadecimal digits. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

let idsAt = 0;

/** Makes the id of an event that was recorded at this time. `newId` cannot, because its ids only ascend. */
export function idAt(recordedAt: number): string {
  return `${firstIdAt(recordedAt).slice(0, 24)}${(++idsAt).toString(16).padStart(12, "0")}`;
}

/** In ascending order. */
export function newIds(count: number): string[] {
  return Array.from({ length: count }, () => newId(at));
}

/** A patch's or a contact's attributes: every id with the value. */
export function attributesOf<Value>(ids: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(ids.map((id) => [id, value]));
}
