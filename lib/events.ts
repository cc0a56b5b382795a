import { hash } from "node:crypto";
import { optional, type Struct } from "superstruct";
import type { CompletedChecklistItem } from "./behaviour-types.ts";
import { parseExternalId } from "./contacts.ts";
import { pageOf, sliceOf } from "./cursors.ts";
import { TrackerError } from "./errors.ts";
import { pageFields } from "./fields.ts";
import { eventKey, externalId } from "./identifiers.ts";
import { newId } from "./ids.ts";
import { idempotencyKeyMaxCharacters, propertiesPerEventMax } from "./limits.ts";
import type { Scope } from "./scope.ts";
import type { ContactReference, EventRow, EventSummary } from "./storage.ts";
import { formatTime } from "./times.ts";
import type { NewEvent, Page, PageRequest, Scalar, StoredEvent, Tracked, TrackedEvent } from "./types.ts";
import { leaf, parse, problem, scalars, shape } from "./validation.ts";

export async function trackEvent(scope: Scope, input: unknown, options: unknown = {}): Promise<Tracked> {
  const { externalId, eventKey, properties } = parse(input, newEvent);
  const { idempotencyKey } = parse(options, trackOptions);
  return recordEvent(scope, { contact: { externalId }, eventKey, properties }, idempotencyKey);
}

/** An event whose input was validated. */
export interface CheckedEvent {
  contact: ContactReference;
  eventKey: string;
  properties: NewEvent["properties"];
}

export async function recordEvent(scope: Scope, event: CheckedEvent, idempotencyKey?: string): Promise<Tracked> {
  const { contact, eventKey, properties = {} } = event;
  const createdAt = scope.now();
  const id = newId(createdAt);
  const fingerprint = idempotencyKey === undefined ? null : fingerprintOf(event);
  const [recorded] = await scope.storage.recordEvents([
    {
      workspace: scope.workspace,
      id,
      contact,
      eventKey,
      properties: JSON.stringify(properties),
      createdAt,
      idempotencyHash: idempotencyKey === undefined ? null : hash("sha256", idempotencyKey, "hex"),
      fingerprint,
    },
  ]);
  if (!recorded) throw new TrackerError("contact_not_found");
  if (recorded.fingerprint !== fingerprint) throw new TrackerError("idempotency_key_reused");
  const { completedItems } = recorded;
  return {
    event: toTrackedEvent(recorded),
    completedChecklistItems: completedItems === null ? [] : (JSON.parse(completedItems) as CompletedChecklistItem[]),
    replayed: recorded.id !== id,
  };
}

export async function listEvents(scope: Scope, identifier: unknown, page: unknown = {}): Promise<Page<StoredEvent>> {
  const externalId = parseExternalId(identifier);
  const { eventKey, ...request } = parse(page, eventPageRequest);
  const slice = sliceOf(request);
  const rows = await scope.storage.listEvents(scope.workspace, externalId, eventKey ?? null, slice);
  if (!rows) throw new TrackerError("contact_not_found");
  return pageOf(rows, slice, (row) => ({
    ...toTrackedEvent(row),
    properties: JSON.parse(row.properties) as Record<string, Scalar>,
  }));
}

/** Counts one event more, as every storage does. */
export function addToSummary(summary: EventSummary, at: number): void {
  summary.count++;
  summary.firstAt = Math.min(summary.firstAt, at);
  summary.lastAt = Math.max(summary.lastAt, at);
}

/** SHA-256 of what was asked for, however its keys were ordered. */
function fingerprintOf({ contact, eventKey, properties = {} }: CheckedEvent): string {
  const sorted = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify([contact, eventKey, sorted]), "hex");
}

function toTrackedEvent({ id, eventKey, contactId, createdAt }: EventRow): TrackedEvent {
  return { id, eventKey, contactId, createdAt: formatTime(createdAt) };
}

export const properties: Struct<NewEvent["properties"], null> = optional(
  scalars<Scalar>("properties", { countMax: propertiesPerEventMax, allowNull: false }),
);

export const newEvent: Struct<NewEvent, null> = shape<NewEvent>("NewEvent", { externalId, eventKey, properties });

const tooLongKey = problem("too_long", `Too long: at most ${idempotencyKeyMaxCharacters} characters.`);

const idempotencyKey = leaf<string>("visible ASCII characters", (value) => {
  if (typeof value !== "string") return "wrong_type";
  if (value === "") return "too_short";
  if (value.length > idempotencyKeyMaxCharacters) return tooLongKey;
  return /^[\x21-\x7e]+$/.test(value) ? null : "invalid_format";
});

/** Options of `track`. The draft standard of the header: draft-ietf-httpapi-idempotency-key-header. */
export const trackOptions: Struct<{ idempotencyKey?: string | undefined }, null> = shape<{
  idempotencyKey?: string | undefined;
}>("TrackOptions", {
  idempotencyKey: optional(idempotencyKey),
});

const eventPageRequest = shape<PageRequest & { eventKey?: string | undefined }>("EventPageRequest", {
  ...pageFields,
  eventKey: optional(eventKey),
});
