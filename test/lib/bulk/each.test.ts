import assert from "node:assert/strict";
import { eachItem } from "../../../lib/bulk/each.ts";
import type { PageRequest } from "../../../lib/index.ts";
import { loopCases } from "../../support/loops.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";
import { interfaceSuite } from "../../support/through-client.ts";

async function itemsOf<Item>(loop: AsyncGenerator<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of loop) items.push(item);
  return items;
}

/** A loop over three pages of two items, and the requests for pages. */
function threePages(request: PageRequest & { eventKey?: string }): {
  loop: AsyncGenerator<string>;
  asked: PageRequest[];
} {
  const asked: PageRequest[] = [];
  const list = async (page: PageRequest) => {
    const n = asked.push(page);
    return { items: [`${n}a`, `${n}b`], nextCursor: n < 3 ? `after ${n}` : null };
  };
  return { loop: eachItem(list, () => request), asked };
}

suite("each item", (test) => {
  test("is yielded in order, from the largest pages, or from those that twice as many items may fill", async () => {
    const { loop, asked } = threePages({});
    assert.deepEqual(await itemsOf(loop), ["1a", "1b", "2a", "2b", "3a", "3b"]);
    assert.deepEqual(asked, [
      { limit: 1_000, cursor: undefined },
      { limit: 4, cursor: "after 1" },
      { limit: 4, cursor: "after 2" },
    ]);
  });

  test("is asked for with the rest of the request, from its cursor on", async () => {
    const { loop, asked } = threePages({ limit: 2, cursor: "start", eventKey: "step" });
    await itemsOf(loop);
    assert.deepEqual(asked[0], { limit: 2, cursor: "start", eventKey: "step" });
    assert.deepEqual(asked[2], { limit: 2, cursor: "after 2", eventKey: "step" });
  });

  test("is asked for only when it is needed", async () => {
    const { loop, asked } = threePages({});
    assert.equal(asked.length, 0);
    for await (const item of loop) if (item === "1b") break;
    assert.equal(asked.length, 1);
    assert.deepEqual(await loop.next(), { done: true, value: undefined });
  });
});

interfaceSuite("loops over lists", (test) => {
  loopCases(test, async () => ({ tracker: stoppedTracker().tracker, dispose: async () => {} }));

  test("a loop over nothing ends at once", async () => {
    const { contacts, events, audiences } = stoppedTracker().tracker;
    await audiences.define({ key: "all", name: "All", rule: { not: { kind: "has_done", eventKey: "never" } } });
    for (const loop of [contacts.each(), events.each({}), audiences.each("all")])
      assert.deepEqual(await itemsOf<unknown>(loop), []);
  });

  test("a loop throws with its first item what the list refuses", async () => {
    const { contacts, events, audiences } = stoppedTracker().tracker;
    assert.deepEqual(await issuesOf(contacts.each({ limit: 1_001 }).next()), ["limit out_of_range"]);
    assert.deepEqual(await issuesOf(contacts.each(untyped({ limit: null })).next()), ["limit not_allowed_null"]);
    assert.deepEqual(await issuesOf(contacts.each(untyped(null)).next()), [" wrong_type"]);
    assert.deepEqual(await issuesOf(contacts.each({ cursor: "x" }).next()), ["cursor invalid_format"]);
    assert.deepEqual(await issuesOf(events.each(untyped({ externalId: "u_1" })).next()), ["externalId unknown_field"]);
    assert.equal((await refusalOf(events.each("nobody").next())).code, "contact_not_found");
    assert.equal((await refusalOf(audiences.each("unknown").next())).code, "definition_not_found");
    assert.deepEqual(await issuesOf(audiences.each(untyped({ all: [] })).next()), ["key wrong_type"]);
  });

  test("a loop over the events of an undefined contact is no loop over all events", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.events.track({ externalId: "ada@example.com", eventKey: "step" });
    assert.deepEqual(await issuesOf(tracker.events.each(untyped(undefined)).next()), ["externalId required"]);
    assert.deepEqual(await issuesOf(tracker.events.each(untyped(null)).next()), ["externalId not_allowed_null"]);
  });
});
