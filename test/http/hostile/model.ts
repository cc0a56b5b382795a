import assert from "node:assert/strict";
import type { Contact, StoredEvent, TrackedEvent } from "../../../lib/index.ts";
import { assertRefused, uuidV7 } from "../answers.ts";
import type { DoorAnswer } from "../door.ts";
import type { ContactInput, EventInput, Intent } from "./intents.ts";
import { times } from "./values.ts";
import { blank, fold, merge, read } from "./writes.ts";

/** A contact as the model keeps it: its own externalId, and as it is to be shown. */
export interface Kept {
  own: string | null;
  shown: Contact;
  /** Oldest first. */
  events: StoredEvent[];
}

export interface Model {
  /** In order of creation. */
  contacts: Kept[];
  /** What has been answered to each idempotency key. */
  replays: Map<string, { asked: string; body: unknown; contactId: string }>;
}

/** Asserts that the answer to a valid request is the right one, and does to the model what the request did. */
export function verify(model: Model, intent: Intent, answer: DoorAnswer, now: string): void {
  switch (intent.kind) {
    case "upsert":
      return verifyUpsert(model, intent.input, answer, now);
    case "get":
      return verifyGet(model, intent.identifier, answer, intent.method);
    case "patch":
      return verifyPatch(model, intent.identifier, intent.input, answer, now);
    case "delete":
      return verifyDelete(model, intent.identifier, answer);
    case "track":
      return verifyTrack(model, intent.input, intent.idempotencyKey, answer, now);
  }
}

function verifyUpsert(model: Model, input: ContactInput, answer: DoorAnswer, now: string): void {
  const email = fold(input.email!);
  const before = model.contacts.find(({ shown }) => shown.email === email);
  const after = merge(before ?? blank(email, now), input, now);
  const holder = model.contacts.find((other) => other !== before && other.shown.externalId === after.shown.externalId);
  if (holder) return assertConflict(answer, "external_id_taken", "externalId", before ? [before, holder] : [holder]);
  const { id } = (answer.body as { contact: Contact }).contact;
  if (!before) {
    assert.match(id, uuidV7);
    after.shown.id = id;
    model.contacts.push(after);
  }
  assert.equal(answer.status, before ? 200 : 201);
  assert.deepEqual(answer.body, { success: true, contact: after.shown });
  if (before) Object.assign(before, after);
}

function verifyGet(model: Model, identifier: string, answer: DoorAnswer, method: "GET" | "HEAD"): void {
  const found = find(model, identifier);
  if (method === "HEAD") return assert.deepEqual([answer.status, answer.body], [found ? 200 : 404, null]);
  if (!found) return assertRefused(answer, 404, "contact_not_found");
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { success: true, contact: found.shown });
}

function verifyPatch(model: Model, identifier: string, input: ContactInput, answer: DoorAnswer, now: string): void {
  const before = find(model, identifier);
  if (!before) return assertRefused(answer, 404, "contact_not_found");
  const after = merge(before, input, now);
  const others = model.contacts.filter((other) => other !== before);
  const byEmail = others.find(({ shown }) => shown.email === after.shown.email);
  if (byEmail) return assertConflict(answer, "email_taken", "email", [before, byEmail]);
  const byExternalId = others.find(({ shown }) => shown.externalId === after.shown.externalId);
  if (byExternalId) return assertConflict(answer, "external_id_taken", "externalId", [before, byExternalId]);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { success: true, contact: after.shown });
  Object.assign(before, after);
}

function verifyDelete(model: Model, identifier: string, answer: DoorAnswer): void {
  const byExternalId = find(model, identifier);
  const byEmail = model.contacts.find(({ shown }) => shown.email === fold(identifier));
  if (byExternalId && byEmail && byExternalId !== byEmail) {
    return assertConflict(answer, "ambiguous_identifier", "identifier", [byExternalId, byEmail]);
  }
  const chosen = byExternalId ?? byEmail;
  if (!chosen) return assertRefused(answer, 404, "contact_not_found");
  const { id } = chosen.shown;
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { success: true, deleted: { contactId: id, events: chosen.events.length } });
  model.contacts.splice(model.contacts.indexOf(chosen), 1);
  for (const [key, { contactId }] of model.replays) if (contactId === id) model.replays.delete(key);
}

function verifyTrack(model: Model, input: EventInput, key: string | null, answer: DoorAnswer, now: string): void {
  const properties = Object.fromEntries(
    Object.entries(input.properties ?? {}).map(([name, sent]) => [name, read(sent)]),
  );
  const eventKey = "event" in input ? input.event : input.eventKey;
  const reference = "email" in input ? { email: fold(input.email) } : { externalId: input.externalId };
  const sorted = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  const happenedAt = input.createdAt === undefined ? null : times[input.createdAt]!;
  const asked = JSON.stringify([reference, eventKey, sorted, happenedAt]);
  const earlier = key === null ? undefined : model.replays.get(key);
  assert.equal(answer.headers.get("Idempotent-Replayed"), earlier?.asked === asked ? "true" : null);
  if (earlier) {
    if (earlier.asked !== asked) return assertRefused(answer, 422, "idempotency_key_reused");
    return assert.deepEqual([answer.status, answer.body], [201, earlier.body]);
  }
  const contact =
    "email" in input
      ? model.contacts.find(({ shown }) => shown.email === fold(input.email))
      : find(model, input.externalId);
  if (!contact) return assertRefused(answer, 404, "contact_not_found");
  const { id } = (answer.body as { event: TrackedEvent }).event;
  assert.match(id, uuidV7);
  const event = { id, eventKey, contactId: contact.shown.id, createdAt: happenedAt ?? now };
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.body, { success: true, event, completedChecklistItems: [] });
  contact.events.push({ ...event, properties });
  contact.events.sort((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)));
  if (key !== null) model.replays.set(key, { asked, body: answer.body, contactId: contact.shown.id });
}

function find({ contacts }: Model, identifier: string): Kept | undefined {
  return (
    contacts.find(({ shown }) => shown.externalId === identifier) ??
    contacts.find(({ own, shown }) => own === null && shown.email === fold(identifier))
  );
}

function assertConflict({ status, body }: DoorAnswer, code: string, field: string, contacts: Kept[]): void {
  const { message } = (body as { error: { message: string } }).error;
  const named = contacts.map(({ shown: { id, email, externalId } }) => ({ id, email, externalId }));
  assert.equal(status, 409);
  assert.deepEqual(body, { success: false, error: { code, message, conflict: { field, contacts: named } } });
}
