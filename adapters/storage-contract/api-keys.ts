import assert from "node:assert/strict";
import { atOnce } from "./calls.ts";
import { apiKeyRow, at, newIds, sha256, workspace, ownerOf } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

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
      createdAt: 1_769_850_000_123,
      lastUsedAt: null,
    };
    assert.equal(await storage.insertApiKey(row), true);
    assert.deepEqual(await storage.findApiKey(hash), ownerOf(row));
    assert.deepEqual(await storage.listApiKeys("acme"), [row]);
  });

  test("an API key that does not exist is found as null", async ({ storage }) => {
    await storage.insertApiKey(apiKeyRow({ hash: "a".repeat(64) }));
    assert.equal(await storage.findApiKey(`${"a".repeat(63)}b`), null);
  });

  test("an API key that was looked for before it existed is found afterwards", async ({ storage }) => {
    const row = apiKeyRow();
    assert.equal(await storage.findApiKey(row.hash), null);
    await storage.insertApiKey(row);
    assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(row));
  });

  test("an API key whose hash exists, in whatever workspace, is not inserted and changes nothing", async ({
    storage,
  }) => {
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
    const stored = rows.filter((_, index) => inserted[index]);
    assert.equal(stored.length, 1);
    assert.deepEqual(await storage.listApiKeys(workspace), stored);
    assert.deepEqual(await storage.findApiKey(sha256("key")), ownerOf(stored[0]!));
  });

  test("API keys may have the same name and prefix", async ({ storage }) => {
    await atOnce(2, () => storage.insertApiKey(apiKeyRow({ name: "backend", prefix: "sk_abcdefghi" })));
    assert.equal((await storage.listApiKeys(workspace)).length, 2);
  });

  test("API keys are listed by the time of their creation, then by id", async ({ storage }) => {
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    await storage.insertApiKey(apiKeyRow({ id: one, createdAt: at + 1 }));
    await storage.insertApiKey(apiKeyRow({ id: four, createdAt: at }));
    await storage.insertApiKey(apiKeyRow({ id: three, createdAt: at }));
    await storage.insertApiKey(apiKeyRow({ id: two, createdAt: -1 }));
    assert.deepEqual(
      (await storage.listApiKeys(workspace)).map(({ id }) => id),
      [two, three, four, one],
    );
  });

  test("no API keys are listed as none", async ({ storage }) => {
    assert.deepEqual(await storage.listApiKeys(workspace), []);
  });

  test("a deleted API key is neither found nor listed, and its hash is free", async ({ storage }) => {
    const [row, other] = [apiKeyRow(), apiKeyRow()];
    await storage.insertApiKey(row);
    await storage.insertApiKey(other);
    assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(row));
    assert.equal(await storage.deleteApiKey(workspace, row.id), true);
    assert.equal(await storage.findApiKey(row.hash), null);
    assert.deepEqual(await storage.listApiKeys(workspace), [other]);
    const anew = apiKeyRow({ hash: row.hash });
    assert.equal(await storage.insertApiKey(anew), true);
    assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(anew));
  });

  test("a deletion of an API key tells whether there was one", async ({ storage }) => {
    const row = apiKeyRow();
    assert.equal(await storage.deleteApiKey(workspace, row.id), false);
    await storage.insertApiKey(row);
    assert.deepEqual((await atOnce(5, () => storage.deleteApiKey(workspace, row.id))).filter(Boolean), [true]);
    assert.equal(await storage.deleteApiKey(workspace, row.id), false);
  });
}
