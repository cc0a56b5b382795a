/** Every limit of an input at its edge, in bytes of UTF-8. */
import assert from "node:assert/strict";
import type { Tracker } from "../../lib/index.ts";
import { issuesOf, stoppedTracker } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

type Send = (tracker: Tracker, text: string) => Promise<unknown>;

const ada = "ada@example.com";
const track = (tracker: Tracker, eventKey: string, properties = {}) =>
  tracker.events.track({ externalId: ada, eventKey, properties });

/** How a text of some length is sent, and its longest; `path` is where it is refused. */
const texts: { what: string; bytes: number; path: string; before?: string; send: Send }[] = [
  { what: "a name", bytes: 1_000, path: "name", send: (t, name) => t.contacts.update(ada, { name }) },
  { what: "a phone", bytes: 1_000, path: "phone", send: (t, phone) => t.contacts.update(ada, { phone }) },
  { what: "a role", bytes: 1_000, path: "role", send: (t, role) => t.contacts.update(ada, { role }) },
  { what: "a plan", bytes: 1_000, path: "plan", send: (t, plan) => t.contacts.update(ada, { plan }) },
  {
    what: "an avatarUrl",
    bytes: 2_048,
    path: "avatarUrl",
    before: "https://example.com/",
    send: (t, avatarUrl) => t.contacts.update(ada, { avatarUrl }),
  },
  {
    what: "an externalId",
    bytes: 255,
    path: "externalId",
    send: (t, externalId) => t.contacts.update(ada, { externalId }),
  },
  { what: "an externalId looked for", bytes: 255, path: "externalId", send: (t, text) => t.contacts.get(text) },
  {
    what: "a text attribute",
    bytes: 4_096,
    path: "customAttributes.note",
    send: (t, note) => t.contacts.update(ada, { customAttributes: { note } }),
  },
  { what: "a text property", bytes: 4_096, path: "properties.note", send: (t, note) => track(t, "step", { note }) },
  { what: "an eventKey", bytes: 100, path: "eventKey", send: (t, eventKey) => track(t, eventKey) },
  {
    what: "an eventKey looked for",
    bytes: 100,
    path: "eventKey",
    send: (t, eventKey) => t.events.list(ada, { eventKey }),
  },
  {
    what: "the name of an attribute",
    bytes: 1_000,
    path: "name",
    send: (t, name) => t.attributes.define({ key: "note", type: "text", name }),
  },
  { what: "the name of an API key", bytes: 1_000, path: "name", send: (t, name) => t.apiKeys.create({ name }) },
];

async function trackerOfAda(): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.attributes.define({ key: "note", type: "text" });
  await tracker.contacts.upsert({ email: ada });
  return tracker;
}

/** A text of so many bytes, of letters of two bytes as far as they fit. */
function textOf(bytes: number): string {
  return "é".repeat(Math.floor(bytes / 2)) + "e".repeat(bytes % 2);
}

suite("limits", (test) => {
  for (const { what, bytes, path, before = "", send } of texts) {
    test(`${what} may have ${bytes} bytes`, async () => {
      await send(await trackerOfAda(), before + "x".repeat(bytes - before.length));
      await send(await trackerOfAda(), before + textOf(bytes - before.length));
    });

    test(`${what} of ${bytes + 1} bytes is refused, however few its letters are`, async () => {
      const tracker = await trackerOfAda();
      const tooLong = [`${path} too_long`];
      assert.deepEqual(await issuesOf(send(tracker, before + "x".repeat(bytes + 1 - before.length))), tooLong);
      assert.deepEqual(await issuesOf(send(tracker, before + textOf(bytes + 1 - before.length))), tooLong);
    });
  }

  test("an email may have 254 bytes", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: `${"x".repeat(242)}@example.com` });
    await tracker.contacts.upsert({ email: `${"é".repeat(121)}@example.com` });
  });

  test("an email of 255 bytes is refused", async () => {
    const { tracker } = stoppedTracker();
    const email = `${"é".repeat(121)}x@example.com`;
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ email })), ["email too_long"]);
  });

  test("an attribute's key may have 100 bytes", async () => {
    const { tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "k".repeat(100), type: "text" });
    assert.deepEqual(await issuesOf(tracker.attributes.define({ key: "k".repeat(101), type: "text" })), [
      "key too_long",
    ]);
  });

  test("a property's key may have 100 bytes", async () => {
    const tracker = await trackerOfAda();
    await track(tracker, "step", { [textOf(100)]: 1 });
    assert.deepEqual(await issuesOf(track(tracker, "step", { [textOf(101)]: 1 })), [
      `properties.${textOf(101)} too_long`,
    ]);
  });

  test("an event may have 256 properties", async () => {
    const tracker = await trackerOfAda();
    const properties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, n]));
    await track(tracker, "step", properties(256));
    assert.deepEqual(await issuesOf(track(tracker, "step", properties(257))), ["properties too_long"]);
  });

  test("an idempotency key may have 255 characters", async () => {
    const tracker = await trackerOfAda();
    const event = { externalId: ada, eventKey: "step" };
    await tracker.events.track(event, { idempotencyKey: "k".repeat(255) });
    assert.deepEqual(await issuesOf(tracker.events.track(event, { idempotencyKey: "k".repeat(256) })), [
      "idempotencyKey too_long",
    ]);
  });

  test("a workspace's name may have 64 characters", async () => {
    const { tracker } = stoppedTracker();
    tracker.workspace("w".repeat(64));
    assert.throws(() => tracker.workspace("w".repeat(65)), { code: "invalid_input" });
  });
});
