import assert from "node:assert/strict";
import type { Rule, Tracker } from "../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped, type Clock } from "../support/stopped-tracker.ts";
import { interfaceSuite } from "../support/through-client.ts";

const bought: Rule = { kind: "has_done", eventKey: "purchase_completed" };
const winBack: Rule = {
  all: [
    { kind: "count_greater_than", eventKey: "purchase_completed", count: 2 },
    { not: { kind: "last_done_within", eventKey: "purchase_completed", period: { days: 30 } } },
  ],
};

/** Ada bought three times, Bob once, Cy never. */
async function shop(): Promise<{ tracker: Tracker; clock: Clock }> {
  const { tracker, clock } = stoppedTracker();
  for (const name of ["ada", "bob", "cy"]) {
    await tracker.contacts.upsert({ email: `${name}@example.com`, externalId: name });
  }
  for (const externalId of ["ada", "ada", "bob", "ada"]) {
    await tracker.events.track({ externalId, eventKey: "purchase_completed" });
  }
  return { tracker, clock };
}

async function namesOf(tracker: Tracker, audience: string | Rule): Promise<string[]> {
  const { items } = await tracker.audiences.members(audience);
  assert.equal(await tracker.audiences.count(audience), items.length);
  return items.map(({ externalId }) => externalId);
}

interfaceSuite("audiences", (test) => {
  test("members are found by an audience's key and by a bare rule alike, by the clock of the call", async () => {
    const { tracker, clock } = await shop();
    await tracker.audiences.define({ key: "win_back", name: "Win back", rule: winBack });
    assert.deepEqual(await namesOf(tracker, "win_back"), []);
    clock.set("2026-03-02T09:00:00.000Z");
    assert.deepEqual(await namesOf(tracker, "win_back"), []);
    clock.set("2026-03-02T09:00:00.001Z");
    assert.deepEqual([await namesOf(tracker, "win_back"), await namesOf(tracker, winBack)], [["ada"], ["ada"]]);
    assert.deepEqual(await namesOf(tracker, bought), ["ada", "bob"]);
    assert.deepEqual(await namesOf(tracker, { kind: "has_not_done", eventKey: "purchase_completed" }), ["cy"]);
  });

  test("a member is explained by what was observed, by an audience's key and by a bare rule alike", async () => {
    const { tracker } = await shop();
    await tracker.audiences.define({ key: "buyers", name: "Buyers", rule: bought });
    const observed = { count: 3, firstAt: "2026-01-31T09:00:00.000Z", lastAt: "2026-01-31T09:00:00.000Z" };
    const because = { rule: bought, match: true, observed };
    for (const audience of ["buyers", bought] as const) {
      assert.deepEqual(await tracker.audiences.explain(audience, "ada"), { match: true, because: [because] });
    }
  });

  test("an unknown audience is refused, before an unknown contact", async () => {
    const { tracker } = await shop();
    assert.equal((await refusalOf(tracker.audiences.members("nobody"))).code, "definition_not_found");
    assert.equal((await refusalOf(tracker.audiences.count("nobody"))).code, "definition_not_found");
    assert.equal((await refusalOf(tracker.audiences.explain("nobody", "nobody"))).code, "definition_not_found");
    assert.equal((await refusalOf(tracker.audiences.explain(bought, "nobody"))).code, "contact_not_found");
    assert.deepEqual(await issuesOf(tracker.audiences.count("no key")), ["key invalid_format"]);
    assert.deepEqual(await issuesOf(tracker.audiences.count(untyped(undefined))), ["rule required"]);
    assert.deepEqual(await issuesOf(tracker.audiences.members({ all: [] })), ["rule.all empty_list"]);
    assert.deepEqual(await issuesOf(tracker.audiences.members(bought, { limit: 0 })), ["limit out_of_range"]);
    assert.deepEqual(await issuesOf(tracker.audiences.explain(bought, " ada")), ["externalId invalid_format"]);
  });
});
