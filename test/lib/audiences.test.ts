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
  await tracker.attributes.define({ key: "seats", type: "number" });
  for (const name of ["ada", "bob", "cy"]) {
    await tracker.contacts.upsert({ email: `${name}@example.com`, externalId: name, customAttributes: { seats: 1 } });
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
  test("an audience is defined, listed in order of creation, replaced and deleted", async () => {
    const { tracker } = stoppedTracker();
    const first = await tracker.audiences.define({ key: "win_back", name: "Win back", rule: winBack });
    assert.deepEqual(first, { key: "win_back", name: "Win back", rule: winBack });
    await tracker.audiences.define({ key: "buyers", name: "Buyers", rule: bought });
    const again = { key: "win_back", name: "Lost", rule: { not: bought } };
    assert.deepEqual(await tracker.audiences.define(again), again);
    assert.deepEqual(await tracker.audiences.list(), [again, { key: "buyers", name: "Buyers", rule: bought }]);
    await tracker.audiences.delete("win_back");
    assert.deepEqual(await tracker.audiences.list(), [{ key: "buyers", name: "Buyers", rule: bought }]);
  });

  test("each problem of a definition is named by its path", async () => {
    const { tracker } = stoppedTracker();
    const input = { key: "win-back", rule: { all: [{ kind: "has_done" }, bought, { not: [] }] } };
    assert.deepEqual(await issuesOf(tracker.audiences.define(untyped(input))), [
      "key invalid_format",
      "name required",
      "rule.all.0.eventKey required",
      "rule.all.2.not wrong_type",
    ]);
    assert.deepEqual(await tracker.audiences.list(), []);
  });

  test("changing a rule after the call, or an answer, changes nothing that is stored", async () => {
    const { tracker } = stoppedTracker();
    const period = { from: new Date(0) };
    const rule = { all: [{ kind: "first_done_within" as const, eventKey: "step", period }] };
    const defining = tracker.audiences.define({ key: "a", name: "A", rule });
    period.from.setTime(1);
    rule.all.pop();
    const defined = await defining;
    const expected = {
      all: [{ kind: "first_done_within", eventKey: "step", period: { from: "1970-01-01T00:00:00.000Z" } }],
    };
    assert.deepEqual(defined.rule, expected);
    Object.assign(defined.rule, { all: [] });
    for (const answer of await tracker.audiences.list()) Object.assign(answer.rule, { all: [] });
    assert.deepEqual((await tracker.audiences.list())[0]?.rule, expected);
  });

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

  test("members are whole contacts, in pages", async () => {
    const { tracker } = await shop();
    const first = await tracker.audiences.members({ any: [bought, { not: bought }] }, { limit: 2 });
    assert.deepEqual(first.items, [await tracker.contacts.get("ada"), await tracker.contacts.get("bob")]);
    assert.deepEqual(first.items[0]?.customAttributes, { seats: 1 });
    await tracker.contacts.delete("bob");
    const rest = await tracker.audiences.members({ any: [bought, { not: bought }] }, { cursor: first.nextCursor! });
    assert.deepEqual(rest, { items: [await tracker.contacts.get("cy")], nextCursor: null });
  });

  test("a member is explained by what was observed", async () => {
    const { tracker, clock } = await shop();
    clock.set("2026-03-02T09:00:00.001Z");
    const observed = { count: 3, firstAt: "2026-01-31T09:00:00.000Z", lastAt: "2026-01-31T09:00:00.000Z" };
    assert.deepEqual(await tracker.audiences.explain(winBack, "ada"), {
      match: true,
      because: [
        { rule: { kind: "count_greater_than", eventKey: "purchase_completed", count: 2 }, match: true, observed },
        {
          rule: { kind: "last_done_within", eventKey: "purchase_completed", period: { days: 30 } },
          match: false,
          observed,
        },
      ],
    });
    await tracker.audiences.define({ key: "buyers", name: "Buyers", rule: bought });
    assert.deepEqual(await tracker.audiences.explain("buyers", "cy"), {
      match: false,
      because: [{ rule: bought, match: false, observed: null }],
    });
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
