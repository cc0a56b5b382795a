import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ChecklistRow, EventRow } from "../../../lib/storage/rows.ts";
import type { ChecklistItem } from "../../../lib/model/types.ts";
import { accepted, atOnce, createContact, eventsOf, recordEvent, recordAll } from "../calls.ts";
import { at, checklistDraft, completionDraft, eventDraft, keyed, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

const items: ChecklistItem[] = [
  { key: "first", name: "First", when: { kind: "has_done", eventKey: "step" } },
  { key: "third", name: "Third", when: { kind: "count_greater_than", eventKey: "step", count: 2 } },
  { key: "other", name: "Other", when: { kind: "has_done", eventKey: "other" } },
  { key: "hand", name: "By hand" },
];

async function define(storage: Storage, parts: Parameters<typeof checklistDraft>[0] = {}): Promise<ChecklistRow> {
  return accepted(await storage.putDefinition(checklistDraft({ items, ...parts }))) as ChecklistRow;
}

/** The completed items, each as `key completed/total`. */
function completedBy(row: EventRow | null | undefined): string[] {
  const completed = JSON.parse(row?.completedItems ?? "[]") as {
    itemKey: string;
    progress: { completed: number; total: number };
  }[];
  return completed.map(({ itemKey, progress }) => `${itemKey} ${progress.completed}/${progress.total}`);
}

async function record(storage: Storage, parts: Parameters<typeof eventDraft>[0] = {}): Promise<string[]> {
  return completedBy((await recordAll(storage, [eventDraft(parts)]))[0]);
}

export function completions(test: StorageTest): void {
  test("an event that reaches an item's count is stored with the completed item", async ({ storage }) => {
    await createContact(storage);
    await define(storage);
    const [row] = await recordAll(storage, [eventDraft({ createdAt: at - 86_400_000, recordedAt: at + 5 })]);
    assert.deepEqual(JSON.parse(row?.completedItems ?? "[]"), [
      {
        checklistKey: "start",
        itemKey: "first",
        name: "First",
        completedAt: "2026-01-31T09:00:00.005Z",
        progress: { completed: 1, total: 4 },
      },
    ]);
    assert.deepEqual(await eventsOf(storage, "ada@example.com"), [row]);
    assert.deepEqual([await record(storage), await record(storage)], [[], ["third 2/4"]]);
    assert.deepEqual([await record(storage), await record(storage, { eventKey: "other" })], [[], ["other 3/4"]]);
  });

  test("the event that is recorded last completes an item, whenever it happened", async ({ storage }) => {
    await createContact(storage);
    await define(storage);
    const rows = await recordAll(storage, [
      eventDraft({ createdAt: at }),
      eventDraft({ createdAt: at + 60_000 }),
      eventDraft({ createdAt: -1 }),
      eventDraft({ createdAt: at - 1 }),
    ]);
    assert.deepEqual(rows.map(completedBy), [["first 1/4"], [], ["third 2/4"], []]);
    const times = (await eventsOf(storage, "ada@example.com"))?.map(({ createdAt }) => createdAt);
    assert.deepEqual(times, [at + 60_000, at, at - 1, -1]);
  });

  test("events of one array see each other's counts", async ({ storage }) => {
    await createContact(storage);
    await createContact(storage, { email: "bob@example.com" });
    await define(storage);
    const bob = { contact: { email: "bob@example.com" } };
    const rows = await recordAll(storage, [
      eventDraft(),
      eventDraft({ eventKey: "other" }),
      eventDraft(bob),
      eventDraft(),
      eventDraft({ contact: { email: "nobody@example.com" } }),
      eventDraft(),
      eventDraft({ ...bob, eventKey: "other" }),
      eventDraft(),
    ]);
    assert.deepEqual(rows.map(completedBy), [
      ["first 1/4"],
      ["other 2/4"],
      ["first 1/4"],
      [],
      [],
      ["third 3/4"],
      ["other 2/4"],
      [],
    ]);
  });

  test("an item that was complete at its definition is not announced", async ({ storage }) => {
    await createContact(storage);
    for (let n = 0; n < 2; n++) await recordEvent(storage);
    await define(storage);
    assert.deepEqual([await record(storage), await record(storage)], [["third 2/4"], []]);
  });

  test("no event completes an item of a deleted checklist", async ({ storage }) => {
    await createContact(storage);
    await define(storage);
    await storage.deleteDefinition(workspace, "checklist", "start");
    assert.deepEqual(await record(storage), []);
  });

  test("of events at once exactly one completes an item", async ({ storage }) => {
    const { id } = await createContact(storage);
    await define(storage);
    const rows = (await atOnce(20, () => recordAll(storage, [eventDraft(), eventDraft({ eventKey: "other" })]))).flat();
    const completed = rows.flatMap(completedBy).map((text) => text.replace(/ .*/, ""));
    assert.deepEqual(completed.sort(), ["first", "other", "third"]);
    const [other, step] = await storage.findSummaries(workspace, id);
    assert.deepEqual([other?.count, step?.count], [20, 20]);
  });

  test("an event that is recorded again is answered with what it completed", async ({ storage }) => {
    await createContact(storage);
    const checklist = await define(storage);
    const byHash = eventDraft(keyed("k"));
    const [first] = await recordAll(storage, [byHash]);
    const byId = eventDraft({ eventKey: "other" });
    const [other] = await recordAll(storage, [byId]);
    await storage.insertCompletion(completionDraft({ checklistId: checklist.id }));
    await storage.deleteDefinition(workspace, "checklist", "start");
    assert.deepEqual([completedBy(first), completedBy(other)], [["first 1/4"], ["other 2/4"]]);
    assert.deepEqual(await recordAll(storage, [eventDraft(keyed("k")), byId]), [first, other]);
  });

  test("an event twice in one array completes an item once, and is answered alike", async ({ storage }) => {
    await createContact(storage);
    await define(storage);
    const rows = await recordAll(storage, [eventDraft(keyed("k")), eventDraft(keyed("k")), eventDraft()]);
    assert.deepEqual(rows.map(completedBy), [["first 1/4"], ["first 1/4"], []]);
  });

  test("an item is completed inside a transaction as outside, unless it is rolled back", async ({ storage, begin }) => {
    await createContact(storage);
    await define(storage);
    await record(storage);
    const lost = await begin();
    assert.deepEqual([await record(lost.inside), await record(lost.inside)], [[], ["third 2/4"]]);
    await lost.rollback();
    const kept = await begin();
    assert.deepEqual([await record(kept.inside), await record(kept.inside)], [[], ["third 2/4"]]);
    await kept.commit();
    assert.deepEqual(await record(storage), []);
  });

  test("an item is completed by all events, also from since the transaction began", async ({ storage, begin }) => {
    await createContact(storage, { email: "ada@example.com" });
    await createContact(storage, { email: "bob@example.com" });
    await define(storage);
    const { inside, commit } = await begin();
    await record(inside, { contact: { email: "bob@example.com" } });
    assert.deepEqual([await record(storage), await record(storage)], [["first 1/4"], []]);
    const completed = await record(inside);
    assert.deepEqual(
      completed.map((text) => text.split(" ")[0]),
      ["third"],
    );
    await commit();
  });

  test("completions are of one workspace, and found for the contact alone", async ({ storage }) => {
    for (const name of ["acme", "other"]) {
      await createContact(storage, { workspace: name });
      await define(storage, { workspace: name, id: newId(at) });
    }
    assert.deepEqual(
      [await record(storage), await record(storage, { workspace: "other" })],
      [["first 1/4"], ["first 1/4"]],
    );
    const { id } = await createContact(storage, { email: "bob@example.com" });
    assert.deepEqual(await storage.findCompletions(workspace, id), []);
  });
}

export function completionsByHand(test: StorageTest): void {
  test("a completion by hand is stored once, is found, and counts towards the progress", async ({ storage }) => {
    const { id } = await createContact(storage);
    const checklist = await define(storage);
    const draft = completionDraft({ checklistId: checklist.id });
    const noted = await atOnce(5, () => storage.insertCompletion(draft));
    assert.deepEqual(noted, [true, true, true, true, true]);
    assert.deepEqual(await storage.findCompletions(workspace, id), [
      { checklistId: checklist.id, itemKey: "hand", completedAt: at },
    ]);
    assert.deepEqual(await storage.findCompletions("other", id), []);
    assert.deepEqual(await record(storage), ["first 2/4"]);
  });

  test("a completion keeps the time of its first call, or that it has none", async ({ storage }) => {
    const { id } = await createContact(storage);
    const draft = completionDraft();
    for (const completedAt of [at + 5, at, at + 9]) {
      await storage.insertCompletion({ ...draft, itemKey: "a", completedAt });
    }
    await storage.insertCompletion({ ...draft, itemKey: "A", completedAt: at + 7 });
    for (const completedAt of [null, at]) await storage.insertCompletion({ ...draft, itemKey: "none", completedAt });
    const found = await storage.findCompletions(workspace, id);
    assert.deepEqual(
      new Map(found.map(({ itemKey, completedAt }) => [itemKey, completedAt])),
      new Map([
        ["a", at + 5],
        ["A", at + 7],
        ["none", null],
      ]),
    );
  });
}
