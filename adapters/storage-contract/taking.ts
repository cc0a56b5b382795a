/** Calls of consumers, for the tests of their changes. */
import assert from "node:assert/strict";
import { newId } from "../../lib/model/ids.ts";
import type { ContactProgress, SlotProgress, Taken, TakeRequest } from "../../lib/storage/consumers.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { ContactRow } from "../../lib/storage/rows.ts";
import { accepted, createContact, recordEvent } from "./calls.ts";
import { at, rowsUpTo, subscriptionDraft, workspace } from "./drafts.ts";

export const longMs = 600_000;

/** Makes the subscription to events, and contacts whose changes are in these slots. */
export async function subscribeContacts(storage: Storage, ...slots: number[]): Promise<ContactRow[]> {
  accepted(await storage.putDefinition(subscriptionDraft({ on: { events: true } })));
  const contacts: ContactRow[] = [];
  for (const [index, slot] of slots.entries()) {
    contacts.push(await createContact(storage, { id: idIn(slot), email: `c${index}@example.com` }));
  }
  return contacts;
}

function idIn(slot: number): string {
  return newId(at).slice(0, -2) + slot.toString(16).padStart(2, "0");
}

/** Records an event of the contact with this index. */
export async function happen(storage: Storage, contact: number, eventKey = "step"): Promise<string> {
  return (await recordEvent(storage, { contact: { email: `c${contact}@example.com` }, eventKey })).id;
}

export async function take(storage: Storage, request: Partial<TakeRequest> = {}, key = "all"): Promise<Taken> {
  return accepted(
    await storage.takeChanges(workspace, key, { token: newId(at), leaseMs: longMs, ...rowsUpTo(100), ...request }),
  );
}

export function withoutPlace(taken: Taken): object {
  return { ...taken, place: undefined };
}

/** The ids of the changes, slot by slot. */
export function idsOf({ slots }: Taken): string[] {
  return slots.flatMap(({ changes }) => changes.map(({ row }) => row.id));
}

/** The progress of the first slot that was taken with the token: all its changes were handled, and it is released. */
export function progressOf(taken: Taken, token: string, parts: Partial<SlotProgress> = {}): SlotProgress {
  const [first] = taken.slots;
  assert.ok(first);
  const { slot, end: position } = first;
  return { subscriptionId: taken.subscriptionId, slot, token, position, leaseMs: null, ...parts };
}

/** Takes changes, fails the first one, counts the others of its slot as handled, and releases the slot. */
export async function failFirst(
  storage: Storage,
  pauseMs: number | null,
  { error = "Error: no", ...request }: Partial<TakeRequest> & { error?: string } = {},
): Promise<string> {
  const token = newId(at);
  const taken = await take(storage, { token, ...request });
  const contact = failureOf(taken, pauseMs, error);
  assert.deepEqual(await storage.acknowledge(workspace, [progressOf(taken, token, { contact })]), [true]);
  return contact.changeId;
}

/** The failure of the first change that was taken. */
export function failureOf({ slots }: Taken, pauseMs: number | null, error = "Error: no"): ContactProgress {
  const { row, failures } = slots[0]!.changes[0]!;
  const failure = { failures: failures + 1, error, pauseMs };
  return { contactId: row.contact.id, changeId: row.id, position: row.position, failure };
}

/** Takes changes, and acknowledges the first, of a contact that waits, as handled. */
export async function handleDue(storage: Storage, request: Partial<TakeRequest> = {}): Promise<string> {
  const token = newId(at);
  const taken = await take(storage, { token, ...request });
  const { changes, position } = taken.slots[0]!;
  assert.equal(changes[0]!.waited, true);
  const contact = { ...failureOf(taken, null), failure: null };
  assert.deepEqual(await storage.acknowledge(workspace, [progressOf(taken, token, { position, contact })]), [true]);
  return contact.changeId;
}
