import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, TrackerError, type InTransaction, type Tracker } from "../../lib/index.ts";
import type { Galera } from "./galera.ts";

const contacts = ["ada@example.com", "bob@example.com"];
const loadMs = 10_000;
const refusals = new Set(["transaction_lost", "storage_unavailable"]);

/**
 * Repeats recorded events in transactions through all nodes at once. Each event stays counted once on every node: a repeated event
 * that is written and undone must not reach the other nodes.
 */
export async function repeatEverywhere(galera: Galera): Promise<void> {
  const urls = galera.urlsOf(await galera.database.createDatabase());
  const storages = urls.map((url) => mysqlStorage(url));
  await storages[0]!.migrate();
  const trackers = storages.map((storage) => createTracker({ storage }));
  try {
    const ids: string[] = [];
    for (const email of contacts) {
      ids.push((await trackers[0]!.contacts.upsert({ email })).contact.id);
      await record(trackers[0]!, email);
    }
    // A transaction does not wait for what its node lacks.
    for (const storage of storages)
      for (const id of ids) while ((await storage.findSummaries("default", id)).length === 0) await sleep(10);
    const endsAt = performance.now() + loadMs;
    const repeated = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => repeat(trackers[n % 3]!, endsAt)));
    console.log(`events repeated in transactions through three nodes: ${repeated.join(", ")}`);
    assert.ok(Math.min(...repeated) > 0);
    // Until each node is in step, and has applied what the others have committed.
    await galera.onEach("DO 0");
    await sleep(2_000);
    for (const storage of storages) {
      const counts = await Promise.all(ids.map(async (id) => (await storage.findSummaries("default", id))[0]?.count));
      assert.deepEqual(counts, [1, 1]);
    }
  } finally {
    for (const tracker of trackers) await tracker.close();
  }
}

async function record({ events }: Tracker | InTransaction, externalId: string): Promise<void> {
  await events.track({ externalId, eventKey: "signed_up" }, { idempotencyKey: externalId });
}

/** Resolves with the number of transactions that were committed. */
async function repeat(tracker: Tracker, endsAt: number): Promise<number> {
  let committed = 0;
  for (let n = 0; performance.now() < endsAt; n++) {
    try {
      await tracker.transaction(async (tx) => {
        for (const email of contacts) await record(tx, email);
        await tx.contacts.update(contacts[n % 2]!, { plan: String(n) });
      });
      committed++;
    } catch (error) {
      // On a busy machine a node may leave for some seconds, or a contact be held for longer than a call waits.
      if (!(error instanceof TrackerError) || !refusals.has(error.code)) throw error;
    }
  }
  return committed;
}
