/** Random writes, clocks and sweeps, and a recount of the members of the watched audiences. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { conditionOf } from "../../lib/decisions/conditions.ts";
import { newId } from "../../lib/model/ids.ts";
import { idTimeMaxMs } from "../../lib/model/limits.ts";
import type { Rule } from "../../lib/model/types.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { PruneStep } from "../../lib/storage/rows.ts";
import { accepted } from "../../adapters/storage-contract/calls.ts";
import {
  at,
  audienceDraft,
  contactDraft,
  eventDraft,
  subscriptionDraft,
  wholeList,
  workspace,
  dayMs,
} from "../../adapters/storage-contract/drafts.ts";
import { beginAll, changesOf, emailOf, sweepAll } from "../../adapters/storage-contract/watching.ts";
import { attribute, checklist, rules } from "./notice-rules.ts";

const audiences = ["first", "second", "third"];
const definitions = {
  attributes: new Map([[attribute.key, attribute]]),
  checklists: new Map([[checklist.key, checklist]]),
};
const contactCount = 12;

function pairOf<Value>(values: readonly Value[], index: number): [Value, Value] {
  return [values[2 * index]!, values[2 * index + 1]!];
}

export interface NoticeModel {
  storage: Storage;
  /** Another storage on the same data, which the model closes; `null` if there can be none. */
  openAnother: (() => Storage) | null;
  operations: number;
  /** A number from 0 to 1 for each decision. */
  random(): number;
}

/**
 * Asserts that each change lets a contact enter that was no member, or leave that was one. After each sweep the members are those of
 * a recount, but for the differences that silent writes and new rules have made without changes.
 */
export async function assertNoticed({ storage, openAnother, operations, random }: NoticeModel): Promise<void> {
  let now = at;
  let read = 0;
  const chosen = new Map<string, Rule>();
  const members = new Map<string, Set<string>>(audiences.map((key) => [key, new Set<string>()]));
  const below = (count: number): number => Math.floor(random() * count);
  const anyEmail = (): { email: string } => emailOf(`c${below(contactCount)}`);
  const membersOf = (key: string): Set<string> => members.get(key)!;

  /** The members at the clock of the watch, or at the time of a write. */
  async function recount(key: string, time?: number): Promise<Set<string>> {
    const { clock } = (await storage.listWatches(workspace)).find(({ audienceKey }) => audienceKey === key)!;
    const condition = conditionOf(chosen.get(key)!, time ?? clock, definitions, clock);
    return new Set((await storage.listMembers(workspace, condition, wholeList)).rows.map(({ email }) => email));
  }

  async function define(key: string, announce: boolean): Promise<void> {
    const rule = rules[below(rules.length)]!;
    const isSame = JSON.stringify(chosen.get(key)) === JSON.stringify(rule);
    chosen.set(key, rule);
    accepted(await storage.putDefinition(audienceDraft({ key, rule, ...(announce && { announce }) })));
    if (announce || isSame) return;
    await beginAll(storage, now);
    members.set(key, await recount(key));
  }

  /** Applies the changes since the last call. A contact that was deleted has no changes any more. */
  async function readLog(): Promise<number> {
    const changes = (await changesOf(storage)).filter(({ position }) => position > read);
    for (const change of changes) {
      assert.ok("audienceKey" in change);
      const { kind, audienceKey, contact } = change;
      const own = membersOf(audienceKey);
      assert.equal(own.has(contact.email), kind === "audience_left", `${kind} ${audienceKey} ${contact.email}`);
      if (kind === "audience_left") own.delete(contact.email);
      else own.add(contact.email);
      read = change.position;
    }
    return changes.length;
  }

  /** Runs a write, and asserts that the members change as far as it changes the recounts: by changes, or silently. */
  async function noticing(silent: boolean, write: (silent: boolean) => Promise<unknown>): Promise<void> {
    const recounts = async (): Promise<Set<string>[]> => {
      const found = audiences.map(async (key) => [await recount(key), await recount(key, now)]);
      return (await Promise.all(found)).flat();
    };
    const before = await recounts();
    await write(silent);
    const changes = await readLog();
    if (silent) assert.equal(changes, 0);
    const after = await recounts();
    for (const [index, key] of audiences.entries()) {
      const [own, [old, atNow], [isAfter, isAtNow]] = [membersOf(key), pairOf(before, index), pairOf(after, index)];
      for (const email of new Set([...own, ...old, ...atNow, ...isAfter])) {
        const isMember = isAfter.has(email);
        // The next sweep decides about a contact that is a member only at one of the times.
        if (isAtNow.has(email) !== isMember || (old.has(email) === isMember && atNow.has(email) === isMember)) continue;
        if (!silent) assert.equal(own.has(email), isMember, `${key} ${email}`);
        else if (isMember) own.add(email);
        else own.delete(email);
      }
    }
  }

  function writeContact(silent: boolean): Promise<unknown> {
    const plan = random() < 0.5 ? "pro" : null;
    // Around the edges of the rules to the millisecond, also where the contact is a member already.
    const trialEnds = now + (below(8) - 4) * 12 * 3_600_000 + below(3) - 1;
    const attributes = random() < 0.7 && { attributes: { [attribute.id]: random() < 0.9 ? trialEnds : null } };
    const draft = contactDraft({ ...anyEmail(), id: newId(now), at: now, fields: { plan }, ...attributes });
    return storage.upsertContacts([{ ...draft, ...(silent && { notify: false }) }]);
  }

  async function writeEvents(silent: boolean): Promise<void> {
    // Of several silent events one can change a membership that the others leave to a sweep.
    const events = Array.from({ length: silent ? 1 : 1 + below(4) }, () => {
      const createdAt = now - below(3 * dayMs);
      const chance = random();
      const eventKey = chance < 0.5 ? "a" : chance < 0.9 ? "b" : "c";
      const properties = JSON.stringify({ total: below(60), ...(random() < 0.5 && { paid: true }) });
      return eventDraft({
        contact: anyEmail(),
        eventKey,
        properties,
        createdAt,
        recordedAt: now,
        ...(silent && { notify: false }),
      });
    });
    await storage.recordEvents(events);
  }

  function complete(silent: boolean): Promise<unknown> {
    const { email: externalId } = anyEmail();
    const completion = { workspace, externalId, checklistId: checklist.id, itemKey: "hand", completedAt: now };
    return storage.insertCompletion({ ...completion, ...(silent && { notify: false }) });
  }

  /** Leaves the contacts that a removed event lets enter or leave to the next sweep. */
  async function prune(): Promise<void> {
    const request = { before: now - dayMs - below(2 * dayMs), recordedBefore: idTimeMaxMs };
    await storage.markPruned(workspace, request.before);
    for (let after: PruneStep["next"] = null; ;) {
      ({ next: after } = await storage.pruneEvents(workspace, { ...request, after }));
      if (after === null) return;
    }
  }

  async function deleteContact(): Promise<void> {
    const { email } = anyEmail();
    await storage.deleteContact(workspace, email, now);
    for (const own of members.values()) own.delete(email);
  }

  /** Closes a storage in the middle of its sweep. */
  async function killSweep(): Promise<void> {
    const other = openAnother?.();
    if (!other) return;
    const killed = sweepAll(other, now).catch(() => {});
    await pause(random() * 20);
    await other.close();
    await killed;
  }

  async function sweep(): Promise<void> {
    const sweepers = Array.from({ length: 1 + below(3) }, () => sweepAll(storage, now - below(dayMs)));
    await Promise.all([...sweepers, ...(random() < 0.5 ? [writeEvents(false)] : [])]);
    await sweepAll(storage, now);
    await readLog();
    for (const key of audiences) assert.deepEqual([...membersOf(key)].sort(), [...(await recount(key))].sort(), key);
  }

  for (const draft of [attribute, checklist]) accepted(await storage.putDefinition(draft));
  for (const key of audiences) {
    chosen.set(key, rules[0]!);
    accepted(await storage.putDefinition(audienceDraft({ key, rule: rules[0]! })));
  }
  accepted(await storage.putDefinition(subscriptionDraft({ key: "watch", on: { audiences } })));
  await beginAll(storage, now);
  for (const key of audiences) await define(key, false);
  for (let n = 0; n < operations; n++) {
    const chance = random();
    if (chance < 0.2) await noticing(chance < 0.04, writeContact);
    else if (chance < 0.58) await noticing(chance < 0.28, writeEvents);
    else if (chance < 0.65) await noticing(chance < 0.6, complete);
    else if (chance < 0.68) await prune();
    else if (chance < 0.76) now += below(dayMs);
    else if (chance < 0.79) await deleteContact();
    else if (chance < 0.85) await define(audiences[below(3)]!, random() < 0.5);
    else if (chance < 0.9) await killSweep();
    else await sweep();
    await readLog();
  }
  await sweep();
}
