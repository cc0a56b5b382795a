import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { authenticate, generateApiKey } from "../../lib/api-keys.ts";
import { headersRememberedMs, rememberedHeadersMax } from "../../lib/limits.ts";
import { forgetHash, rememberedHash, rememberHash } from "../../lib/remembered-hashes.ts";
import { refusalOf, stoppedTracker } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const unknown = (): string => `Bearer ${generateApiKey()}`;

/** Resolves when the header is remembered no longer, or after ten times as long as it may be. */
async function forgotten(authorization: string): Promise<void> {
  for (let n = 0; n < 10 && rememberedHash(authorization) !== undefined; n++) await sleep(headersRememberedMs);
  assert.equal(rememberedHash(authorization), undefined);
}

suite("remembered hashes", (test) => {
  test("a header with a valid key is remembered with the key's hash, by its exact bytes", async () => {
    const { tracker, storage } = stoppedTracker();
    const { key } = await tracker.apiKeys.create({ name: "backend" });
    await authenticate(storage, `Bearer ${key}`, 0);
    assert.equal(rememberedHash(`Bearer ${key}`), hash("sha256", key, "hex"));
    for (const other of [`bearer ${key}`, `Bearer  ${key}`, key, `Bearer ${key} `]) {
      assert.equal(rememberedHash(other), undefined);
    }
  });

  test("the storage is asked about a remembered hash too: another storage does not know the key", async () => {
    const [one, other] = [stoppedTracker(), stoppedTracker()];
    const { key } = await one.tracker.apiKeys.create({ name: "backend" });
    await authenticate(one.storage, `Bearer ${key}`, 0);
    assert.equal((await refusalOf(authenticate(other.storage, `Bearer ${key}`, 0))).code, "invalid_api_key");
    assert.equal((await authenticate(one.storage, `Bearer ${key}`, 0)).workspace, "default");
  });

  test("an unknown key, and what is no key, are not remembered, not even while they are looked up", async () => {
    const { storage } = stoppedTracker();
    for (const header of [unknown(), "Bearer sk_", ""]) {
      const findApiKey = async (): Promise<null> => {
        assert.equal(rememberedHash(header), undefined);
        return null;
      };
      assert.equal((await refusalOf(authenticate({ ...storage, findApiKey }, header, 0))).code, "invalid_api_key");
      assert.equal(rememberedHash(header), undefined);
    }
  });

  test("a revoked key is refused at once, and its header forgotten", async () => {
    const { tracker, storage } = stoppedTracker();
    const { key, apiKey } = await tracker.apiKeys.create({ name: "backend" });
    await authenticate(storage, `Bearer ${key}`, 0);
    await tracker.apiKeys.revoke(apiKey.id);
    assert.equal((await refusalOf(authenticate(storage, `Bearer ${key}`, 0))).code, "invalid_api_key");
    assert.equal(rememberedHash(`Bearer ${key}`), undefined);
  });

  test("an expired key is refused at once, and its header forgotten", async () => {
    const { tracker, storage } = stoppedTracker();
    const expiresAt = "2026-02-01T00:00:00.000Z";
    const { key } = await tracker.apiKeys.create({ name: "backend", expiresAt });
    const end = Date.parse(expiresAt);
    await authenticate(storage, `Bearer ${key}`, end - 1);
    assert.equal((await refusalOf(authenticate(storage, `Bearer ${key}`, end))).code, "invalid_api_key");
    assert.equal(rememberedHash(`Bearer ${key}`), undefined);
  });

  test("a header is forgotten after a while, asked for or not", async () => {
    const [idle, busy] = [unknown(), unknown()];
    for (const header of [idle, busy]) rememberHash(header, "hash");
    await Promise.all([forgotten(idle), forgotten(busy)]);
    rememberHash(busy, "hash");
    await forgotten(busy);
  });

  test("at most so many headers are remembered", () => {
    const headers = Array.from({ length: rememberedHeadersMax + 1 }, unknown);
    for (const header of headers) rememberHash(header, "hash");
    const remembered = headers.filter((header) => rememberedHash(header) !== undefined);
    assert.ok(remembered.length <= rememberedHeadersMax);
    headers.forEach(forgetHash);
  });
});
