import assert from "node:assert/strict";
import type { ChecklistDefinition, ChecklistItem, PlainPeriod, Tracker } from "../../../lib/index.ts";
import { knowsBeginning } from "../../../lib/model/checklist-rules.ts";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

const startsAt = "2026-01-31T09:00:00.000Z";

const onboarding: ChecklistDefinition = {
  key: "onboarding",
  name: "Onboarding",
  items: [
    { key: "sign_up", name: "Sign up", when: { kind: "has_done", eventKey: "signup_completed" } },
    { key: "invite", name: "Invite two", when: { kind: "count_greater_than", eventKey: "invite_sent", count: 1 } },
    { key: "call", name: "Take the call" },
  ],
};

async function withAda(definition = onboarding): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
  await tracker.checklists.define(definition);
  return tracker;
}

async function completedBy(tracker: Tracker, eventKey: string): Promise<string[]> {
  const { completedChecklistItems } = await tracker.events.track({ externalId: "ada", eventKey });
  return completedChecklistItems.map(({ itemKey }) => itemKey);
}

async function stateOf(tracker: Tracker): Promise<Record<string, boolean>> {
  const [progress] = await tracker.checklists.progress("ada");
  return Object.fromEntries(progress!.items.map(({ itemKey, completed }) => [itemKey, completed]));
}

interfaceSuite("checklists", (test) => {
  test("each problem of a definition is named by its path", async () => {
    const { tracker } = stoppedTracker();
    const define = (items: unknown) => issuesOf(tracker.checklists.define(untyped({ key: "a", name: "A", items })));
    assert.deepEqual(await define(undefined), ["items required"]);
    assert.deepEqual(await define([]), ["items empty_list"]);
    assert.deepEqual(await define(Array.from({ length: 101 }, (_, n) => ({ key: `k${n}`, name: "N" }))), [
      "items too_long",
    ]);
    const did = { kind: "has_done", eventKey: "step" };
    const items = [
      { key: "1", name: " ", when: { kind: "has_not_done", eventKey: "step" }, done: true },
      { key: "a", name: "A", when: { all: [did] } },
      { key: "a", name: "A", when: { ...did, period: { days: 1 } } },
      null,
      { key: "b", name: "B", when: null },
      { key: "c", name: "C", when: "has_done" },
      { key: "d", name: "D", when: { ...did, kind: 1 } },
      { key: "e", name: "E", when: { any: [] } },
      { key: "f", name: "F", when: { any: [did, { kind: "attribute", key: "seats" }, { any: [did] }] } },
    ];
    assert.deepEqual(await define(items), [
      "items.0.key invalid_format",
      "items.0.name too_short",
      "items.0.when.kind invalid_format",
      "items.0.done unknown_field",
      "items.1.when.kind required",
      "items.2.when.period can_turn_false",
      "items.3 wrong_type",
      "items.4.when wrong_type",
      "items.5.when wrong_type",
      "items.6.when.kind wrong_type",
      "items.7.when.any empty_list",
      "items.8.when.any.1.kind can_turn_false",
      "items.8.when.any.2.kind required",
      "items.2.key repeated_key",
    ]);
  });

  test("the first of any rules that turns true completes an item, once", async () => {
    const opened = { kind: "has_done", eventKey: "opened" } as const;
    const shared = { kind: "count_greater_than", eventKey: "shared", count: 1 } as const;
    const thrice = { kind: "count_greater_than", eventKey: "opened", count: 2 } as const;
    const when = { any: [shared, opened, thrice] };
    const tracker = await withAda({ key: "start", name: "Start", items: [{ key: "use", name: "Use", when }] });
    assert.deepEqual((await tracker.checklists.list())[0]?.items[0]?.when, when);
    assert.deepEqual(await completedBy(tracker, "shared"), []);
    assert.deepEqual(await stateOf(tracker), { use: false });
    assert.deepEqual(await completedBy(tracker, "opened"), ["use"]);
    for (const eventKey of ["opened", "opened", "shared", "shared"]) {
      assert.deepEqual(await completedBy(tracker, eventKey), []);
    }
    assert.deepEqual(await stateOf(tracker), { use: true });
    assert.deepEqual(await tracker.checklists.counts("start"), [{ itemKey: "use", name: "Use", contacts: 1 }]);
    assert.equal(await tracker.audiences.count({ kind: "checklist_completed", checklistKey: "start" }), 1);
  });

  test("an item that any of several first events completes has the time of the earliest", async () => {
    const any = ["opened", "shared"].map((eventKey) => ({ kind: "has_done" as const, eventKey }));
    const tracker = await withAda({ key: "start", name: "Start", items: [{ key: "use", name: "Use", when: { any } }] });
    await tracker.events.track({ externalId: "ada", eventKey: "shared", createdAt: "2026-01-02T00:00:00.000Z" });
    await tracker.events.track({ externalId: "ada", eventKey: "opened", createdAt: "2026-01-01T00:00:00.000Z" });
    const [progress] = await tracker.checklists.progress("ada");
    assert.equal(progress?.items[0]?.completedAt, "2026-01-01T00:00:00.000Z");
  });

  test("an item is completed by hand once, however often complete is called", async () => {
    const tracker = await withAda();
    const first = await tracker.checklists.complete("ada", "onboarding", "call");
    const shown = { description: null, href: null };
    assert.deepEqual(first, {
      checklistKey: "onboarding",
      name: "Onboarding",
      description: null,
      progress: { completed: 1, total: 3 },
      dismissedAt: null,
      items: [
        { itemKey: "sign_up", name: "Sign up", ...shown, automatic: true, completed: false, completedAt: null },
        { itemKey: "invite", name: "Invite two", ...shown, automatic: true, completed: false, completedAt: null },
        { itemKey: "call", name: "Take the call", ...shown, automatic: false, completed: true, completedAt: startsAt },
      ],
    });
    assert.deepEqual(await tracker.checklists.complete("ada", "onboarding", "call"), first);
    assert.deepEqual(await tracker.checklists.progress("ada"), [first]);
    const { completedChecklistItems } = await tracker.events.track({ externalId: "ada", eventKey: "signup_completed" });
    assert.deepEqual(completedChecklistItems[0]?.progress, { completed: 2, total: 3 });
  });

  test("with a period those count who completed the first item within it, where its time is known", async () => {
    const { tracker, clock } = stoppedTracker();
    const day = (n: number): string => new Date(Date.parse(startsAt) + n * 86_400_000).toISOString();
    const first: Record<string, ChecklistItem["when"]> = {
      done: onboarding.items[0]!.when,
      by_hand: undefined,
      often: { kind: "count_greater_than", eventKey: "signup_completed", count: 0 },
    };
    for (const [key, when] of Object.entries(first)) {
      const items = [{ key: "first", name: "First", when }, ...onboarding.items.slice(1)];
      await tracker.checklists.define({ key, name: key, items });
      assert.equal(knowsBeginning(items), key !== "often");
    }
    // Contact n begins on day n, and does the same on day 9. Contact 0 never begins. Those with an odd number go on.
    const did = (n: number, eventKey: string) => tracker.events.track({ externalId: `c${n}@example.com`, eventKey });
    for (const n of [0, 1, 2, 3, 4, 5]) {
      const { contact } = await tracker.contacts.upsert({ email: `c${n}@example.com` });
      clock.set(day(n));
      if (n > 0) await did(n, "signup_completed");
      if (n > 0) await tracker.checklists.complete(contact.externalId, "by_hand", "first");
      for (const _ of n % 2 === 1 ? [1, 2] : []) await did(n, "invite_sent");
      for (const key of n === 3 ? Object.keys(first) : [])
        await tracker.checklists.complete(contact.externalId, key, "call");
    }
    clock.set(day(9));
    for (const n of [1, 2, 3, 4, 5]) await did(n, "signup_completed");
    const counts = async (key: string, period?: PlainPeriod): Promise<string> =>
      (await tracker.checklists.counts(key, period)).map(({ contacts }) => contacts).join(" ");
    for (const key of ["done", "by_hand"]) {
      assert.equal(await counts(key), "5 3 1");
      assert.equal(await counts(key, { days: 6 }), "3 2 1");
      assert.equal(await counts(key, { from: day(1), to: new Date(day(3)) }), "2 1 0");
      assert.equal(await counts(key, { to: day(1) }), "0 0 0");
    }
    assert.equal(await counts("often", { to: day(1) }), "5 3 1");
    assert.deepEqual(await issuesOf(counts("done", { days: 1, hours: 1 } as never)), ["hours invalid_format"]);
    assert.deepEqual(await issuesOf(counts("done", untyped(null))), [" wrong_type"]);
    assert.equal((await refusalOf(counts("gone", { days: 1 }))).code, "definition_not_found");
  });

  test("completing an automatic or unknown item by hand is refused", async () => {
    const tracker = await withAda();
    const { complete } = tracker.checklists;
    assert.deepEqual(await issuesOf(complete("ada", "onboarding", "sign_up")), ["itemKey automatic_item"]);
    assert.equal((await refusalOf(complete("bob", "onboarding", "call"))).code, "contact_not_found");
    assert.equal((await refusalOf(complete("ada", "offboarding", "call"))).code, "definition_not_found");
    assert.equal((await refusalOf(complete("ada", "onboarding", "other"))).code, "definition_not_found");
    assert.equal((await refusalOf(tracker.checklists.progress("bob"))).code, "contact_not_found");
    assert.deepEqual(await issuesOf(complete(untyped(undefined), "", untyped(1))), [
      "externalId required",
      "checklistKey too_short",
      "itemKey wrong_type",
    ]);
    assert.deepEqual(await stateOf(tracker), { sign_up: false, invite: false, call: false });
  });
});
