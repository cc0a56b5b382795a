import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ApiKeyRow, RateWindow } from "../../../lib/storage/rows.ts";
import { atOnce } from "../calls.ts";
import { apiKeyRow, at, newIds, ownerOf, sha256, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function apiKeys(test: StorageTest): void {
  test("an API key is inserted, and found by its hash as it was given", async ({ storage }) => {
    const [id] = newIds(1) as [string];
    const hash = "0123456789abcdef".repeat(4);
    const row = {
      workspace: "acme",
      id,
      name: "backend",
      prefix: "sk_abcdefghi",
      hash,
      access: "admin" as const,
      requestsPerMinute: 1_000_000_000,
      expiresAt: 1_769_850_000_124,
      createdAt: 1_769_850_000_123,
      lastUsedAt: null,
    };
    assert.equal(await storage.insertApiKey(row), true);
    assert.deepEqual(await storage.findApiKey(hash), ownerOf(row));
    assert.deepEqual(await storage.listApiKeys("acme"), [row]);
  });

  test("an API key is found also if it was looked for before it existed", async ({ storage }) => {
    await storage.insertApiKey(apiKeyRow({ hash: "a".repeat(64) }));
    const row = apiKeyRow({ hash: `${"a".repeat(63)}b` });
    assert.equal(await storage.findApiKey(row.hash), null);
    await storage.insertApiKey(row);
    assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(row));
  });

  test("an API key whose hash exists in any workspace is not inserted and changes nothing", async ({ storage }) => {
    const row = apiKeyRow();
    await storage.insertApiKey(row);
    assert.equal(await storage.insertApiKey(apiKeyRow({ hash: row.hash, name: "other" })), false);
    assert.equal(await storage.insertApiKey(apiKeyRow({ hash: row.hash, workspace: "other" })), false);
    assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(row));
    assert.deepEqual(await storage.listApiKeys(workspace), [row]);
    assert.deepEqual(await storage.listApiKeys("other"), []);
  });

  test("of 20 API keys of one hash at once exactly one is inserted", async ({ storage }) => {
    const rows = newIds(20).map((id) => apiKeyRow({ id, hash: sha256("key") }));
    const inserted = await Promise.all(rows.map((row) => storage.insertApiKey(row)));
    const [stored, ...others] = rows.filter((_, index) => inserted[index]);
    assert.ok(stored);
    assert.deepEqual(others, []);
    assert.deepEqual(await storage.listApiKeys(workspace), [stored]);
    assert.deepEqual(await storage.findApiKey(sha256("key")), ownerOf(stored));
  });

  test("API keys are listed by the time of their creation, then by id", async ({ storage }) => {
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    await storage.insertApiKey(apiKeyRow({ id: one, createdAt: at + 1 }));
    await storage.insertApiKey(apiKeyRow({ id: four, createdAt: at }));
    await storage.insertApiKey(apiKeyRow({ id: three, createdAt: at }));
    await storage.insertApiKey(apiKeyRow({ id: two, createdAt: -1 }));
    const ids = (await storage.listApiKeys(workspace)).map(({ id }) => id);
    assert.deepEqual(ids, [two, three, four, one]);
  });

  test("one of five deletions of an API key removes it, and its hash is free", async ({ storage }) => {
    const [row, other] = [apiKeyRow(), apiKeyRow()];
    await storage.insertApiKey(other);
    assert.equal(await storage.deleteApiKey(workspace, row.id), false);
    await storage.insertApiKey(row);
    assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(row));
    assert.deepEqual((await atOnce(5, () => storage.deleteApiKey(workspace, row.id))).filter(Boolean), [true]);
    assert.equal(await storage.findApiKey(row.hash), null);
    assert.deepEqual(await storage.listApiKeys(workspace), [other]);
    const anew = apiKeyRow({ hash: row.hash });
    assert.equal(await storage.insertApiKey(anew), true);
    assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(anew));
  });

  test("a guarded deletion refuses the last admin key of the workspace that is valid then", async ({ storage }) => {
    const options = { adminKeyAt: at };
    const [last, expired, write, elsewhere] = [
      apiKeyRow({ access: "admin", expiresAt: at + 1 }),
      apiKeyRow({ access: "admin", expiresAt: at }),
      apiKeyRow(),
      apiKeyRow({ access: "admin", workspace: "other" }),
    ];
    for (const row of [last, expired, write, elsewhere]) await storage.insertApiKey(row);
    assert.equal(await storage.deleteApiKey(workspace, elsewhere.id, options), false);
    const refusal = { refused: { code: "last_admin_key" } };
    assert.deepEqual(await storage.deleteApiKey(workspace, last.id, options), refusal);
    assert.deepEqual(await storage.findApiKey(last.hash), ownerOf(last));
    for (const { id } of [expired, write]) assert.equal(await storage.deleteApiKey(workspace, id, options), true);
    const other = apiKeyRow({ access: "admin" });
    await storage.insertApiKey(other);
    assert.equal(await storage.deleteApiKey(workspace, last.id, options), true);
    assert.equal(await storage.deleteApiKey(workspace, last.id, options), false);
    assert.deepEqual(await storage.deleteApiKey(workspace, other.id, options), refusal);
    assert.equal(await storage.deleteApiKey(workspace, other.id), true);
  });

  test("guarded deletions of all admin keys at once leave exactly one", async ({ storage }) => {
    for (const count of [2, 2, 2, 2, 5]) {
      const rows = newIds(count).map((id) => apiKeyRow({ id, access: "admin" }));
      for (const row of rows) await storage.insertApiKey(row);
      const deletions = rows.map(({ id }) => storage.deleteApiKey(workspace, id, { adminKeyAt: at }));
      const refused = (await Promise.all(deletions)).filter((deleted) => deleted !== true);
      assert.deepEqual(refused, [{ refused: { code: "last_admin_key" } }]);
      const [left, ...others] = await storage.listApiKeys(workspace);
      assert.deepEqual(others, []);
      await storage.deleteApiKey(workspace, left!.id);
    }
  });
}

// 2026-01-31, 09:00:12.345 and a minute later.
const first = { startsAt: 1_769_850_000_000, endsAt: 1_769_850_060_000, now: 1_769_850_012_345 };
const second = aheadBy(60_000);

/** The first window on a clock that is ahead by so many milliseconds. */
function aheadBy(ms: number): RateWindow {
  return { startsAt: first.startsAt + ms, endsAt: first.endsAt + ms, now: first.now + ms };
}

async function insertKey(storage: Storage): Promise<ApiKeyRow> {
  const row = apiKeyRow();
  assert.equal(await storage.insertApiKey(row), true);
  return row;
}

/** Takes requests from a window. Resolves with the number taken before. */
async function take(storage: Storage, ...call: Parameters<Storage["consume"]>): Promise<number> {
  return (await storage.consume(...call)).takenBefore;
}

const ascending = (a: number, b: number): number => a - b;

export function rateLimits(test: StorageTest): void {
  test("more requests than the limit at once take what there is", async ({ storage }) => {
    const { id } = await insertKey(storage);
    assert.equal(await take(storage, id, 1_000_000, first, 1_500_000), 0);
    assert.equal(await take(storage, id, 1_000_000, first, 1), 1_000_000);
    assert.equal(await take(storage, id, 2_000_000, first, 1), 1_000_000);
  });

  test("of 200 requests at once exactly 100 are let through by a limit of 100", async ({ storage }) => {
    const { id } = await insertKey(storage);
    const answers = await atOnce(200, () => take(storage, id, 100, first, 1));
    assert.deepEqual(answers.sort(ascending), [...Array(100).keys(), ...Array<number>(100).fill(100)]);
  });

  test("of 20 times 7 requests at once together 100 are let through by a limit of 100", async ({ storage }) => {
    const { id } = await insertKey(storage);
    const answers = await atOnce(20, () => take(storage, id, 100, first, 7));
    assert.deepEqual(
      answers.sort(ascending),
      [0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 100, 100, 100, 100, 100],
    );
  });

  test("processes on both sides of a window's end let no more than the limit through together", async ({ storage }) => {
    const { id } = await insertKey(storage);
    const ahead = { ...second, now: second.startsAt };
    const behind = { ...first, now: first.endsAt - 1 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, call) => take(storage, id, 10, call % 2 === 0 ? ahead : behind, 1)),
    );
    await take(storage, id, 10, behind, 1);
    assert.equal(await take(storage, id, 10, ahead, 1), 10);
    assert.deepEqual(new Set(answers.filter((before) => before < 10)).size, 10);
  });

  test("requests count in their own window, or in the next that a clock ahead has begun", async ({ storage }) => {
    const { id } = await insertKey(storage);
    assert.deepEqual(await storage.consume(id, 3, first, 1), { takenBefore: 0, startsAt: first.startsAt });
    assert.deepEqual(await storage.consume(id, 3, first, 1), { takenBefore: 1, startsAt: first.startsAt });
    assert.deepEqual(await storage.consume(id, 3, second, 1), { takenBefore: 0, startsAt: second.startsAt });
    assert.deepEqual(await storage.consume(id, 3, first, 1), { takenBefore: 1, startsAt: second.startsAt });
    assert.deepEqual(await storage.consume(id, 3, second, 1), { takenBefore: 2, startsAt: second.startsAt });
    for (const { startsAt, ...rest } of [first, second, first]) {
      const refused = await storage.consume(id, 3, { startsAt, ...rest }, 1);
      assert.deepEqual(refused, { takenBefore: 3, startsAt: second.startsAt });
    }
    const third = aheadBy(120_000);
    assert.deepEqual(await storage.consume(id, 3, third, 1), { takenBefore: 0, startsAt: third.startsAt });
  });

  test("a window that begins after the given one's end is forgotten: a wrong clock began it", async ({ storage }) => {
    for (const wrong of [aheadBy(60_001), aheadBy(120_000), aheadBy(1_800_000), aheadBy(86_400_000)]) {
      const { id } = await insertKey(storage);
      assert.equal(await take(storage, id, 2, wrong, 2), 0);
      for (const takenBefore of [0, 1, 2]) {
        assert.deepEqual(await storage.consume(id, 2, first, 1), { takenBefore, startsAt: first.startsAt });
      }
      assert.equal(await take(storage, id, 2, second, 1), 0);
    }
  });

  test("a use that takes no request leaves the window as it is", async ({ storage }) => {
    for (const other of [second, aheadBy(120_000), aheadBy(-60_000)]) {
      const { id } = await insertKey(storage);
      await take(storage, id, 2, first, 2);
      await take(storage, id, 2, other, 0);
      assert.deepEqual(await storage.consume(id, 3, first, 0), { takenBefore: 2, startsAt: first.startsAt });
      assert.equal(await take(storage, id, 2, first, 1), 2);
    }
  });

  test("a limit below what was taken lets nothing through, and gives nothing back to a higher", async ({ storage }) => {
    const { id } = await insertKey(storage);
    assert.equal(await take(storage, id, 100, first, 10), 0);
    assert.equal(await take(storage, id, 5, first, 1), 5);
    assert.equal(await take(storage, id, 100, first, 1), 10);
  });

  test("each API key has a window and a last use of its own", async ({ storage }) => {
    const [ada, bob] = [await insertKey(storage), await insertKey(storage)];
    assert.equal(await take(storage, ada.id, 2, first, 2), 0);
    assert.deepEqual((await storage.listApiKeys(workspace))[1], bob);
    assert.equal(await take(storage, bob.id, 2, first, 1), 0);
    assert.equal(await take(storage, ada.id, 2, first, 1), 2);
    assert.equal(await take(storage, bob.id, 2, first, 1), 1);
  });

  test("a key's use is noted to the minute, even if it takes no request", async ({ storage }) => {
    const row = await insertKey(storage);
    const hour = { startsAt: 1_769_850_000_000, endsAt: 1_769_853_600_000, now: 1_769_850_479_999 };
    await take(storage, row.id, 100, hour, 0);
    assert.deepEqual(await storage.listApiKeys(workspace), [{ ...row, lastUsedAt: 1_769_850_420_000 }]);
    await take(storage, row.id, 100, { ...hour, now: 1_769_850_480_000 }, 1);
    assert.deepEqual(await storage.listApiKeys(workspace), [{ ...row, lastUsedAt: 1_769_850_480_000 }]);
  });
}
