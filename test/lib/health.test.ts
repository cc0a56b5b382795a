import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { start } from "../../adapters/storage-contract/pending.ts";
import { createTracker, TrackerError, type Storage } from "../../lib/index.ts";
import { database, databaseSuite } from "../support/mysql.ts";
import { countRows, proxiedBy } from "../support/proxied.ts";
import { suite } from "../support/suite.ts";
import { until, within } from "../support/within.ts";

/** Asks the health of a tracker with the storage. */
function healthOf(storage: Storage): () => Promise<boolean> {
  const { health } = createTracker({ storage });
  return async () => (await health()).ok;
}

interface Counting {
  storage: Storage;
  asked: number;
  isDown: boolean;
}

/** A memory that counts how often it is asked, and can be down. */
function countingStorage(): Counting {
  const memory = memoryStorage();
  const counting: Counting = {
    asked: 0,
    isDown: false,
    storage: {
      ...memory,
      async deleteApiKey(workspace, id) {
        counting.asked++;
        if (counting.isDown) throw new Error("down");
        return memory.deleteApiKey(workspace, id);
      },
    },
  };
  return counting;
}

const started = await database();

suite({ name: "health", atOnce: 7 }, (test) => {
  test("is good while the storage answers", async () => {
    assert.equal(await healthOf(memoryStorage())(), true);
  });

  test("is bad when the storage fails, at first too", async () => {
    const counting = countingStorage();
    counting.isDown = true;
    assert.equal(await healthOf(counting.storage)(), false);
  });

  test("is bad when the storage is closed", async () => {
    const storage = memoryStorage();
    await storage.close();
    assert.equal(await healthOf(storage)(), false);
  });

  test("is bad from the call of close() on, though the storage answered just before", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    assert.deepEqual(await tracker.health(), { ok: true, cause: null });
    const closed = tracker.close();
    assert.deepEqual(await tracker.health(), { ok: false, cause: "closed" });
    await closed;
  });

  test("says why it is bad, and nothing that was received", async () => {
    for (const [thrown, cause] of [
      [new TrackerError("storage_unavailable", { cause: { code: "ECONNREFUSED", sql: "SELECT 1" } }), "ECONNREFUSED"],
      [new TrackerError("storage_unavailable"), "unknown"],
      [new Error("down"), "unknown"],
      [undefined, "unknown"],
    ] as const) {
      const deleteApiKey = (): Promise<boolean> => Promise.reject(thrown as Error);
      const { health } = createTracker({ storage: { ...memoryStorage(), deleteApiKey } });
      assert.deepEqual(await health(), { ok: false, cause });
    }
  });

  test("is each caller's own", async () => {
    const { health } = createTracker({ storage: memoryStorage() });
    const [first, second] = await Promise.all([health(), health()]);
    first.ok = false;
    assert.equal(second.ok, true);
  });

  test("takes no callback, as a route's handler would give one", async () => {
    const { health } = createTracker({ storage: memoryStorage() });
    await assert.rejects(
      (health as (next: unknown) => Promise<unknown>)(() => {}),
      TypeError,
    );
  });

  test("is bad when the storage throws before it returns a promise", async () => {
    const storage: Storage = {
      ...memoryStorage(),
      deleteApiKey() {
        throw new Error("down");
      },
    };
    assert.equal(await healthOf(storage)(), false);
  });

  test("asks the storage once, however many ask at once", async () => {
    const counting = countingStorage();
    const isHealthy = healthOf(counting.storage);
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => isHealthy()));
    assert.deepEqual([new Set(answers), counting.asked], [new Set([true]), 1]);
  });

  test("asks the storage once a second, and follows it down and up again", async () => {
    const counting = countingStorage();
    const isHealthy = healthOf(counting.storage);
    const { now } = performance;
    try {
      for (const [second, isDown] of [false, true, false].entries()) {
        performance.now = () => 1_000 * second;
        counting.isDown = isDown;
        assert.equal(await isHealthy(), !isDown);
        performance.now = () => 1_000 * second + 999;
        counting.isDown = !isDown;
        assert.equal(await isHealthy(), !isDown);
      }
    } finally {
      performance.now = now;
    }
    assert.equal(counting.asked, 3);
  });

  test("is bad, in time, while the storage does not answer, which is not asked again before it has", async () => {
    let asked = 0;
    let thaw = (): void => {};
    const frozen = new Promise<boolean>((resolve) => (thaw = () => resolve(false)));
    const isHealthy = healthOf({ ...memoryStorage(), deleteApiKey: () => (asked++, frozen) });
    assert.equal(await within(5_000, "an answer", isHealthy()), false);
    assert.deepEqual([await isHealthy(), asked], [false, 1]);
    thaw();
    await frozen;
    await until(isHealthy);
  });
});

databaseSuite("health on a database", started, (test, server) => {
  const proxied = proxiedBy(server);

  test("is bad before a call has failed when the database is frozen, and good once it is not", () =>
    proxied(async ({ through, proxy }) => {
      const isHealthy = healthOf(through);
      await until(isHealthy);
      await sleep(1_000);
      proxy.freeze();
      const call = start(through.countContacts("default"));
      assert.deepEqual([await isHealthy(), call.isSettled()], [false, false]);
      proxy.thaw();
      await until(isHealthy);
      assert.equal(await call.result, 0);
    }));

  test("leaves nothing behind, whatever keys there are", () =>
    proxied(async (opened) => {
      const { tracker, through } = opened;
      const { apiKey } = await tracker.apiKeys.create({ name: "backend" });
      await until(healthOf(through));
      assert.deepEqual(await tracker.apiKeys.list(), [apiKey]);
      assert.equal(await countRows(opened, "api_key_uses"), 0);
    }));
});
