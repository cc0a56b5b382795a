import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker, type EventTypeUsage, type Tracker } from "../../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

async function withAda(): Promise<{
  tracker: Tracker;
  track: (eventKey: string, properties?: object) => Promise<void>;
}> {
  const { tracker } = stoppedTracker();
  await tracker.contacts.upsert({ email: "ada@example.com" });
  const track = async (eventKey: string, properties: object = {}): Promise<void> => {
    await tracker.events.track({ externalId: "ada@example.com", eventKey, properties: { ...properties } });
  };
  return { tracker, track };
}

/** What the client does otherwise, and why. */
const apart = {
  "a page of usage is asked for like any other": "what cannot be sent is refused before the server sees the rest",
};

interfaceSuite({ name: "event types", apart }, (test) => {
  test("each problem of an event type is told by its path", async () => {
    const { tracker } = stoppedTracker();
    const define = (input: unknown): Promise<string[]> => issuesOf(tracker.eventTypes.define(untyped(input)));
    assert.deepEqual(await define({ key: " ", name: "", properties: { a: "string", b: 1, c: null, d: "text??" } }), [
      "key too_short",
      "name too_short",
      "properties.a invalid_format",
      "properties.b wrong_type",
      "properties.c not_allowed_null",
      "properties.d invalid_format",
    ]);
    assert.deepEqual(await define({ key: "a\nb", properties: ["total"], label: "A" }), [
      "key invalid_format",
      "properties wrong_type",
      "label unknown_field",
    ]);
    assert.deepEqual(await define({ key: "é".repeat(51), properties: { ["é".repeat(51)]: "text", "": "?" } }), [
      "key too_long",
      `properties.${"é".repeat(51)} too_long`,
      "properties. invalid_format",
    ]);
    const many = Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`p${n}`, "text"]));
    assert.deepEqual(await define({ key: "a", properties: many }), ["properties too_long"]);
    assert.deepEqual(await issuesOf(tracker.eventTypes.delete("")), ["key too_short"]);
    assert.deepEqual(await tracker.eventTypes.list(), []);
  });

  test("an event type may have the longest keys that an event may have", async () => {
    const { tracker, track } = await withAda();
    const long = "é".repeat(50);
    await tracker.eventTypes.define({ key: long, properties: { [long]: "boolean", "": "text" } });
    await track(long, { [long]: true, "": "a" });
    assert.equal((await refusalOf(track(long))).issues.length, 2);
  });

  test("undefined events are refused in every workspace if the tracker says so", async () => {
    const tracker = createTracker({ storage: memoryStorage(), undefinedEvents: "refuse" });
    for (const workspace of [tracker, tracker.workspace("acme")]) {
      await workspace.contacts.upsert({ email: "ada@example.com" });
      const track = () => workspace.events.track({ externalId: "ada@example.com", eventKey: "step" });
      const { issues } = await refusalOf(track());
      const message = "Not defined; did you define this event type in this workspace?";
      assert.deepEqual(issues, [{ path: "eventKey", code: "event_not_defined", message }]);
      await workspace.transaction(async (tx) => {
        assert.equal((await refusalOf(tx.events.track({ externalId: "x", eventKey: "step" }))).code, "invalid_input");
      });
      await workspace.eventTypes.define({ key: "step" });
      await track();
    }
  });

  test("usage tells of every key, defined or not, in order of bytes", async () => {
    const { tracker, track } = await withAda();
    await tracker.eventTypes.define({ key: "bought" });
    await tracker.eventTypes.define({ key: "Opened" });
    for (const key of ["bougth", "bought", "bought", "ß"]) await track(key);
    const at = "2026-01-31T09:00:00.000Z";
    const never = { contacts: 0, count: 0, firstAt: null, lastAt: null };
    const done = { contacts: 1, count: 1, firstAt: at, lastAt: at };
    const items: EventTypeUsage[] = [
      { key: "Opened", defined: true, ...never },
      { key: "bought", defined: true, ...done, count: 2 },
      { key: "bougth", defined: false, ...done },
      { key: "ß", defined: false, ...done },
    ];
    assert.deepEqual(await tracker.eventTypes.usage(), { items, nextCursor: null });
    assert.deepEqual(await tracker.workspace("acme").eventTypes.usage(), { items: [], nextCursor: null });
  });

  for (const limit of [1, 2, 3, 6, 7]) {
    test(`the pages of ${limit} are the usage of every key, each once`, async () => {
      const { tracker, track } = await withAda();
      for (const key of ["b", "d", "f", "\u{1F600}"]) await track(key);
      for (const key of ["a", "d", "e", "z"]) await tracker.eventTypes.define({ key });
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await tracker.eventTypes.usage({ limit, cursor });
        assert.ok(page.items.length <= limit && page.items.length > 0);
        found.push(...page.items.map(({ key, defined, count }) => `${key} ${defined} ${count}`));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      const expected = ["a true 0", "b false 1", "d true 1", "e true 0", "f false 1", "z true 0", "\u{1F600} false 1"];
      assert.deepEqual(found, expected);
    });
  }

  test("a page of usage is asked for like any other", async () => {
    const { tracker } = await withAda();
    for (const cursor of ["", "=", "AA==", "a", Buffer.from("a".repeat(101)).toString("base64url"), "_w"]) {
      assert.deepEqual(await issuesOf(tracker.eventTypes.usage({ cursor })), ["cursor invalid_format"]);
    }
    assert.deepEqual(await issuesOf(tracker.eventTypes.usage({ limit: 1_001, cursor: untyped(1) })), [
      "limit out_of_range",
      "cursor wrong_type",
    ]);
    assert.deepEqual(await issuesOf(tracker.eventTypes.usage(untyped({ offset: 1 }))), ["offset unknown_field"]);
  });
});
