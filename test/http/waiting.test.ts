import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { suite } from "../support/suite.ts";
import { openFaulty, type FaultyClient } from "./faulty.ts";

/** A request that waits, and a promise for the time when it has read the log once. */
async function startWaiting(): Promise<{ client: FaultyClient; hasRead: Promise<void>; waiting: Promise<unknown> }> {
  const storage = memoryStorage();
  let read = (): void => {};
  const hasRead = new Promise<void>((resolve) => (read = resolve));
  const client = await openFaulty({
    ...storage,
    listChanges: (...args) => storage.listChanges(...args).finally(read),
  });
  await client.tracker.subscriptions.define({ key: "all", on: { contacts: true } });
  const waiting = client.get("/subscriptions/all/changes?wait=25").then(({ status, body }) => ({ status, body }));
  return { client, hasRead, waiting };
}

suite("a request that waits for changes", (test) => {
  test("is answered when the tracker is closed", async () => {
    const { client, hasRead, waiting } = await startWaiting();
    await hasRead;
    await client.tracker.close();
    const { status, body } = (await waiting) as { status: number; body: { items: unknown[]; cursor: string } };
    assert.equal(status, 200);
    assert.deepEqual(body.items, []);
    assert.ok(body.cursor.length > 0);
  });
});
