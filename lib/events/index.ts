import { hash } from "node:crypto";
import type {
  CompletedChecklistItem,
  EventContact,
  KeyedEvent,
  Page,
  RecentEvent,
  Scalar,
  StoredEvent,
  Tracked,
  TrackedEvent,
} from "../model/types.ts";
import {
  checkKeyedEvent,
  checkSingleEvent,
  eventPageRequestStruct,
  trackOptionsStruct,
  type CheckedEvent,
} from "../input/events.ts";
import { manyOptionsStruct, parseExternalId, silenceOf } from "../input/structs.ts";
import { pageOf, sliceOf } from "../input/pages.ts";
import { getContact } from "../contacts/index.ts";
import { prepareByOwnId, upsertContact } from "../contacts/upserts.ts";
import { TrackerError } from "../model/errors.ts";
import { accepted } from "../storage/refusals.ts";
import { acceptsEvent } from "../definitions/event-types.ts";
import { foldEmail } from "../model/emails.ts";
import { isKeyReused } from "../decisions/events.ts";
import { newId } from "../model/ids.ts";
import { itemsPerTurn } from "../model/limits.ts";
import type { Sized } from "../bulk/groups.ts";
import { resultOf } from "../bulk/item-results.ts";
import { eachEventOf, eachItem, isPageOfAll } from "../bulk/each.ts";
import type { GroupWrites } from "../bulk/many.ts";
import type { Scope } from "../scope.ts";
import type {
  EventDraft,
  EventRow,
  NamedEvent,
  RecordedEvent,
  Refused,
  Silenceable,
  Faulted,
} from "../storage/rows.ts";
import { formatTime } from "../model/times.ts";
import { parse } from "../input/shapes.ts";

export async function trackEvent(scope: Scope, input: unknown, options: unknown = {}): Promise<Tracked> {
  const event = checkSingleEvent(input, scope.now());
  const { idempotencyKey } = parse(options, trackOptionsStruct);
  return recordEvent(scope, event, idempotencyKey);
}

/** How `writeMany` and `writeArray` write events. */
export function eventWrites(scope: Scope, options: unknown = {}): GroupWrites<KeyedEvent, PreparedEvent, Tracked> {
  const silence = silenceOf(parse(options, manyOptionsStruct));
  return {
    itemsMax: itemsPerTurn,
    prepare(input) {
      const event = checkKeyedEvent(input, scope.now());
      const draft = draftOf(scope, event, event.idempotencyKey, silence);
      return { event, draft, bytes: draft.properties.length };
    },
    async write(prepared) {
      const drafts = prepared.map(({ draft }) => draft);
      const rows = await scope.storage.recordEvents(drafts, { whenFull: scope.whenFull });
      return prepared.map(({ event, draft }, index) => resultOf(() => trackedOf(event, draft, rows[index] ?? null)));
    },
  };
}

interface PreparedEvent extends Sized {
  event: CheckedEvent;
  draft: EventDraft;
}

export function recordEvent(
  scope: Scope,
  event: CheckedEvent,
  idempotencyKey: string | undefined,
  silence: Silenceable = {},
): Promise<Tracked> {
  const draft = draftOf(scope, event, idempotencyKey, silence);
  const record = (): Promise<Tracked> =>
    scope.storage
      .recordEvents([draft], { whenFull: scope.whenFull })
      .then(([recorded = null]) => trackedOf(event, draft, recorded));
  return event.upserted ? upsertFor(scope, draft, event.upserted).then(record) : record();
}

async function upsertFor(scope: Scope, draft: EventDraft, contact: EventContact): Promise<void> {
  // A refused event goes to the storage too: it may be the replay of an accepted one.
  if (await acceptsEvent(scope, draft)) await upsertContact(scope, contact, prepareByOwnId);
}

function draftOf(
  scope: Scope,
  event: CheckedEvent,
  idempotencyKey: string | undefined,
  silence: Silenceable,
): EventDraft {
  const { contact, eventKey, properties = {}, happenedAt, recordedAt } = event;
  return {
    workspace: scope.workspace,
    id: newId(recordedAt),
    contact,
    eventKey,
    properties: JSON.stringify(properties),
    createdAt: happenedAt ?? recordedAt,
    recordedAt,
    idempotencyHash: idempotencyKey === undefined ? null : hash("sha256", idempotencyKey, "hex"),
    fingerprint: idempotencyKey === undefined ? null : fingerprintOf(event),
    mustBeDefined: scope.refusesUndefinedEvents ?? false,
    ...silence,
  };
}

/** An event that is sent in the older shape names its contact by the email alone. */
const withEmail = { message: "No contact has this email. Create the contact first." };

/** Returns the result of `track`. Throws a refusal of the storage as a `TrackerError`. */
function trackedOf(
  event: CheckedEvent,
  { id, contact, fingerprint }: EventDraft,
  recorded: EventRow | Refused | Faulted | null,
): Tracked {
  if (!recorded) throw new TrackerError("contact_not_found", "email" in contact ? withEmail : {});
  const row = accepted("refused" in recorded ? inWordsOf(event, recorded) : recorded);
  if (isKeyReused(row, fingerprint)) throw new TrackerError("idempotency_key_reused");
  const { completedItems } = row;
  return {
    event: toTrackedEvent(row),
    completedChecklistItems: completedItems === null ? [] : (JSON.parse(completedItems) as CompletedChecklistItem[]),
    replayed: row.id !== id,
  };
}

export async function listEvents(scope: Scope, identifier: unknown, page: unknown = {}): Promise<Page<StoredEvent>> {
  const externalId = parseExternalId(identifier);
  const { eventKey, ...request } = parse(page, eventPageRequestStruct);
  const found = await scope.storage.listEvents(scope.workspace, externalId, eventKey ?? null, sliceOf(request));
  if (!found) throw new TrackerError("contact_not_found");
  return pageOf(found, showEvent);
}

/** An event in an export. */
export type ExportedEvent = Omit<RecentEvent, "email" | "name">;

export async function listRecentEvents(scope: Scope, page: unknown = {}): Promise<Page<RecentEvent>> {
  const { eventKey, ...request } = parse(page, eventPageRequestStruct);
  return pageOf(
    await scope.storage.listRecentEvents(scope.workspace, eventKey ?? null, sliceOf(request)),
    showRecentEvent,
  );
}

/** Yields the events of the contact with this identifier or, if `chosen` is an object, the events of all contacts that it selects. */
export function eachEvent(
  scope: Scope,
  chosen: unknown,
  page: unknown,
): AsyncGenerator<StoredEvent | RecentEvent, void, undefined> {
  if (isPageOfAll(chosen, page))
    return eachItem(
      (request) => listRecentEvents(scope, request),
      () => parse(chosen, eventPageRequestStruct),
    );
  return eachEventOf(
    (request) => listEvents(scope, chosen, request),
    () => getContact(scope, chosen),
    () => parse(page === undefined ? {} : page, eventPageRequestStruct),
  );
}

export function showEvent(row: EventRow): StoredEvent {
  return { ...toTrackedEvent(row), properties: JSON.parse(row.properties) as Record<string, Scalar> };
}

export function showRecordedEvent(row: RecordedEvent): ExportedEvent {
  return { ...showEvent(row), externalId: row.externalId };
}

function showRecentEvent(row: NamedEvent): RecentEvent {
  return { ...showRecordedEvent(row), email: row.email, name: row.name };
}

/** The refusal. Its issues call the field of the event key as the sender did. */
function inWordsOf({ keyField }: CheckedEvent, { refused }: Refused): Refused {
  const issues = refused.issues?.map((found) => (found.path === "eventKey" ? { ...found, path: keyField } : found));
  return { refused: { ...refused, ...(issues && { issues }) } };
}

/**
 * SHA-256 of the event. Does not depend on the order of the properties. Earlier versions must give the same fingerprint: they had no
 * times, and found the contact of an event with `contact` by its folded email.
 */
function fingerprintOf({ upserted, contact, eventKey, properties = {}, happenedAt }: CheckedEvent): string {
  const sorted = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const named = upserted ? { email: foldEmail(upserted.email) } : contact;
  const parts = [named, eventKey, sorted, ...(happenedAt === null ? [] : [happenedAt])];
  return hash("sha256", JSON.stringify(parts), "hex");
}

function toTrackedEvent({ id, eventKey, contactId, createdAt }: EventRow): TrackedEvent {
  return { id, eventKey, contactId, createdAt: formatTime(createdAt) };
}
