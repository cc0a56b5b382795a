import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, type TrackerOptions } from "../../lib/index.ts";
import { refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

suite("tracker", (test) => {
  test("without a clock of its own a tracker goes by the system's", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    const before = new Date().toISOString();
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.ok(before <= contact.createdAt && contact.createdAt <= new Date().toISOString());
  });

  test("a tracker's methods need no this, and can be spread", async () => {
    const { tracker } = stoppedTracker();
    const { upsert, get } = { ...tracker.contacts };
    await upsert({ email: "ada@example.com" });
    assert.notEqual(await get("ada@example.com"), null);
  });

  const outOfRange: Record<string, Partial<TrackerOptions>> = {
    "no requests": { rateLimit: { requests: 0, perSeconds: 60 } },
    "half a request": { rateLimit: { requests: 1.5, perSeconds: 60 } },
    "NaN requests": { rateLimit: { requests: NaN, perSeconds: 60 } },
    "no seconds": { rateLimit: { requests: 100, perSeconds: 0 } },
    "negative seconds": { rateLimit: { requests: 100, perSeconds: -60 } },
    "null for the limit": { rateLimit: untyped(null) },
    "a base path without a slash before it": { basePath: "api" },
    "a base path with a slash behind it": { basePath: "/api/" },
    "a base path with a query": { basePath: "/api?version=1" },
    "a base path that is not written as URLs are": { basePath: "/café" },
    "a base path that is broken": { basePath: "/100%" },
    "a body of less than nothing": { maxBodyBytes: -1 },
    "a body of NaN bytes": { maxBodyBytes: NaN },
    "another word for undefined events": { undefinedEvents: untyped("reject") },
    "a host without its port": { webhookAllow: ["hooks.intranet"] },
    "a host without a list": { webhookAllow: untyped("localhost:8080") },
    "null for undefined events": { undefinedEvents: untyped(null) },
  };
  test("anything but a storage is refused with a TypeError", () => {
    assert.throws(() => createTracker(untyped({})), { name: "TypeError", message: "storage must be a storage" });
    assert.throws(() => createTracker({ storage: untyped(memoryStorage) }), TypeError);
  });

  for (const [what, options] of Object.entries(outOfRange)) {
    test(`an option out of range throws a RangeError: ${what}`, () => {
      assert.throws(() => createTracker({ storage: memoryStorage(), ...options }), RangeError);
    });
  }

  test("an undefined option has its default", async () => {
    const nothing = {
      basePath: undefined,
      rateLimit: undefined,
      maxBodyBytes: undefined,
      now: undefined,
      undefinedEvents: undefined,
    };
    const tracker = createTracker(untyped({ storage: memoryStorage(), ...nothing, onError: undefined }));
    assert.equal((await tracker.contacts.upsert({ email: "ada@example.com" })).created, true);
  });

  test("an unknown option is refused by its name", () => {
    const storage = memoryStorage();
    assert.throws(() => createTracker(untyped({ storage, ratelimit: false })), {
      name: "TypeError",
      message: 'createTracker has no option "ratelimit"',
    });
    createTracker(untyped({ storage, ratelimit: undefined }));
  });

  test("a clock must return a Date, at every call", async () => {
    const storage = memoryStorage();
    const message = "now must return a Date";
    for (const now of [() => Date.now(), () => "2026-01-31T09:00:00.000Z", () => undefined, () => ({}), 0]) {
      assert.throws(() => createTracker(untyped({ storage, now })), { name: "TypeError", message });
    }
    assert.throws(() => createTracker({ storage, now: () => new Date(NaN) }), { name: "RangeError" });
    let time: unknown = new Date(0);
    const tracker = createTracker({ storage, now: () => untyped(time) });
    time = 0;
    await assert.rejects(tracker.contacts.upsert({ email: "ada@example.com" }), { name: "TypeError", message });
  });

  test("a closed tracker answers nothing", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.close();
    for (const call of [
      () => tracker.contacts.get("ada@example.com"),
      () => tracker.contacts.upsert({ email: "ada@example.com" }),
      () => tracker.contacts.list(),
      () => tracker.events.track({ externalId: "ada@example.com", eventKey: "step" }),
      () => tracker.attributes.list(),
      () => tracker.apiKeys.create({ name: "backend" }),
      () => tracker.workspace("acme").contacts.list(),
    ]) {
      assert.equal((await refusalOf(call())).code, "storage_unavailable");
    }
  });

  test("transaction takes a function, and gives it the methods of the same workspace", async () => {
    const { tracker } = stoppedTracker();
    await assert.rejects(tracker.transaction(untyped({})), TypeError);
    const keys = await tracker.workspace("acme").transaction(async (tx) => {
      await tx.contacts.upsert({ email: "ada@example.com" });
      return Object.keys(tx);
    });
    assert.deepEqual(keys, ["contacts", "events", "checklists"]);
    assert.equal((await tracker.workspace("acme").contacts.list()).items.length, 1);
    assert.equal((await tracker.contacts.list()).items.length, 0);
  });

  test("a transaction sees the attributes defined outside", async () => {
    const { tracker, storage } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    const inside = tracker.within(storage.begin());
    const { contact } = await inside.contacts.upsert({ email: "ada@example.com", customAttributes: { seats: 12 } });
    assert.deepEqual(contact.customAttributes, { seats: 12 });
  });

  test("a transaction holds contacts, events and checklists, and nothing else", () => {
    const { tracker, storage } = stoppedTracker();
    assert.deepEqual(Object.keys(tracker.within(storage.begin())), ["contacts", "events", "checklists"]);
  });
});
