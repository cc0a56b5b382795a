/** The tests of the changes that wait for consumers. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { BacklogRow } from "../../../lib/storage/consumers.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, refused } from "../calls.ts";
import { logAll } from "../log.ts";
import { at, contactDraft, eventDraft, subscriptionDraft, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { failFirst, happen, longMs, progressOf, subscribeContacts, take } from "../taking.ts";

async function backlogOf(storage: Storage): Promise<BacklogRow | null> {
  await logAll(storage);
  const answer = await storage.readBacklog(workspace, "all");
  return answer && accepted(answer);
}

/** The numbers of changes and of parked contacts. Asserts that nothing else is left. */
async function countsOf(storage: Storage): Promise<[changes: number, parked: number]> {
  const backlog = await backlogOf(storage);
  assert.ok(backlog);
  const { changes, more, oldestAgeMs, parked } = backlog;
  assert.equal(more, false);
  assert.ok(changes > 0 ? oldestAgeMs >= 0 : oldestAgeMs === 0);
  return [changes, parked];
}

export function backlogs(test: StorageTest): void {
  test("a backlog has the changes that are not acknowledged, of the topics and the workspace", async ({ storage }) => {
    await subscribeContacts(storage, 5, 6);
    await storage.putDefinition(subscriptionDraft({ key: "others", on: { contacts: true } }));
    await storage.putDefinition(subscriptionDraft({ workspace: "other" }));
    await storage.upsertContacts([contactDraft(), contactDraft({ workspace: "other" })]);
    await storage.recordEvents([eventDraft({ workspace: "other" })]);
    for (const contact of [0, 0, 1]) await happen(storage, contact);
    const taken = await take(storage, { token: "a" });
    assert.deepEqual(await countsOf(storage), [3, 0]);
    await storage.acknowledge(workspace, [progressOf(taken, "a", { leaseMs: longMs })]);
    assert.deepEqual(await countsOf(storage), [1, 0]);
    await storage.resumeChanges(workspace, "all", "now");
    assert.deepEqual(await countsOf(storage), [0, 0]);
    await happen(storage, 0);
    assert.deepEqual(await countsOf(storage), [1, 0]);
  });

  test("there is no backlog until a slot was leased, and none of an unknown subscription", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    await storage.putDefinition(subscriptionDraft({ key: "others", on: { contacts: true } }));
    await storage.upsertContacts([contactDraft()]);
    assert.deepEqual((await take(storage)).slots, []);
    assert.equal(await backlogOf(storage), null);
    await happen(storage, 0);
    assert.equal(await backlogOf(storage), null);
    await take(storage, { leaseMs: 0 });
    assert.deepEqual(await countsOf(storage), [1, 0]);
    await storage.deleteDefinition(workspace, "subscription", "all");
    refused((await storage.readBacklog(workspace, "all"))!, "definition_not_found");
    await storage.putDefinition(subscriptionDraft({ on: { events: true } }));
    assert.equal(await backlogOf(storage), null);
  });

  test("the age of a backlog is that of its oldest change, by the storage's clock", async ({ storage }) => {
    await subscribeContacts(storage, 5);
    const before = await storage.readClock();
    await happen(storage, 0);
    await logAll(storage);
    const logged = await storage.readClock();
    while ((await storage.readClock()) < logged + 10) await sleep(5);
    await happen(storage, 0);
    await take(storage, { leaseMs: 0 });
    const { oldestAgeMs } = (await backlogOf(storage))!;
    assert.ok(oldestAgeMs >= 9, `${oldestAgeMs} ms`);
    assert.ok(oldestAgeMs <= (await storage.readClock()) - before, `${oldestAgeMs} ms`);
  });

  test("a backlog counts the changes of contacts that pause, and parked contacts, not theirs", async ({ storage }) => {
    await subscribeContacts(storage, 5, 5);
    const id = await happen(storage, 0);
    await happen(storage, 0);
    await happen(storage, 1);
    await failFirst(storage, longMs);
    await happen(storage, 0);
    assert.deepEqual(await countsOf(storage), [3, 0]);
    await storage.resumeChanges(workspace, "all", "now");
    const parked = await happen(storage, 0);
    assert.equal(await failFirst(storage, null), parked);
    await happen(storage, 0);
    await happen(storage, 1);
    assert.deepEqual(await countsOf(storage), [1, 1]);
    refused((await storage.releaseParked(workspace, "all", id, "drop"))!, "change_not_parked");
    await storage.releaseParked(workspace, "all", parked, "retry");
    assert.deepEqual(await countsOf(storage), [3, 0]);
    assert.equal(await failFirst(storage, null), parked);
    await storage.releaseParked(workspace, "all", parked, "drop");
    assert.deepEqual(await countsOf(storage), [1, 0]);
  });

  test("a contact that is deleted leaves the backlog", async ({ storage }) => {
    await subscribeContacts(storage, 5, 5);
    await happen(storage, 0);
    await failFirst(storage, null);
    await happen(storage, 1);
    await failFirst(storage, longMs);
    assert.deepEqual(await countsOf(storage), [1, 1]);
    for (const email of ["c0@example.com", "c1@example.com"]) {
      accepted(await storage.deleteContact(workspace, email, at));
    }
    assert.deepEqual(await countsOf(storage), [0, 0]);
  });
}
