import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import type { Position } from "../../../lib/storage/rows.ts";
import { accepted, createContact, recordEvent } from "../calls.ts";
import { at, eventDraft, newIds, wholeList, workspace, rowsUpTo } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

async function recordNamed(
  storage: Storage,
  ...events: { id: string; name: string; createdAt: number; eventKey?: string }[]
): Promise<void> {
  const drafts = events.map(({ name, ...event }) => eventDraft({ ...event, properties: JSON.stringify({ name }) }));
  for (const row of await storage.recordEvents(drafts)) assert.ok(row);
}

async function eventNamesIn(
  storage: Storage,
  limit: number,
  after: Position | null,
  eventKey: string | null = null,
): Promise<string[] | undefined> {
  const rows = (await storage.listEvents(workspace, "ada@example.com", eventKey, { ...rowsUpTo(limit), after }))?.rows;
  return rows?.map(({ properties }) => (JSON.parse(properties) as { name: string }).name);
}

export function eventLists(test: StorageTest): void {
  test("the events of a contact that does not exist are listed as null", async ({ storage }) => {
    assert.equal(await storage.listEvents(workspace, "ada@example.com", null, wholeList), null);
    assert.equal(await storage.listEvents(workspace, "ada@example.com", "step", wholeList), null);
  });

  test("a contact without events has an empty list of events", async ({ storage }) => {
    await createContact(storage);
    assert.deepEqual(await eventNamesIn(storage, 10, null), []);
    assert.deepEqual(await eventNamesIn(storage, 10, null, "step"), []);
  });

  test("events are listed by their time, the last first, whenever they came", async ({ storage }) => {
    await createContact(storage);
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    await recordNamed(storage, { id: one, name: "late", createdAt: at + 1 });
    await recordNamed(
      storage,
      { id: two, name: "early", createdAt: at - 1 },
      { id: three, name: "earliest", createdAt: -1 },
    );
    await recordNamed(storage, { id: four, name: "between", createdAt: at });
    assert.deepEqual(await eventNamesIn(storage, 10, null), ["late", "between", "early", "earliest"]);
  });

  test("events of one time are listed by id, the last first", async ({ storage }) => {
    await createContact(storage);
    const [one, two, three] = newIds(3) as [string, string, string];
    await recordNamed(storage, { id: two, name: "two", createdAt: at }, { id: three, name: "three", createdAt: at });
    await recordNamed(storage, { id: one, name: "one", createdAt: at });
    assert.deepEqual(await eventNamesIn(storage, 10, null), ["three", "two", "one"]);
  });

  test("a list holds at most as many events as the limit, and goes on after a position", async ({ storage }) => {
    await createContact(storage);
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    await recordNamed(storage, { id: one, name: "one", createdAt: at - 1 }, { id: two, name: "two", createdAt: at });
    await recordNamed(storage, { id: three, name: "three", createdAt: at }, { id: four, name: "four", createdAt: at });
    assert.deepEqual(await eventNamesIn(storage, 2, null), ["four", "three"]);
    assert.deepEqual(await eventNamesIn(storage, 1, { createdAt: at, id: four }), ["three"]);
    assert.deepEqual(await eventNamesIn(storage, 2, { createdAt: at, id: three }), ["two", "one"]);
    assert.deepEqual(await eventNamesIn(storage, 2, { createdAt: at, id: two }), ["one"]);
    assert.deepEqual(await eventNamesIn(storage, 2, { createdAt: at - 1, id: one }), []);
  });

  test("a list of events goes on after a position where no event ever was", async ({ storage }) => {
    await createContact(storage);
    const [one, two, three] = newIds(3) as [string, string, string];
    await recordNamed(
      storage,
      { id: one, name: "one", createdAt: at },
      { id: three, name: "three", createdAt: at + 2 },
    );
    assert.deepEqual(await eventNamesIn(storage, 10, { createdAt: at, id: two }), ["one"]);
    assert.deepEqual(await eventNamesIn(storage, 10, { createdAt: at + 1, id: one }), ["one"]);
    assert.deepEqual(await eventNamesIn(storage, 10, { createdAt: at + 3, id: one }), ["three", "one"]);
  });

  test("a list goes on after the position of an event that is gone", async ({ storage }) => {
    await createContact(storage);
    const [gone, there] = newIds(2) as [string, string];
    await recordNamed(storage, { id: gone, name: "gone", createdAt: at });
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    await createContact(storage);
    await recordNamed(storage, { id: there, name: "there", createdAt: at - 1 });
    assert.deepEqual(await eventNamesIn(storage, 10, { createdAt: at, id: gone }), ["there"]);
  });

  test("the events of one key are listed without the others, page by page", async ({ storage }) => {
    await createContact(storage);
    const [one, two, three, four, five] = newIds(5) as [string, string, string, string, string];
    await recordNamed(
      storage,
      { id: one, name: "one", createdAt: at, eventKey: "step" },
      { id: two, name: "two", createdAt: at, eventKey: "other" },
      { id: three, name: "three", createdAt: at, eventKey: "step" },
      { id: four, name: "four", createdAt: at, eventKey: "other" },
      { id: five, name: "five", createdAt: at, eventKey: "step" },
    );
    assert.deepEqual(await eventNamesIn(storage, 2, null, "step"), ["five", "three"]);
    assert.deepEqual(await eventNamesIn(storage, 2, { createdAt: at, id: three }, "step"), ["one"]);
    assert.deepEqual(await eventNamesIn(storage, 10, { createdAt: at, id: four }, "step"), ["three", "one"]);
    assert.deepEqual(await eventNamesIn(storage, 10, null, "third"), []);
  });

  test("a contact's events are listed without another's", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com" });
    await createContact(storage, { email: "bob@example.com" });
    const event = await recordEvent(storage, { contact: { email: "ada@example.com" } });
    await recordEvent(storage, { contact: { email: "bob@example.com" } });
    assert.deepEqual((await storage.listEvents(workspace, "ada@example.com", null, wholeList))?.rows, [event]);
    assert.deepEqual((await storage.listEvents(workspace, "ada@example.com", "step", wholeList))?.rows, [event]);
  });

  test("a contact's 1,001 events are listed in one list", async ({ storage }) => {
    await createContact(storage);
    const ids = newIds(1_001);
    await storage.recordEvents(ids.map((id) => eventDraft({ id })));
    const rows = (await storage.listEvents(workspace, "ada@example.com", null, { ...rowsUpTo(1_001), after: null }))
      ?.rows;
    assert.deepEqual(
      rows?.map(({ id }) => id),
      ids.toReversed(),
    );
  });
}
