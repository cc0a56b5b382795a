/** The tests of finding the next changes of readers. */
import assert from "node:assert/strict";
import type { NextChange } from "../../../lib/storage/changes.ts";
import { newId } from "../../../lib/model/ids.ts";
import type { Taken } from "../../../lib/storage/consumers.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, createContact, recordAll, recordEvent } from "../calls.ts";
import { at, checklistDraft, completionDraft, eventDraft, rowsUpTo, workspace, dayMs } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { logAll, readAll, subscribe } from "../log.ts";
import { failFirst, happen, progressOf, subscribeContacts, take } from "../taking.ts";
import { beginAll, watchDoers } from "../watching.ts";

async function nextAfter(storage: Storage, after: number, key = "all"): Promise<NextChange> {
  const [next] = (await storage.findWork([{ workspace, key, after }])).next;
  assert.ok(next);
  return next;
}

export function nextChanges(test: StorageTest): void {
  test("a reader whose subscription takes a change finds it, and goes on where it misses none", async ({ storage }) => {
    await subscribe(storage);
    await subscribe(storage, { key: "few", on: { events: ["rare"] } });
    await createContact(storage);
    const { position } = await readAll(storage);
    for (const eventKey of ["step", "rare", "step", "rare"]) await recordEvent(storage, { eventKey });
    await logAll(storage);
    const next = await nextAfter(storage, position, "few");
    assert.ok(next.found && next.position > position);
    const list = async (key: string): Promise<unknown[]> =>
      accepted(await storage.listChanges(workspace, key, next.position, rowsUpTo(10))).rows.map(
        (change) => change.kind === "event_recorded" && change.event.eventKey,
      );
    assert.deepEqual(await list("few"), ["rare", "rare"]);
    assert.deepEqual(await list("all"), ["rare", "step", "rare"]);
  });

  test("a reader whose subscription takes none of the changes goes on at the end of the log", async ({ storage }) => {
    await subscribe(storage);
    await subscribe(storage, { key: "few", on: { events: ["rare"], audiences: [] } });
    await subscribe(storage, { workspace: "other" });
    const { position } = await readAll(storage);
    await createContact(storage);
    await recordEvent(storage);
    await createContact(storage, { workspace: "other" });
    const { position: end } = await readAll(storage);
    assert.ok(end > position);
    assert.deepEqual(await nextAfter(storage, position, "few"), { found: false, position: end });
    assert.deepEqual(await nextAfter(storage, end), { found: false, position: end });
  });

  test("each topic of a subscription finds its changes", async ({ storage }) => {
    const topics = {
      events: { events: true },
      contacts: { contacts: true },
      checklists: { checklists: true },
    } as const;
    for (const [key, on] of Object.entries(topics)) await subscribe(storage, { key, on });
    const found = async (after: number): Promise<boolean[]> => {
      await logAll(storage);
      const readers = Object.keys(topics).map((key) => ({ workspace, key, after }));
      return (await storage.findWork(readers)).next.map((next) => next.found);
    };
    const { position: begin } = await readAll(storage, { key: "checklists" });
    await createContact(storage);
    assert.deepEqual(await found(begin), [false, true, false]);
    const { position: created } = await readAll(storage, { key: "contacts" });
    await recordEvent(storage);
    assert.deepEqual(await found(created), [true, false, false]);
    const { position: recorded } = await readAll(storage, { key: "contacts" });
    const checklist = checklistDraft({ items: [{ key: "a", name: "A" }] });
    accepted(await storage.putDefinition(checklist));
    await storage.insertCompletion(completionDraft({ checklistId: checklist.id, itemKey: "a" }));
    assert.deepEqual(await found(recorded), [false, false, true]);
  });

  test("hundreds of readers at positions of their own are answered in their order", async ({ storage }) => {
    await subscribe(storage);
    await subscribe(storage, { key: "few", on: { events: ["rare"] } });
    await createContact(storage);
    await recordAll(
      storage,
      Array.from({ length: 99 }, () => eventDraft()),
    );
    await recordEvent(storage, { eventKey: "rare" });
    const { changes, position: end } = await readAll(storage);
    const positions = changes.map((change) => change.position);
    const readers = positions.flatMap((after) => ["few", "all"].map((key) => ({ workspace, key, after })));
    const answers = (await storage.findWork(readers)).next.entries();
    for (const [index, after] of positions.entries()) {
      for (const next of [positions.at(-1)!, positions[index + 1]!]) {
        const [, { found, position }] = answers.next().value!;
        if (after === positions.at(-1)) assert.deepEqual([found, position], [false, end]);
        else assert.ok(found && position >= after && position < next);
      }
    }
  });

  test("a reader that is to be refused is found, where it is", async ({ storage }) => {
    const found = (position: number): NextChange => ({ found: true, position });
    assert.deepEqual(await nextAfter(storage, 1, "unknown"), found(1));
    await subscribe(storage);
    const { position } = await readAll(storage);
    assert.deepEqual(await nextAfter(storage, position - 1), found(position - 1));
    assert.deepEqual(await nextAfter(storage, position + 1_000_000_000_000), found(position + 1_000_000_000_000));
    await createContact(storage);
    await logAll(storage);
    while (await storage.removeOldChanges((await storage.readClock()) + 8 * dayMs));
    assert.deepEqual(await nextAfter(storage, position), found(position));
  });

  test("a consumer is found when its slots differ from those it saw, or may have a change", async ({ storage }) => {
    const found = async ({ place }: Pick<Taken, "place">): Promise<boolean> => {
      await logAll(storage);
      return (await storage.findWork([{ workspace, key: "all", ...place }])).next[0]!.found;
    };
    /** Begins a lease or a pause, and finds its end. On a busy machine it ends unseen, and a longer one follows. */
    const endOf = async (begin: (ms: number) => Promise<unknown>): Promise<void> => {
      for (let ms = 100; ; ms *= 2) {
        const since = performance.now();
        await begin(ms);
        const token = newId(at);
        const next = await take(storage, { token });
        if (next.slots.length > 0) {
          const { position } = next.slots[0]!;
          await storage.acknowledge(workspace, [progressOf(next, token, { position })]);
          continue;
        }
        while (!(await found(next)));
        // The clocks of the storage and of the process have whole milliseconds.
        assert.ok(performance.now() - since >= ms - 2);
        return;
      }
    };
    const missing = { place: { after: 0, slotState: null } };
    assert.equal(await found(missing), false);
    await subscribeContacts(storage, 1, 2);
    assert.equal(await found(missing), true);
    const idle = await take(storage);
    assert.equal(await found(idle), false);
    await createContact(storage, { email: "other@example.com" });
    assert.equal(await found(idle), false);
    await happen(storage, 0);
    assert.equal(await found(idle), true);
    const taken = await take(storage, { token: "a" });
    const beside = await take(storage);
    assert.deepEqual([beside.slots, await found(beside)], [[], false]);
    // The slot is given back with its change.
    const { position } = taken.slots[0]!;
    await storage.acknowledge(workspace, [progressOf(taken, "a", { position })]);
    assert.equal(await found(beside), true);
    await endOf(async (leaseMs) => assert.equal((await take(storage, { leaseMs })).slots.length, 1));
    await endOf((pauseMs) => failFirst(storage, pauseMs));
    assert.equal(await storage.deleteDefinition(workspace, "subscription", "all"), true);
    assert.equal(await found(idle), true);
  });

  test("work tells of changes to be logged, of watches to begin, and of a subscription", async ({ storage }) => {
    const work = async (): Promise<boolean[]> => {
      const { isUnlogged, isUnready, isUsed } = await storage.findWork([]);
      return [isUnlogged, isUnready, isUsed];
    };
    assert.deepEqual(await work(), [false, false, false]);
    await watchDoers(storage);
    assert.deepEqual(await work(), [false, true, true]);
    await beginAll(storage);
    assert.deepEqual(await work(), [false, false, true]);
    await storage.transaction((inside) => createContact(inside));
    await logAll(storage);
    assert.deepEqual(await work(), [false, false, true]);
  });
}
