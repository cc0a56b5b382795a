import assert from "node:assert/strict";
import type { StorageTest } from "../fresh-storage.ts";

export function salts(test: StorageTest): void {
  test("the first salt is stored as it was given, and stays", async ({ storage }) => {
    const salt = "Ab_-".repeat(16);
    assert.equal(await storage.findOrInsertSalt(salt), salt);
    assert.equal(await storage.findOrInsertSalt("other"), salt);
  });

  test("of 20 salts at once one is stored, and all calls resolve with it", async ({ storage }) => {
    const given = Array.from({ length: 20 }, (_, n) => `salt ${n}`);
    const found = new Set(await Promise.all(given.map((salt) => storage.findOrInsertSalt(salt))));
    assert.equal(found.size, 1);
    assert.ok(given.includes([...found][0]!));
    assert.deepEqual(new Set([await storage.findOrInsertSalt("later")]), found);
  });
}
