import assert from "node:assert/strict";
import { newId } from "../../lib/ids.ts";
import { atOnce, createContact, recordEvent } from "./calls.ts";
import { at, eventDraft, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

export function summaries(test: StorageTest): void {
  test("a contact that did nothing, and one that does not exist, have no summaries", async ({ storage }) => {
    const { id } = await createContact(storage);
    assert.deepEqual(await storage.findSummaries(workspace, id), []);
    assert.deepEqual(await storage.findSummaries(workspace, newId(at)), []);
  });

  test("a summary holds the count, the first time and the last, in whatever order the events came", async ({
    storage,
  }) => {
    const { id } = await createContact(storage);
    for (const createdAt of [1_769_850_000_500, 1_769_850_000_100, 1_769_850_000_900, 1_769_850_000_300]) {
      await recordEvent(storage, { createdAt });
    }
    assert.deepEqual(await storage.findSummaries(workspace, id), [
      { eventKey: "step", count: 4, firstAt: 1_769_850_000_100, lastAt: 1_769_850_000_900 },
    ]);
  });

  test("a summary is exact also for events of one array, and of many calls at once", async ({ storage }) => {
    const { id } = await createContact(storage);
    await storage.recordEvents([at + 5, at + 1, at + 9].map((createdAt) => eventDraft({ createdAt })));
    await atOnce(20, (index) => recordEvent(storage, { createdAt: index % 2 === 0 ? at - index : at + index }));
    assert.deepEqual(await storage.findSummaries(workspace, id), [
      { eventKey: "step", count: 23, firstAt: at - 18, lastAt: at + 19 },
    ]);
  });

  test("there is one summary for each event key, and each contact has its own", async ({ storage }) => {
    const ada = await createContact(storage, { email: "ada@example.com" });
    const bob = await createContact(storage, { email: "bob@example.com" });
    await storage.recordEvents([
      eventDraft({ eventKey: "b" }),
      eventDraft({ eventKey: "a", createdAt: at + 1 }),
      eventDraft({ eventKey: "b", createdAt: at + 2 }),
      eventDraft({ eventKey: "b", createdAt: at + 3, contact: { email: "bob@example.com" } }),
    ]);
    assert.deepEqual(await storage.findSummaries(workspace, ada.id), [
      { eventKey: "a", count: 1, firstAt: at + 1, lastAt: at + 1 },
      { eventKey: "b", count: 2, firstAt: at, lastAt: at + 2 },
    ]);
    assert.deepEqual(await storage.findSummaries(workspace, bob.id), [
      { eventKey: "b", count: 1, firstAt: at + 3, lastAt: at + 3 },
    ]);
  });

  test("summaries are in the order of their keys' bytes, not of their UTF-16 units or letters", async ({ storage }) => {
    const { id } = await createContact(storage);
    const eventKeys = ["\u{1f600}", "\uff5e", "é", "b", "a", "B", "aa", "a ", "_", "Z"];
    await storage.recordEvents(eventKeys.map((eventKey) => eventDraft({ eventKey })));
    assert.deepEqual(
      (await storage.findSummaries(workspace, id)).map(({ eventKey }) => eventKey),
      ["B", "Z", "_", "a", "a ", "aa", "b", "é", "\uff5e", "\u{1f600}"],
    );
  });
}
