import assert from "node:assert/strict";
import { inspect } from "node:util";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

interfaceSuite("subscriptions", (test) => {
  test("a subscription is defined with a start 5 s later, listed and deleted", async () => {
    const { tracker } = stoppedTracker();
    const { subscriptions } = tracker;
    const called = Date.now();
    const { startsAt, ...defined } = await subscriptions.define({ key: "warehouse", on: { events: ["a"] } });
    assert.ok(Date.parse(startsAt) >= called + 5_000);
    assert.deepEqual(defined, { key: "warehouse", on: { events: ["a"] }, keepDays: 7 });
    await subscriptions.define({ key: "warehouse", on: { contacts: true }, keepDays: 90 });
    assert.deepEqual(await subscriptions.list(), [{ key: "warehouse", on: { contacts: true }, keepDays: 90 }]);
    await subscriptions.delete("warehouse");
    assert.equal((await refusalOf(subscriptions.delete("warehouse"))).code, "definition_not_found");
  });

  for (const [on, issue] of [
    [{}, "on required"],
    [{ contacts: undefined, checklists: undefined }, "on required"],
    [undefined, "on required"],
    [{ contacts: false }, "on.contacts wrong_type"],
    [{ events: [] }, "on.events empty_list"],
    [{ events: "a" }, "on.events wrong_type"],
    [{ events: ["a", ""] }, "on.events.1 too_short"],
    [{ items: true }, "on.items unknown_field"],
  ] as const) {
    test(`the topics ${inspect(on)} are refused: ${issue}`, async () => {
      const { tracker } = stoppedTracker();
      assert.deepEqual(await issuesOf(tracker.subscriptions.define({ key: "a", on: untyped(on) })), [issue]);
    });
  }

  test("current is announce, needs audiences, and is listed and compared", async () => {
    const { tracker } = stoppedTracker();
    const current = "announce";
    const issues = (parts: object) => issuesOf(tracker.subscriptions.define(untyped({ key: "a", ...parts })));
    assert.deepEqual(await issues({ on: { contacts: true }, current }), ["on.audiences required"]);
    assert.deepEqual(await issues({ on: { contacts: true }, current: true }), ["current invalid_format"]);
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.events.track({ externalId: "ada@example.com", eventKey: "step" });
    await tracker.audiences.define({ key: "doers", name: "Doers", rule: { kind: "has_done", eventKey: "step" } });
    const silent = { key: "a", on: { audiences: ["doers"] }, keepDays: 7 };
    const list = { subscriptions: [{ ...silent, current } as const] };
    await tracker.subscriptions.define(silent);
    const { definitions } = await tracker.provision(list);
    assert.deepEqual(definitions.at(-1)!.changes, ["current: none -> announce"]);
    await tracker.subscriptions.define({ ...silent, current });
    assert.equal((await tracker.compare(list)).definitions.at(-1)!.state, "same");
    const listed = { ...silent, current, readyAt: null };
    assert.deepEqual(await tracker.subscriptions.list(), [listed]);
    await tracker.work({ until: "caught-up" });
    const [entered] = await tracker.subscriptions.recent("a");
    assert.ok(entered?.kind === "audience_entered" && entered.current);
  });

  test("keepDays is 1 to 90", async () => {
    const { tracker } = stoppedTracker();
    for (const keepDays of [0, 91, 1.5]) {
      const call = tracker.subscriptions.define({ key: "a", on: { contacts: true }, keepDays });
      assert.deepEqual(await issuesOf(call), ["keepDays out_of_range"]);
    }
  });

  test("a tracker that refuses undefined events refuses a subscription to one", async () => {
    const tracker = createTracker({ storage: memoryStorage(), undefinedEvents: "refuse" });
    await tracker.eventTypes.define({ key: "a" });
    const on = { events: ["a", "b"] };
    assert.deepEqual(await issuesOf(tracker.subscriptions.define({ key: "s", on })), ["on.events.1 event_not_defined"]);
    assert.deepEqual(await issuesOf(tracker.provision({ subscriptions: [{ key: "s", on }] })), [
      "subscriptions.0.on.events.1 event_not_defined",
    ]);
  });

  test("subscriptions are provisioned, compared and pruned", async () => {
    const { tracker } = stoppedTracker();
    const subscriptions = [{ key: "warehouse", on: { contacts: true as const } }];
    assert.equal((await tracker.provision({ subscriptions })).same, false);
    assert.equal((await tracker.compare({ subscriptions })).same, true);
    const [compared] = (await tracker.compare({ subscriptions: [{ ...subscriptions[0]!, keepDays: 8 }] })).definitions;
    assert.deepEqual([compared?.kind, compared?.state, compared?.fields], ["subscription", "changed", ["keepDays"]]);
    const pruned = { kind: "subscription", key: "warehouse", contacts: 0, items: 0 };
    assert.deepEqual(await tracker.removeUnlisted({}), [pruned]);
    assert.deepEqual(await tracker.subscriptions.list(), []);
  });
});
