/** Calls with the usual inputs of the tests, and checks of their results. */
import assert from "node:assert/strict";
import { isTrackerError, type Conflict, type ErrorCode } from "../../lib/model/errors.ts";
import { newId } from "../../lib/model/ids.ts";
import type { EventSummary, EventRow, EventDraft, ContactRow, Refused, Faulted } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import {
  at,
  completionDraft,
  contactDraft,
  contactUpdate,
  definitionDraft,
  dismissalDraft,
  eventDraft,
  newIds,
  wholeList,
  workspace,
  type ContactDraftParts,
  type ContactUpdateParts,
} from "./drafts.ts";

export async function upsert(
  storage: Storage,
  parts: ContactDraftParts = {},
): Promise<{ contact: ContactRow; created: boolean } | Refused> {
  const [result] = await storage.upsertContacts([contactDraft(parts)]);
  assert.ok(result);
  return faultless(result);
}

export async function createContact(storage: Storage, parts: ContactDraftParts = {}): Promise<ContactRow> {
  const { contact, created } = accepted(await upsert(storage, parts));
  assert.equal(created, true, "the contact was there already");
  return contact;
}

export function update(storage: Storage, parts: ContactUpdateParts = {}): Promise<ContactRow | Refused> {
  return storage.updateContact(contactUpdate(parts));
}

export async function record(storage: Storage, parts: Partial<EventDraft> = {}): Promise<EventRow | null> {
  const [result] = await recordAll(storage, [eventDraft(parts)]);
  assert.ok(result !== undefined);
  return result;
}

/** Records events of which none may be refused. Rejects with the first fault. */
export async function recordAll(storage: Storage, drafts: readonly EventDraft[]): Promise<(EventRow | null)[]> {
  const answers = await storage.recordEvents(drafts);
  return answers.map((answer) => answer && accepted(answer));
}

/** The result. Throws a fault. */
export function faultless<Result extends object>(result: Result | Faulted): Result {
  if ("fault" in result) throw result.fault;
  return result;
}

export async function recordEvent(storage: Storage, parts: Partial<EventDraft> = {}): Promise<EventRow> {
  const row = await record(storage, parts);
  assert.ok(row, "the event's contact was not found");
  return row;
}

export async function allContacts(storage: Storage): Promise<ContactRow[]> {
  return (await storage.listContacts(workspace, wholeList)).rows;
}

export async function eventsOf(storage: Storage, externalId: string): Promise<EventRow[] | null> {
  return (await storage.listEvents(workspace, externalId, null, wholeList))?.rows ?? null;
}

/** How many events of the key the summary counts. */
export async function countOf(storage: Storage, contactId: string, eventKey = "step"): Promise<number> {
  const summaries = await storage.findSummaries(workspace, contactId);
  return summaries.find((summary: EventSummary) => summary.eventKey === eventKey)?.count ?? 0;
}

/** The result, which must not be a refusal. Throws a fault. */
export function accepted<Result extends object>(result: Result | Refused | Faulted | undefined): Result {
  assert.ok(result !== undefined, "there is no result");
  const answer = faultless(result);
  if (isRefused(answer)) assert.fail(`refused with ${answer.refused.code}`);
  return answer as Result;
}

export function isRefused(result: object): result is Refused {
  return "refused" in result;
}

/** The issues, each as `path code`, and the conflict or `null` of the result, which must be a refusal with the code. */
export function refused(
  result: object | null | undefined,
  code: ErrorCode,
): { issues: string[]; conflict: Conflict | null } {
  assert.ok(result && isRefused(result), `not refused with ${code}`);
  const { issues = [], conflict = null } = result.refused;
  assert.equal(result.refused.code, code);
  return { issues: issues.map((issue) => `${issue.path} ${issue.code}`), conflict };
}

/** The call must reject with the code. The parameter is a promise, so a method that throws at once fails the test. */
export async function rejected(call: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(isTrackerError(error), `not rejected with ${code} but ${String(error)}`);
    assert.equal(error.code, code);
    return true;
  });
}

/** Defines attributes, each with a key of its own. Resolves with their ids in ascending order. */
export async function newAttributes(storage: Storage, count: number): Promise<[string, ...string[]]> {
  const ids = newIds(count);
  for (const id of ids) accepted(await storage.putDefinition(definitionDraft({ id, key: id })));
  return ids as [string, ...string[]];
}

/** Makes `count` calls at once. */
export function atOnce<Result>(count: number, call: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** One call of each method that a transaction has. */
export function callsOnContactsAndEvents(storage: Storage): (() => Promise<unknown>)[] {
  return [
    () => storage.upsertContacts([contactDraft()]),
    () => storage.findContact(workspace, { externalId: "ada@example.com" }),
    () => storage.updateContact(contactUpdate()),
    () => storage.listContacts(workspace, wholeList),
    () => storage.recordEvents([eventDraft()]),
    () => storage.listEvents(workspace, "ada@example.com", null, wholeList),
    () => storage.findSummaries(workspace, newId(at)),
    () => storage.insertCompletion(completionDraft()),
    () => storage.findCompletions(workspace, newId(at)),
    () => storage.putDismissal(dismissalDraft()),
    () => storage.findDismissals(workspace, newId(at)),
    () => storage.deleteContact(workspace, "ada@example.com", at),
  ];
}
