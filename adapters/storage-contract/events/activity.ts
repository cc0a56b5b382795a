import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, createContact, recordAll, recordEvent } from "../calls.ts";
import { at, eventDraft, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

const day = 86_400_000;
const today = { from: at, to: at + day };
const yesterday = { from: at - day, to: at };
const [ada, bob] = [{ contact: { email: "ada@example.com" } }, { contact: { email: "bob@example.com" } }];

// Ada came yesterday, Bob today. Each has events of both days, some of them at the bounds.
async function twoDays(storage: Storage): Promise<void> {
  await createContact(storage, { email: "ada@example.com", at: at - 1 });
  await createContact(storage, { email: "bob@example.com", at });
  await recordAll(
    storage,
    [
      { ...ada, createdAt: at - day - 1 },
      { ...ada, createdAt: at - day },
      { ...ada, createdAt: at - 1, eventKey: "other" },
      { ...ada, createdAt: at },
      { ...bob, createdAt: at, eventKey: "other" },
      { ...bob, createdAt: at + day - 1, eventKey: "other" },
      { ...bob, createdAt: at + day },
    ].map((parts) => eventDraft(parts)),
  );
}

export function activity(test: StorageTest): void {
  test("activity is counted in each span, with its beginning and without its end", async ({ storage }) => {
    await twoDays(storage);
    assert.deepEqual(await storage.countActivity(workspace, null, [today, yesterday], at), [
      { events: 3, contacts: 2, newContacts: 1 },
      { events: 2, contacts: 1, newContacts: 1 },
    ]);
    const [whole, none] = [
      { from: at - 9 * day, to: at + 9 * day },
      { from: at - 9 * day, to: at - 8 * day },
    ];
    assert.deepEqual(await storage.countActivity(workspace, null, [none, whole], at), [
      { events: 0, contacts: 0, newContacts: 0 },
      { events: 7, contacts: 2, newContacts: 2 },
    ]);
    assert.deepEqual(await storage.countActivity(workspace, null, [], at), []);
  });

  test("the activity of one key has its events alone, and all new contacts", async ({ storage }) => {
    await twoDays(storage);
    assert.deepEqual(await storage.countActivity(workspace, "other", [yesterday, today], at), [
      { events: 1, contacts: 1, newContacts: 1 },
      { events: 2, contacts: 1, newContacts: 1 },
    ]);
    assert.deepEqual(await storage.countActivity(workspace, "othe", [today], at), [
      { events: 0, contacts: 0, newContacts: 1 },
    ]);
  });

  test("activity in a span that has not ended is never old, deletions included", async ({ storage }) => {
    await twoDays(storage);
    const spans = [today, { from: at - day, to: at + day }];
    await storage.countActivity(workspace, null, spans, at);
    await recordEvent(storage, { ...ada, createdAt: at - 5 });
    accepted(await storage.deleteContact(workspace, "bob@example.com", at));
    assert.deepEqual(await storage.countActivity(workspace, null, spans, at), [
      { events: 1, contacts: 1, newContacts: 0 },
      { events: 4, contacts: 1, newContacts: 1 },
    ]);
  });
}
