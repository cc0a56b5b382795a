import assert from "node:assert/strict";
import type { Contact, TrackedEvent } from "../../lib/index.ts";
import type { DoorAnswer } from "./door.ts";

interface ErrorBody {
  success: boolean;
  error: { code: string; message: string; issues?: { path: string; code: string; message: string }[] };
}

/** Asserts that the answer is this refusal, with nothing beside code and message. */
export function assertRefused({ status, body }: DoorAnswer, expectedStatus: number, expectedCode: string): void {
  const { success, error } = body as ErrorBody;
  assert.deepEqual([status, success, error.code], [expectedStatus, false, expectedCode]);
  assert.deepEqual(Object.keys(error), ["code", "message"]);
  assert.match(error.message, /^[A-Z].*\.$/);
}

/** Asserts a 400 `invalid_input` with exactly these issues, each as `path: code`, in any order. */
export function assertInvalid({ status, body }: DoorAnswer, expected: string[]): void {
  const { success, error } = body as ErrorBody;
  assert.deepEqual([status, success, error.code], [400, false, "invalid_input"]);
  assert.deepEqual(Object.keys(error), ["code", "message", "issues"]);
  const issues = error.issues ?? [];
  assert.deepEqual(issues.map(({ path, code }) => `${path}: ${code}`).sort(), expected.toSorted());
  // Names of fields as hostile as they may be stand in it.
  assert.doesNotMatch(error.message, /[\p{C}\p{Zl}\p{Zp}]/u);
  assert.ok(error.message.length < 4_000);
  for (const { message } of issues) assert.match(message, /^[A-Z].*[.?]$/);
}

/** The contact of a 200 or 201. */
export function contactOf({ status, body }: DoorAnswer): Contact {
  assert.ok(status === 200 || status === 201, `${status} ${JSON.stringify(body)}`);
  return (body as { contact: Contact }).contact;
}

/** The event of a 201. */
export function eventOf({ status, body }: DoorAnswer): TrackedEvent {
  assert.equal(status, 201, JSON.stringify(body));
  return (body as { event: TrackedEvent }).event;
}

/** UUIDv7: RFC 9562 section 5.7. */
export const uuidV7: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Asserts a 409 with this code, field and contacts, and nothing else. */
export function assertConflict(
  { status, body }: DoorAnswer,
  code: string,
  field: string,
  contacts: readonly object[],
): void {
  assert.equal(status, 409);
  const { message } = (body as { error: { message: string } }).error;
  assert.deepEqual(body, { success: false, error: { code, message, conflict: { field, contacts } } });
}
