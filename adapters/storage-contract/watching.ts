/** Calls about watched audiences, for their tests. */
import assert from "node:assert/strict";
import type { ChangeRow } from "../../lib/storage/changes.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { Rule } from "../../lib/model/types.ts";
import { accepted, createContact, recordEvent } from "./calls.ts";
import { at, audienceDraft, contactDraft, eventDraft, subscriptionDraft, workspace, rowsUpTo } from "./drafts.ts";

/** Contacts that have done a step within the last day. */
export const recent: Rule = { kind: "last_done_within", eventKey: "step", period: { days: 1 } };

/** Defines the audience `doers` by the rule, and the subscription `watch` that names it. */
export async function watchDoers(storage: Storage, rule: Rule = { kind: "has_done", eventKey: "step" }): Promise<void> {
  accepted(await storage.putDefinition(audienceDraft({ rule })));
  accepted(await storage.putDefinition(subscriptionDraft({ key: "watch", on: { audiences: ["doers"] } })));
}

/** Runs the first passes to their ends. */
export async function beginAll(storage: Storage, now: number = at): Promise<void> {
  while (await storage.beginWatches(now));
}

/** Makes contacts with these names, defines `doers` with its subscription, and runs the first pass. Resolves with the ids. */
export async function watchMembers(
  storage: Storage,
  { names = [], rule }: { names?: readonly string[]; rule?: Rule } = {},
): Promise<string[]> {
  const ids = await create(storage, ...names);
  await watchDoers(storage, rule);
  await beginAll(storage);
  return ids;
}

/** Runs a whole sweep. */
export async function sweepAll(storage: Storage, now: number): Promise<void> {
  while (await storage.sweep(workspace, now));
}

/** The changes of the subscription, each as its kind and the name in the contact's email. */
export async function noticed(storage: Storage, key = "watch"): Promise<string[]> {
  return (await changesOf(storage, key)).map((row) => `${row.kind} ${nameOf(row)}`);
}

export async function changesOf(storage: Storage, key = "watch"): Promise<ChangeRow[]> {
  while ((await storage.logChanges()).more);
  return accepted(await storage.listChanges(workspace, key, null, rowsUpTo(1_000))).rows;
}

function nameOf({ contact }: ChangeRow): string {
  assert.ok("email" in contact);
  return contact.email.replace("@example.com", "");
}

export function emailOf(name: string): { email: string } {
  return { email: `${name}@example.com` };
}

export async function create(storage: Storage, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await createContact(storage, emailOf(name))).id);
  return ids;
}

export async function step(storage: Storage, name: string, createdAt: number = at): Promise<void> {
  await recordEvent(storage, { contact: emailOf(name), createdAt });
}

/** Writes events without changes. */
export async function stepSilently(storage: Storage, ...names: string[]): Promise<void> {
  await storage.recordEvents(names.map((name) => eventDraft({ contact: emailOf(name), notify: false })));
}

export async function createSilently(storage: Storage, name: string): Promise<void> {
  const [result] = await storage.upsertContacts([contactDraft({ ...emailOf(name), notify: false })]);
  accepted(result);
}
