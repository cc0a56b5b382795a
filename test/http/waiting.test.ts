import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { suite } from "../support/suite.ts";
import type { DoorAnswer } from "./door.ts";
import { openFaulty, type FaultyClient } from "./faulty.ts";

interface Waiting {
  client: FaultyClient;
  answer: Promise<DoorAnswer>;
  /** Resolves after the first look at the log. */
  hasRead: Promise<void>;
  /** The position of each look at the log. */
  positions: Parameters<Storage["listChanges"]>[2][];
}

/** A request that waits for a change for so many seconds. */
async function startWaiting(seconds: number): Promise<Waiting> {
  const storage = memoryStorage();
  const positions: Parameters<Storage["listChanges"]>[2][] = [];
  let read = (): void => {};
  const hasRead = new Promise<void>((resolve) => (read = resolve));
  const client = await openFaulty({
    ...storage,
    listChanges: (workspace, key, after, limit) => {
      positions.push(after);
      return storage.listChanges(workspace, key, after, limit).finally(read);
    },
  });
  await client.tracker.subscriptions.define({ key: "all", on: { contacts: true } });
  return { client, answer: client.get(`/subscriptions/all/changes?wait=${seconds}`), hasRead, positions };
}

suite("a request that waits for changes", (test) => {
  test("is answered when the tracker is closed", async () => {
    const { client, hasRead, answer } = await startWaiting(25);
    await hasRead;
    await client.tracker.close();
    const { status, body } = await answer;
    assert.equal(status, 200);
    assert.deepEqual((body as { items: unknown[] }).items, []);
  });

  test("looks only at what came after its last look", async () => {
    const { answer, positions } = await startWaiting(1);
    assert.equal((await answer).status, 200);
    assert.ok(positions.length > 1);
    assert.deepEqual(
      positions.map((position) => typeof position),
      ["object", ...positions.slice(1).map(() => "number")],
    );
  });
});
