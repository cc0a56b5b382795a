import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import type { Faulted, EventDraft, EventRow, Position, PruneRequest, Refused } from "../../../lib/storage/rows.ts";
import { countOf, createContact, eventsOf, recordAll, recordEvent, refused } from "../calls.ts";
import { at, eventDraft, idAt, keyed, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

const ada = "ada@example.com";
const bob = "bob@example.com";

// Prunes the events from before `at`, in steps, without those of locked contacts. Resolves with the number of events removed.
async function prune(storage: Storage, request: Partial<PruneRequest> = {}): Promise<number> {
  let pruned = 0;
  let after: Position | null = null;
  do {
    const step = await storage.pruneEvents(workspace, { before: at, recordedBefore: at + 1, after, ...request });
    pruned += step.pruned;
    after = step.next;
  } while (after);
  return pruned;
}

// Events of the past, each of which happened so many milliseconds before `at`.
async function recordPast(storage: Storage, ages: readonly number[], parts: Partial<EventDraft> = {}): Promise<void> {
  await recordAll(
    storage,
    ages.map((age) => eventDraft({ id: idAt(at), createdAt: at - age, recordedAt: at, ...parts })),
  );
}

async function answerOf(
  storage: Storage,
  parts: Partial<EventDraft>,
): Promise<EventRow | Refused | Faulted | null | undefined> {
  return (await storage.recordEvents([eventDraft(parts)]))[0];
}

async function agesOf(storage: Storage, externalId: string): Promise<number[] | undefined> {
  return (await eventsOf(storage, externalId))?.map(({ createdAt }) => at - createdAt);
}

export function pruning(test: StorageTest): void {
  test("a pruning removes the events from before its time, and keeps the summaries", async ({ storage }) => {
    const { id } = await createContact(storage);
    await recordPast(storage, [3, 2, 1, 0, -1]);
    const summaries = await storage.findSummaries(workspace, id);
    assert.equal(await prune(storage, { before: at - 1 }), 2);
    assert.deepEqual(await agesOf(storage, ada), [-1, 0, 1]);
    assert.equal(await prune(storage), 1);
    assert.deepEqual(await agesOf(storage, ada), [-1, 0]);
    assert.deepEqual(await storage.findSummaries(workspace, id), summaries);
    assert.equal(await prune(storage), 0);
  });

  test("a pruning leaves what was recorded from a time on, however old it is", async ({ storage }) => {
    await createContact(storage);
    await recordPast(storage, [1_000], { id: idAt(at + 10) });
    assert.equal(await prune(storage, { recordedBefore: at + 10 }), 0);
    assert.equal(await prune(storage, { recordedBefore: at + 60_000 }), 1);
  });

  test("a pruning of 1,001 events of several contacts comes to its end step by step", async ({ storage }) => {
    for (const email of [ada, bob]) await createContact(storage, { email });
    const ages = Array.from({ length: 1_001 }, (_, age) => age + 1);
    await recordPast(storage, ages.slice(500), { contact: { email: ada } });
    await recordPast(storage, ages.slice(0, 500), { contact: { email: bob } });
    const step = await storage.pruneEvents(workspace, { before: at, recordedBefore: at + 1, after: null });
    assert.ok(step.pruned < 1_000 && step.next !== null && !step.held);
    assert.equal(step.pruned + (await prune(storage, {})), 1_001);
    assert.deepEqual([await agesOf(storage, ada), await agesOf(storage, bob)], [[], []]);
  });

  test("a pruning leaves the events of a contact that a transaction holds, and says so", async ({ storage, begin }) => {
    for (const email of [ada, bob]) await createContact(storage, { email });
    for (const email of [ada, bob]) await recordPast(storage, [1], { contact: { email } });
    const { inside, commit } = await begin();
    await recordEvent(inside, { contact: { email: ada } });
    const request = { before: at, recordedBefore: at + 1, after: null };
    assert.deepEqual(await storage.pruneEvents(workspace, request), { pruned: 1, held: true, next: null });
    assert.deepEqual([await agesOf(storage, ada), await agesOf(storage, bob)], [[1], []]);
    await commit();
    assert.deepEqual(await storage.pruneEvents(workspace, request), { pruned: 1, held: false, next: null });
    assert.equal((await eventsOf(storage, ada))?.length, 1);
  });

  test("a dry run counts what a pruning would remove, also of a locked contact", async ({ storage, begin }) => {
    for (const email of [ada, bob]) await createContact(storage, { email });
    for (const email of [ada, bob]) await recordPast(storage, [3, 2, 1, 0], { contact: { email } });
    await recordPast(storage, [1], { id: idAt(at + 10) });
    const { inside, rollback } = await begin();
    await recordEvent(inside, { contact: { email: ada } });
    for (const expected of [4, 4]) {
      assert.equal(await prune(storage, { before: at - 1, recordedBefore: at + 10, dryRun: true }), expected);
    }
    await rollback();
    assert.deepEqual(
      [await agesOf(storage, ada), await agesOf(storage, bob)],
      [
        [0, 1, 1, 2, 3],
        [0, 1, 2, 3],
      ],
    );
    assert.equal(await prune(storage, { before: at - 1, recordedBefore: at + 10 }), 4);
  });

  test("the idempotency key of a removed event can be used again", async ({ storage }) => {
    const { id } = await createContact(storage);
    const draft = eventDraft({ id: idAt(at), ...keyed("k"), createdAt: at - 1 });
    await recordAll(storage, [draft]);
    await prune(storage, { recordedBefore: at + 60_000 });
    const again = await recordEvent(storage, { ...draft, id: idAt(at) });
    assert.notEqual(again.id, draft.id);
    assert.equal(await countOf(storage, id), 2);
  });

  test("a workspace refuses an event from before its mark, whose time never goes back", async ({ storage }) => {
    const { id } = await createContact(storage);
    const past = { createdAt: at - 2, recordedAt: at };
    await storage.markPruned(workspace, at - 1);
    await storage.markPruned(workspace, at - 100);
    const { issues } = refused(
      await answerOf(storage, { ...past, contact: { email: "nobody@example.com" } }),
      "invalid_input",
    );
    assert.deepEqual(issues, ["createdAt out_of_range"]);
    for (const kept of [{ createdAt: at - 1 }, { createdAt: at - 2, recordedAt: at - 2 }]) {
      await recordEvent(storage, { id: idAt(at), ...past, ...kept });
    }
    await createContact(storage, { workspace: "other" });
    await recordEvent(storage, { ...past, workspace: "other" });
    assert.equal(await countOf(storage, id), 2);
  });

  test("what was recorded before the mark is answered again, by its id and by its key", async ({ storage }) => {
    await createContact(storage);
    const drafts = [
      eventDraft({ id: idAt(at), createdAt: at - 2, recordedAt: at }),
      eventDraft({ id: idAt(at), createdAt: at - 2, recordedAt: at, ...keyed("k") }),
    ];
    const recorded = await recordAll(storage, drafts);
    await storage.markPruned(workspace, at - 1);
    assert.deepEqual(await answerOf(storage, { ...drafts[1]!, id: idAt(at) }), recorded[1]);
    refused(await answerOf(storage, { ...drafts[0]!, id: idAt(at) }), "invalid_input");
  });

  test("a transaction refuses an event from before the mark too", async ({ storage, begin }) => {
    await createContact(storage);
    await storage.markPruned(workspace, at - 1);
    const { inside, rollback } = await begin();
    refused(await answerOf(inside, { createdAt: at - 2, recordedAt: at }), "invalid_input");
    await rollback();
  });
}
