import assert from "node:assert/strict";
import { addApiKey, authenticate, generateApiKey, isApiKey } from "../../lib/api-keys.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { interfaceSuite } from "../support/through-client.ts";

async function trackerOfKey() {
  const opened = stoppedTracker();
  const { key, apiKey } = await opened.tracker.apiKeys.create({ name: "backend" });
  return { ...opened, key, apiKey };
}

/** What the client does otherwise, and why. */
const apart = {
  'no key has the id ""': "an empty text is no part of a path",
};

interfaceSuite({ name: "api keys", apart }, (test) => {
  test("a key is sk_ and 43 base64url characters, and told of by its first 12", async () => {
    const { key, apiKey } = await trackerOfKey();
    assert.match(key, /^sk_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(apiKey, {
      id: apiKey.id,
      name: "backend",
      prefix: key.slice(0, 12),
      access: "write",
      requestsPerMinute: null,
      expiresAt: null,
      createdAt: "2026-01-31T09:00:00.000Z",
      lastUsedAt: null,
    });
  });

  test("no two keys are alike", async () => {
    const { tracker } = stoppedTracker();
    const made = await Promise.all(Array.from({ length: 100 }, () => tracker.apiKeys.create({ name: "backend" })));
    assert.equal(new Set(made.map(({ key }) => key.slice(3, 12))).size, 100);
  });

  test("a key is shown once: neither the list nor the storage holds it", async () => {
    const { tracker, storage, key, apiKey } = await trackerOfKey();
    assert.deepEqual(await tracker.apiKeys.list(), [apiKey]);
    assert.ok(!JSON.stringify(await storage.listApiKeys("default")).includes(key));
  });

  for (const id of ["", "backend", "0199aabb-ccdd-7eef-8011-223344556677", "sk_", "%"]) {
    test(`no key has the id ${JSON.stringify(id)}`, async () => {
      const { tracker } = await trackerOfKey();
      assert.equal((await refusalOf(tracker.apiKeys.revoke(id))).code, "api_key_not_found");
      assert.equal((await tracker.apiKeys.list()).length, 1);
    });
  }

  test("an id is a text", async () => {
    const { tracker } = await trackerOfKey();
    assert.deepEqual(await issuesOf(tracker.apiKeys.revoke(untyped(5))), ["id wrong_type"]);
    assert.deepEqual(await issuesOf(tracker.apiKeys.revoke(untyped(null))), ["id not_allowed_null"]);
  });

  for (const [input, issue] of [
    [{ name: "" }, "name too_short"],
    [{ name: " \n" }, "name too_short"],
    [{ name: 5 }, "name wrong_type"],
    [{ name: null }, "name not_allowed_null"],
    [{}, "name required"],
    [{ name: "backend", key: "sk_mine" }, "key unknown_field"],
    [{ name: "backend", access: "root" }, "access invalid_format"],
    [{ name: "backend", access: 1 }, "access wrong_type"],
    [{ name: "backend", requestsPerMinute: 0 }, "requestsPerMinute out_of_range"],
    [{ name: "backend", requestsPerMinute: 1_000_000_001 }, "requestsPerMinute out_of_range"],
    [{ name: "backend", requestsPerMinute: "9" }, "requestsPerMinute wrong_type"],
    [{ name: "backend", expiresAt: "2027-01-01" }, "expiresAt invalid_format"],
    [{ name: "backend", expiresAt: "2001-01-01T00:00:00Z" }, "expiresAt out_of_range"],
  ] as const) {
    test(`no key is made of ${JSON.stringify(input)}`, async () => {
      const { tracker } = stoppedTracker();
      assert.deepEqual(await issuesOf(tracker.apiKeys.create(untyped(input))), [issue]);
      assert.deepEqual(await tracker.apiKeys.list(), []);
    });
  }

  test("a key opens its workspace, however many blanks stand before it", async () => {
    const { storage, tracker } = stoppedTracker();
    const { key, apiKey } = await tracker.workspace("acme").apiKeys.create({ name: "backend" });
    const { id, workspace } = await authenticate(storage, `bearer   ${key}`, 0);
    assert.deepEqual({ id, workspace }, { id: apiKey.id, workspace: "acme" });
  });

  test("a use in the minute of the key's creation is noted at its creation, a later one at its minute", async () => {
    const { tracker, storage } = stoppedTracker("2026-01-31T09:00:30.500Z");
    const { apiKey } = await tracker.apiKeys.create({ name: "backend" });
    const lastUsed = async (time: string): Promise<unknown> => {
      const now = Date.parse(time);
      await storage.consume(apiKey.id, 100, { startsAt: now, endsAt: now + 60_000, now }, 1);
      return (await tracker.apiKeys.list())[0]?.lastUsedAt;
    };
    assert.equal(await lastUsed("2026-01-31T09:00:31.000Z"), "2026-01-31T09:00:30.500Z");
    assert.equal(await lastUsed("2026-01-31T09:01:59.000Z"), "2026-01-31T09:01:00.000Z");
  });

  test("a key opens nothing from its end on", async () => {
    const { tracker, storage } = stoppedTracker();
    const end = Date.parse("2999-01-01T00:00:00Z");
    const { key } = await tracker.apiKeys.create({ name: "backend", expiresAt: new Date(end) });
    assert.equal((await authenticate(storage, `Bearer ${key}`, end - 1)).workspace, "default");
    assert.equal((await refusalOf(authenticate(storage, `Bearer ${key}`, end))).code, "invalid_api_key");
  });

  test("a key made elsewhere opens the workspace it was added to, added once or twice", async () => {
    const { storage, tracker } = stoppedTracker();
    const key = generateApiKey();
    assert.equal(isApiKey(key), true);
    const scope = { storage, workspace: "acme", now: () => 0 };
    assert.equal(await addApiKey(scope, key, "elsewhere"), "added");
    assert.equal(await addApiKey(scope, key, "again"), "there");
    assert.equal((await authenticate(storage, `Bearer ${key}`, 0)).workspace, "acme");
    assert.deepEqual(
      (await tracker.workspace("acme").apiKeys.list()).map(({ name }) => name),
      ["elsewhere"],
    );
  });

  test("a key of one workspace is not added to another", async () => {
    const { storage, tracker, key } = await trackerOfKey();
    assert.equal(await addApiKey({ storage, workspace: "acme", now: () => 0 }, key, "elsewhere"), "another's");
    assert.deepEqual(await tracker.workspace("acme").apiKeys.list(), []);
  });
});
