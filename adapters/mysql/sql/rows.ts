import type { Access } from "../../../lib/model/types.ts";
import type * as rows from "../../../lib/storage/rows.ts";

/** A row as the driver returns it: columns by name; bytes as Buffers, text as strings. */
export type Row = Record<string, unknown>;

export function toContactNames(row: Row): Pick<rows.ContactRow, "id" | "workspace" | "email" | "externalId"> {
  return {
    workspace: text(row.workspace),
    id: id(row.id),
    email: text(row.email),
    externalId: textOrNull(row.external_id),
  };
}

export function toEvent(row: Row): rows.EventRow {
  return {
    id: id(row.id),
    contactId: id(row.contact_id),
    eventKey: text(row.event_key),
    properties: text(row.properties),
    createdAt: Number(row.created_at),
    idempotencyHash: hexOrNull(row.idempotency_hash),
    fingerprint: hexOrNull(row.fingerprint),
    completedItems: textOrNull(row.completed_items),
  };
}

export function toRecordedEvent(row: Row): rows.RecordedEvent {
  return { ...toEvent(row), externalId: text(row.effective_external_id) };
}

export function toNamedEvent(row: Row): rows.NamedEvent {
  return { ...toRecordedEvent(row), email: text(row.email), name: textOrNull(row.name) };
}

export function toSummary(row: Row): rows.EventSummary {
  return {
    eventKey: text(row.event_key),
    count: Number(row.event_count),
    firstAt: Number(row.first_at),
    lastAt: Number(row.last_at),
  };
}

export function toEventUsage(row: Row): rows.EventUsage {
  return { ...toSummary(row), contacts: Number(row.contacts) };
}

export function toCompletion(row: Row): rows.Completion {
  return {
    checklistId: id(row.checklist_id),
    itemKey: text(row.item_key),
    completedAt: numberOrNull(row.completed_at),
  };
}

export function toDismissal(row: Row): rows.Dismissal {
  return { checklistId: id(row.checklist_id), dismissedAt: Number(row.dismissed_at) };
}

export function toDefinition(row: Row): rows.DefinitionRow {
  return {
    workspace: text(row.workspace),
    kind: text(row.kind),
    key: text(row.definition_key),
    id: id(row.id),
    body: JSON.parse(text(row.body)) as unknown,
    createdAt: Number(row.created_at),
  } as rows.DefinitionRow;
}

export function toApiKey(row: Row): rows.ApiKeyRow {
  return {
    ...toApiKeyOwner(row),
    name: text(row.name),
    prefix: text(row.prefix),
    hash: hex(row.hash),
    createdAt: Number(row.created_at),
    lastUsedAt: numberOrNull(row.last_used_at),
  };
}

export function toApiKeyOwner(row: Row): rows.ApiKeyOwner {
  return {
    id: id(row.id),
    workspace: text(row.workspace),
    access: text(row.access) as Access,
    requestsPerMinute: numberOrNull(row.requests_per_minute),
    expiresAt: numberOrNull(row.expires_at),
  };
}

/** Writes 16 bytes as a UUID. */
export function id(value: unknown): string {
  const digits = hex(value);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

export function idOrNull(value: unknown): string | null {
  return value === null ? null : id(value);
}

export function hex(value: unknown): string {
  return bytes(value).toString("hex");
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : bytes(value).toString("utf8");
}

export function textOrNull(value: unknown): string | null {
  return value === null ? null : text(value);
}

function hexOrNull(value: unknown): string | null {
  return value === null ? null : hex(value);
}

/** A pool can be configured to return big integers as strings. */
export function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function bytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError("The driver did not hand out bytes.");
}
