import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, allContacts, createContact, isRefused, update, upsert } from "../calls.ts";
import { at } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { assertPending, start } from "../pending.ts";

/** Calls that name Ada by her email or by her externalId, which is her email until the fourth call. */
function callsInOrder(storage: Storage): Promise<object>[] {
  return [
    upsert(storage, { fields: { name: "1" } }),
    update(storage, { fields: { name: "2" }, at: at + 1 }),
    update(storage, { externalId: "ADA@example.com", fields: { plan: "3" }, at: at + 2 }),
    upsert(storage, { fields: { name: "4", externalId: "u4" }, at: at + 3 }),
    update(storage, { externalId: "u4", fields: { email: "eve@example.com" }, at: at + 4 }),
    upsert(storage, { email: "eve@example.com", fields: { name: "6" }, at: at + 5 }),
  ];
}

async function assertInOrder(storage: Storage, calls: readonly Promise<object>[]): Promise<void> {
  const answers = await Promise.all(calls);
  assert.deepEqual(answers.filter(isRefused), []);
  const contacts = await allContacts(storage);
  assert.deepEqual(
    contacts.map(({ email, externalId, name, plan, updatedAt }) => [email, externalId, name, plan, updatedAt]),
    [["eve@example.com", "u4", "6", "3", at + 5]],
  );
}

export function callOrder(test: StorageTest): void {
  test("upserts and updates at once with a common name take effect in order of their calls", async ({ storage }) => {
    await assertInOrder(storage, callsInOrder(storage));
  });

  test("they do so too where a transaction keeps the first of them waiting", async ({ storage, begin }) => {
    const { inside, rollback } = await begin();
    await createContact(inside);
    const calls = callsInOrder(storage).map(start);
    await assertPending(...calls);
    await rollback();
    await assertInOrder(
      storage,
      calls.map(({ result }) => result),
    );
  });

  test("an update that waits for a transaction delays only those with a common name", async ({ storage, begin }) => {
    await createContact(storage);
    await createContact(storage, { email: "bob@example.com" });
    const { inside, commit } = await begin();
    accepted(await update(inside, { fields: { name: "Ada" } }));
    const waiting = start(update(storage, { fields: { plan: "pro" } }));
    await assertPending(waiting);
    accepted(await update(storage, { externalId: "bob@example.com", fields: { plan: "pro" } }));
    accepted(await upsert(storage, { email: "eve@example.com" }));
    await commit();
    accepted(await waiting.result);
  });

  test("closing ends upserts and updates that wait only for each other", async ({ storage }) => {
    const calls = callsInOrder(storage);
    await storage.close();
    const answers = await Promise.all(calls);
    assert.deepEqual(answers.filter(isRefused), []);
  });
}
