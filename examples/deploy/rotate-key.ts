// Rotating an API key without a refused request: the new one first, the old one last.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";

let now = new Date("2026-11-20T10:00:00.000Z");
const tracker = createTracker({ storage: memoryStorage(), now: () => now });
const statusWith = async (key: string): Promise<number> => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await tracker.handle(new Request("http://localhost/api/v1/contacts/u_1", { headers }))).status;
};
const old = await tracker.apiKeys.create({ name: "backend" });
assert.equal(await statusWith(old.key), 404);

// 1. Both keys are valid while the callers change over.
const { key } = await tracker.apiKeys.create({ name: "backend, since November" });
assert.deepEqual([await statusWith(old.key), await statusWith(key)], [404, 404]);

// 2. When `lastUsedAt` of the old key stays the same, no caller uses the key any more.
now = new Date("2026-11-20T11:00:00.000Z");
assert.equal(await statusWith(key), 404);
const listed = await tracker.apiKeys.list();
assert.deepEqual(
  listed.map(({ lastUsedAt }) => lastUsedAt),
  ["2026-11-20T10:00:00.000Z", "2026-11-20T11:00:00.000Z"],
);

// 3. The old key is revoked.
await tracker.apiKeys.revoke(old.apiKey.id);
assert.deepEqual([await statusWith(old.key), await statusWith(key)], [401, 404]);

await tracker.close();
console.log("the old key opens nothing, the new one does");
