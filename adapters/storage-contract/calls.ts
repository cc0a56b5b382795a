/** Calls as most tests make them, and what they may answer. */
import assert from "node:assert/strict";
import { TrackerError, type ErrorCode } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { EventSummary, EventRow, EventDraft, ContactRow } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import {
  at,
  contactDraft,
  contactUpdate,
  eventDraft,
  wholeList,
  workspace,
  type ContactDraftParts,
  type ContactUpdateParts,
} from "./drafts.ts";

export async function upsert(
  storage: Storage,
  parts: ContactDraftParts = {},
): Promise<{ contact: ContactRow; created: boolean } | TrackerError> {
  const [result] = await storage.upsertContacts([contactDraft(parts)]);
  assert.ok(result);
  return result;
}

export async function createContact(storage: Storage, parts: ContactDraftParts = {}): Promise<ContactRow> {
  const { contact, created } = accepted(await upsert(storage, parts));
  assert.equal(created, true, "the contact was there already");
  return contact;
}

export function update(storage: Storage, parts: ContactUpdateParts = {}): Promise<ContactRow | TrackerError> {
  return storage.updateContact(contactUpdate(parts));
}

export async function record(storage: Storage, parts: Partial<EventDraft> = {}): Promise<EventRow | null> {
  const [result] = await storage.recordEvents([eventDraft(parts)]);
  assert.notEqual(result, undefined);
  return result!;
}

export async function recordEvent(storage: Storage, parts: Partial<EventDraft> = {}): Promise<EventRow> {
  const row = await record(storage, parts);
  assert.ok(row, "the event's contact was not found");
  return row;
}

export function allContacts(storage: Storage): Promise<ContactRow[]> {
  return storage.listContacts(workspace, wholeList);
}

export function eventsOf(storage: Storage, externalId: string): Promise<EventRow[] | null> {
  return storage.listEvents(workspace, externalId, null, wholeList);
}

/** How many events of the key the summary counts. */
export async function countOf(storage: Storage, contactId: string, eventKey = "step"): Promise<number> {
  const summaries = await storage.findSummaries(workspace, contactId);
  return summaries.find((summary: EventSummary) => summary.eventKey === eventKey)?.count ?? 0;
}

/** The result, which must not be a refusal. */
export function accepted<Result>(result: Result | TrackerError | undefined): Result {
  assert.ok(result !== undefined, "there is no result");
  if (result instanceof TrackerError) throw new Error(`refused with ${result.code}`, { cause: result });
  return result;
}

/** The result, which must be a refusal with the code. */
export function refused(result: unknown, code: ErrorCode): TrackerError {
  assert.ok(result instanceof TrackerError, `not refused with ${code}`);
  assert.equal(result.code, code);
  return result;
}

/** The call must reject with the code. It is a promise: a method that throws is not one that rejects. */
export async function rejected(call: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof TrackerError, `not rejected with ${code} but ${String(error)}`);
    assert.equal(error.code, code);
    return true;
  });
}

/** As many calls as that at once. */
export function atOnce<Result>(count: number, call: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** One call of each method that a transaction has. */
export function callsOnContactsAndEvents(storage: Storage): (() => Promise<unknown>)[] {
  return [
    () => storage.upsertContacts([contactDraft()]),
    () => storage.findContact(workspace, "ada@example.com"),
    () => storage.updateContact(contactUpdate()),
    () => storage.listContacts(workspace, wholeList),
    () => storage.recordEvents([eventDraft()]),
    () => storage.listEvents(workspace, "ada@example.com", null, wholeList),
    () => storage.findSummaries(workspace, newId(at)),
    () => storage.deleteContact(workspace, "ada@example.com"),
  ];
}
