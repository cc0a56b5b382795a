import assert from "node:assert/strict";
import { isTrackerError } from "../../../lib/model/errors.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { RemovedRows } from "../../../lib/storage/workspaces.ts";
import { accepted, createContact, eventsOf, recordAll, recordEvent, rejected, upsert } from "../calls.ts";
import { fillWorkspace } from "../content.ts";
import {
  apiKeyRow,
  at,
  contactDraft,
  contactUpdate,
  definitionDraft,
  eventDraft,
  ownerOf,
  wholeList,
  workspace,
} from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { waitBehind } from "../pending.ts";

const nothing = { contacts: 0, events: 0, definitions: 0, apiKeys: 0 };

/** Removes everything, in steps. Resolves with the sums. */
export async function removeAll(storage: Storage, name: string = workspace): Promise<typeof nothing> {
  const sums = { ...nothing };
  for (let after: string | null = null; ;) {
    const { next, done, ...removed }: RemovedRows = await storage.removeRows(name, { after, settled: true });
    for (const kind of Object.keys(sums) as (keyof typeof sums)[]) sums[kind] += removed[kind];
    if (done) return sums;
    after = next;
  }
}

// The code of a refusal, a fault or a rejection; `null` for a write that is accepted.
async function codeOf(write: Promise<unknown>): Promise<string | null> {
  try {
    const [answer] = [await write].flat() as [unknown];
    return (Object(answer) as { refused?: { code: string } }).refused?.code ?? null;
  } catch (error) {
    return isTrackerError(error) ? error.code : String(error);
  }
}

export function deletedWorkspaces(test: StorageTest): void {
  test("workspaces with contacts, definitions, API keys, prunings or marks are listed", async ({ storage }) => {
    assert.deepEqual(await storage.listWorkspaces(), []);
    await createContact(storage, { workspace: "b" });
    accepted(await storage.putDefinition(definitionDraft({ workspace: "c" })));
    await storage.insertApiKey(apiKeyRow({ workspace: "a-" }));
    await storage.markPruned("a_", at);
    await storage.markDeleted("0", at);
    await storage.markDeleted("b", at);
    await storage.markDeleted("b", at + 1);
    accepted(await storage.putDefinition(definitionDraft({ workspace: "d" })));
    assert.equal(await storage.deleteDefinition("d", "attribute", "seats"), true);
    assert.deepEqual(
      (await storage.listWorkspaces()).map(({ name, deletedAt }) => [name, deletedAt]),
      [
        ["0", at],
        ["a-", null],
        ["a_", null],
        ["b", at],
        ["c", null],
      ],
    );
  });

  test("a marked workspace takes no write and has no key, but can be read", async ({ storage, begin }) => {
    for (const name of [workspace, "other"]) await fillWorkspace(storage, name);
    const keys = [await storage.listApiKeys(workspace), await storage.listApiKeys("other")].flat();
    await storage.markDeleted(workspace, at);
    const codesIn = async (name: string, on: Storage): Promise<(string | null)[]> => {
      const parts = { workspace: name };
      const [checklist] = await storage.listDefinitions(name, "checklist");
      const contact = { workspace: name, externalId: "u_1", checklistId: checklist!.id };
      const writes: (() => Promise<unknown>)[] = [
        () => on.upsertContacts([contactDraft({ ...parts, email: "new@example.com" })]),
        () => on.upsertContacts([contactDraft(parts)]),
        () => on.updateContact(contactUpdate({ ...parts, externalId: "u_1" })),
        () => on.recordEvents([eventDraft(parts)]),
      ];
      if (on === storage)
        writes.push(
          () => on.insertCompletion({ ...contact, itemKey: "other", completedAt: at }),
          () => on.putDismissal({ ...contact, dismissedAt: null }),
          () => on.putDefinition(definitionDraft({ ...parts, key: "another" })),
          () => on.deleteDefinition(name, "attribute", "seats"),
          () => on.insertApiKey(apiKeyRow(parts)),
          () => on.markPruned(name, at),
        );
      const codes: (string | null)[] = [];
      for (const write of writes) codes.push(await codeOf(write()));
      return codes;
    };
    const { inside, rollback } = await begin();
    for (const on of [inside, storage]) {
      for (const code of await codesIn(workspace, on)) assert.equal(code, "workspace_deleted");
      for (const code of await codesIn("other", on)) assert.equal(code, null);
      if (on === inside) await rollback();
    }
    assert.deepEqual(await Promise.all(keys.map(({ hash }) => storage.findApiKey(hash))), [null, ownerOf(keys[1]!)]);
    assert.equal((await storage.listContacts(workspace, wholeList)).rows.length, 1);
    assert.equal((await eventsOf(storage, "u_1"))?.length, 2);
  });

  test("a deletion removes all of its workspace and nothing of another, and frees the name", async ({ storage }) => {
    for (const name of [workspace, "other"]) await fillWorkspace(storage, name);
    await storage.markDeleted(workspace, at);
    const receipt = { contacts: 1, events: 2, definitions: 5, apiKeys: 1 };
    assert.deepEqual(await removeAll(storage), receipt);
    assert.deepEqual(await storage.listWorkspaces(), [{ name: "other", deletedAt: null }]);
    assert.equal(await storage.findPrunedBefore(workspace), null);
    await fillWorkspace(storage, workspace);
    assert.equal((await eventsOf(storage, "u_1"))?.length, 2);
    await storage.markDeleted("other", at);
    assert.deepEqual(await removeAll(storage, "other"), receipt);
  });

  test("a deletion of 101 contacts goes in steps, and goes on after an interruption", async ({ storage }) => {
    await createContact(storage);
    await recordAll(
      storage,
      Array.from({ length: 1_001 }, () => eventDraft()),
    );
    const emails = Array.from({ length: 100 }, (_, index) => `c${index}@example.com`);
    await storage.upsertContacts(emails.map((email) => contactDraft({ email })));
    await storage.markDeleted(workspace, at);
    const first = await storage.removeRows(workspace, { after: null, settled: false });
    assert.ok(first.contacts < 101 && first.next !== null && !first.done);
    assert.deepEqual(await storage.listWorkspaces(), [{ name: workspace, deletedAt: at }]);
    const rest = await removeAll(storage);
    assert.deepEqual([first.contacts + rest.contacts, first.events + rest.events], [101, 1_001]);
  });

  test("a deletion leaves the definitions and the mark until it has settled", async ({ storage }) => {
    await fillWorkspace(storage, workspace);
    await storage.markDeleted(workspace, at);
    const { next } = await storage.removeRows(workspace, { after: null, settled: false });
    const last = await storage.removeRows(workspace, { after: next, settled: false });
    assert.deepEqual([last.next, last.done], [null, false]);
    assert.equal((await storage.listDefinitions(workspace, "attribute")).length, 1);
    assert.deepEqual(await storage.listWorkspaces(), [{ name: workspace, deletedAt: at }]);
  });

  test("a step after the mark is gone removes nothing of the new workspace", async ({ storage }) => {
    await storage.markDeleted(workspace, at);
    await removeAll(storage);
    await fillWorkspace(storage, workspace);
    assert.deepEqual(await removeAll(storage), nothing);
    assert.equal((await eventsOf(storage, "u_1"))?.length, 2);
  });

  test("a deletion waits for a transaction that created a contact or recorded an event", async ({ storage, begin }) => {
    const removedAfter = async (write: (inside: Storage) => Promise<unknown>): Promise<unknown> => {
      await createContact(storage);
      const writeAndMark = async (inside: Storage): Promise<void> => {
        await write(inside);
        await storage.markDeleted(workspace, at);
      };
      const [removed] = await waitBehind(begin, writeAndMark, "commit", () => removeAll(storage));
      assert.deepEqual(await storage.listWorkspaces(), []);
      return removed;
    };
    const created = await removedAfter(async (inside) => accepted(await upsert(inside, { email: "new@example.com" })));
    assert.deepEqual(created, { ...nothing, contacts: 2 });
    assert.deepEqual(await removedAfter(recordEvent), { ...nothing, contacts: 1, events: 1 });
  });

  test("a deletion gives up after 5 s of waiting, and can be called again", async ({ storage, begin }) => {
    const { inside, rollback } = await begin();
    accepted(await upsert(inside));
    await storage.markDeleted(workspace, at);
    await rejected(removeAll(storage), "storage_unavailable");
    await rollback();
    assert.deepEqual(await removeAll(storage), nothing);
  });
}
