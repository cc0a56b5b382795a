import assert from "node:assert/strict";
import type { ApiKeyRow, Storage } from "../../lib/storage.ts";
import { atOnce } from "./calls.ts";
import { apiKeyRow, workspace } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

// 2026-01-31, 09:00:12.345 and a minute later.
const first = { startsAt: 1_769_850_000_000, now: 1_769_850_012_345 };
const second = { startsAt: 1_769_850_060_000, now: 1_769_850_072_345 };

async function insertKey(storage: Storage): Promise<ApiKeyRow> {
  const row = apiKeyRow();
  assert.equal(await storage.insertApiKey(row), true);
  return row;
}

const ascending = (a: number, b: number): number => a - b;

export function rateLimits(test: StorageTest): void {
  test("requests of a window are answered with how many were taken before, and with the limit when none is left", async ({
    storage,
  }) => {
    const { id } = await insertKey(storage);
    const answers: number[] = [];
    for (let call = 0; call < 5; call++) answers.push(await storage.consume(id, 3, first, 1));
    assert.deepEqual(answers, [0, 1, 2, 3, 3]);
  });

  test("several requests are taken at once, as far as the limit lets them", async ({ storage }) => {
    const { id } = await insertKey(storage);
    assert.equal(await storage.consume(id, 100, first, 60), 0);
    assert.equal(await storage.consume(id, 100, first, 30), 60);
    assert.equal(await storage.consume(id, 100, first, 30), 90);
    assert.equal(await storage.consume(id, 100, first, 30), 100);
  });

  test("more requests than the limit at once take what there is", async ({ storage }) => {
    const { id } = await insertKey(storage);
    assert.equal(await storage.consume(id, 1_000_000, first, 1_500_000), 0);
    assert.equal(await storage.consume(id, 1_000_000, first, 1), 1_000_000);
    assert.equal(await storage.consume(id, 2_000_000, first, 1), 1_000_000);
  });

  test("of 200 requests at once exactly 100 are let through by a limit of 100", async ({ storage }) => {
    const { id } = await insertKey(storage);
    const answers = await atOnce(200, () => storage.consume(id, 100, first, 1));
    assert.equal(answers.filter((before) => before + 1 <= 100).length, 100);
    assert.deepEqual(answers.sort(ascending), [...Array(100).keys(), ...Array<number>(100).fill(100)]);
  });

  test("of 20 times 7 requests at once together 100 are let through by a limit of 100", async ({ storage }) => {
    const { id } = await insertKey(storage);
    const answers = await atOnce(20, () => storage.consume(id, 100, first, 7));
    assert.deepEqual(
      answers.sort(ascending),
      [0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 100, 100, 100, 100, 100],
    );
  });

  test("a later window starts at zero", async ({ storage }) => {
    const { id } = await insertKey(storage);
    for (let call = 0; call < 3; call++) await storage.consume(id, 2, first, 1);
    assert.equal(await storage.consume(id, 2, second, 1), 0);
    assert.equal(await storage.consume(id, 2, second, 1), 1);
    assert.equal(await storage.consume(id, 2, second, 1), 2);
  });

  test("a late request of an earlier window gives nothing back to the later", async ({ storage }) => {
    const { id } = await insertKey(storage);
    assert.equal(await storage.consume(id, 2, second, 2), 0);
    await storage.consume(id, 2, first, 1);
    assert.equal(await storage.consume(id, 2, second, 1), 2);
  });

  test("a window that a wrong clock began, more than an hour ahead, is forgotten", async ({ storage }) => {
    const { id } = await insertKey(storage);
    const aheadBy = (ms: number): typeof first => ({ startsAt: first.startsAt + ms, now: first.now + ms });
    assert.equal(await storage.consume(id, 2, aheadBy(3_600_000), 1), 0);
    assert.equal(await storage.consume(id, 2, first, 1), 1);
    assert.equal(await storage.consume(id, 2, aheadBy(86_400_000), 2), 0);
    for (const takenBefore of [0, 1, 2]) assert.equal(await storage.consume(id, 2, first, 1), takenBefore);
    assert.equal(await storage.consume(id, 2, second, 1), 0);
  });

  test("a limit lower than what was taken lets nothing through, and gives nothing back to a higher", async ({
    storage,
  }) => {
    const { id } = await insertKey(storage);
    assert.equal(await storage.consume(id, 100, first, 10), 0);
    assert.equal(await storage.consume(id, 5, first, 1), 5);
    assert.equal(await storage.consume(id, 100, first, 1), 10);
  });

  test("each API key has a window of its own", async ({ storage }) => {
    const [ada, bob] = [await insertKey(storage), await insertKey(storage)];
    assert.equal(await storage.consume(ada.id, 2, first, 2), 0);
    assert.equal(await storage.consume(bob.id, 2, first, 1), 0);
    assert.equal(await storage.consume(ada.id, 2, first, 1), 2);
    assert.equal(await storage.consume(bob.id, 2, first, 1), 1);
  });

  test("a key's use is noted to the minute", async ({ storage }) => {
    const row = await insertKey(storage);
    const hour = { startsAt: 1_769_850_000_000, now: 1_769_850_479_999 };
    await storage.consume(row.id, 100, hour, 1);
    assert.deepEqual(await storage.listApiKeys(workspace), [{ ...row, lastUsedAt: 1_769_850_420_000 }]);
    await storage.consume(row.id, 100, { ...hour, now: 1_769_850_480_000 }, 1);
    assert.deepEqual(await storage.listApiKeys(workspace), [{ ...row, lastUsedAt: 1_769_850_480_000 }]);
  });

  test("a use that takes no request is noted all the same", async ({ storage }) => {
    const row = await insertKey(storage);
    for (const takenBefore of [0, 0]) assert.equal(await storage.consume(row.id, 2, first, 0), takenBefore);
    assert.deepEqual(await storage.listApiKeys(workspace), [{ ...row, lastUsedAt: 1_769_850_000_000 }]);
    assert.equal(await storage.consume(row.id, 2, first, 1), 0);
  });

  test("a key's use is noted of no other key", async ({ storage }) => {
    const [used, unused] = [await insertKey(storage), await insertKey(storage)];
    await storage.consume(used.id, 100, first, 1);
    assert.deepEqual(
      (await storage.listApiKeys(workspace)).filter(({ id }) => id === unused.id),
      [unused],
    );
  });
}
