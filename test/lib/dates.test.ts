import assert from "node:assert/strict";
import type { Rule, Tracker } from "../../lib/index.ts";
import type { PeriodOfTime } from "../../lib/model/types.ts";
import { issuesOf, stoppedTracker, untyped, type Clock } from "../support/stopped-tracker.ts";
import { interfaceSuite } from "../support/through-client.ts";

const ends = "2026-11-30T00:00:00.000Z";
const trialEnds = (value: PeriodOfTime): Rule => ({ kind: "attribute", key: "trialEnds", operator: "within", value });
const seats = (value: unknown): unknown => ({ kind: "attribute", key: "seats", operator: "within", value });
const counted = (period: unknown): unknown => ({ kind: "has_done", eventKey: "step", period });

async function trial(): Promise<{ tracker: Tracker; clock: Clock }> {
  const { tracker, clock } = stoppedTracker("2026-11-26T23:59:59.999Z");
  await tracker.attributes.define({ key: "trialEnds", type: "date" });
  await tracker.attributes.define({ key: "seats", type: "number" });
  for (const [name, customAttributes] of Object.entries({ ada: { trialEnds: "2026-11-30" }, bob: {} }))
    await tracker.contacts.upsert({ email: `${name}@example.com`, externalId: name, customAttributes });
  return { tracker, clock };
}

interfaceSuite("dates", (test) => {
  test("a date is a time of any zone, a day or a Date, and is answered as a time in UTC", async () => {
    const { tracker } = await trial();
    await tracker.subscriptions.define({ key: "all", on: { contacts: true } });
    const update = async (value: string | Date | null): Promise<unknown> =>
      (await tracker.contacts.update("ada", { customAttributes: { trialEnds: value } })).customAttributes["trialEnds"];
    const shown = [];
    for (const value of [
      "2026-11-30T01:00:00+01:00",
      new Date(ends),
      "2026-12-01",
      "2026-12-01T10:00:00.0019-02:00",
      null,
    ])
      shown.push(await update(value));
    const later = "2026-12-01T12:00:00.001Z";
    assert.deepEqual(shown, [ends, ends, "2026-12-01T00:00:00.000Z", later, undefined]);
    const changed: unknown[] = [];
    for await (const change of tracker.subscriptions.changes("all")) {
      assert.ok("changed" in change);
      changed.push(change.changed["customAttributes.trialEnds"]);
      if (changed.length === 3) break;
    }
    const day = "2026-12-01T00:00:00.000Z";
    const times = [ends, day, later, null];
    assert.deepEqual(
      changed,
      times.slice(1).map((after, index) => ({ before: times[index], after })),
    );
  });

  test("periods of a date look ahead and back, to the millisecond, and an unset date is in none", async () => {
    const { tracker, clock } = await trial();
    const next: Rule = trialEnds({ next: { days: 3 } });
    const ago: Rule = trialEnds({ ago: { hours: 1 } });
    const last: Rule = trialEnds({ hours: 1 });
    const membersAt = async (time: string): Promise<string[]> => {
      clock.set(time);
      const found = [];
      for (const rule of [next, last, ago, { not: last }])
        found.push((await tracker.audiences.members(rule)).items.map(({ externalId }) => externalId).join());
      return found;
    };
    assert.deepEqual(await membersAt("2026-11-27T00:00:00.000Z"), ["", "ada", "", "bob"]);
    assert.deepEqual(await membersAt("2026-11-27T00:00:00.001Z"), ["ada", "ada", "", "bob"]);
    assert.deepEqual(await membersAt(ends), ["ada", "ada", "", "bob"]);
    assert.deepEqual(await membersAt("2026-11-30T00:00:00.001Z"), ["", "ada", "", "bob"]);
    assert.deepEqual(await membersAt("2026-11-30T01:00:00.000Z"), ["", "ada", "", "bob"]);
    assert.deepEqual(await membersAt("2026-11-30T01:00:00.001Z"), ["", "", "ada", "ada,bob"]);
    const { because } = await tracker.audiences.explain(ago, "ada");
    assert.deepEqual(because, [{ rule: ago, match: true, observed: { value: ends } }]);
    assert.deepEqual((await tracker.audiences.explain(ago, "bob")).because[0]!.observed, null);
  });

  test("events and fields of time are before a moment", async () => {
    const { tracker, clock } = await trial();
    await tracker.contacts.update("bob", { signedUpAt: "2026-11-26T00:00:00Z" });
    await tracker.events.track({ externalId: "ada", eventKey: "step" });
    clock.set("2026-11-28T00:00:00.000Z");
    const within = { period: { ago: { days: 1 } }, eventKey: "step" } as const;
    const signedUp: Rule = { kind: "field", field: "signedUpAt", operator: "within", value: { ago: { days: 1 } } };
    for (const [rule, expected] of [
      [{ kind: "first_done_within", ...within }, "ada"],
      [{ kind: "last_done_within", ...within }, "ada"],
      [{ not: { kind: "last_done_within", eventKey: "step", period: { days: 1 } } }, "ada,bob"],
      [signedUp, "bob"],
    ] as [Rule, string][]) {
      const { items } = await tracker.audiences.members(rule);
      assert.equal(items.map(({ externalId }) => externalId).join(), expected);
    }
  });

  test("a wrong date, operator or period is refused with its path", async () => {
    const { tracker } = await trial();
    for (const value of ["30.11.2026", "2026-02-29", "2026-11-30T00:00:00", "", 1_796_000_000_000, true]) {
      const call = tracker.contacts.update("ada", { customAttributes: { trialEnds: value } });
      assert.deepEqual(await issuesOf(call), ["customAttributes.trialEnds attribute_wrong_type"]);
    }
    const date = { kind: "attribute", key: "trialEnds" };
    for (const [rule, expected] of [
      [{ ...date, operator: "equals", value: "2026-11-30" }, "rule.operator attribute_wrong_type"],
      [{ ...date, operator: "greater_than", value: 1 }, "rule.operator attribute_wrong_type"],
      [{ ...date, operator: "within", value: "2026-11-30" }, "rule.value wrong_type"],
      [{ ...date, operator: "within", value: {} }, "rule.value too_short"],
      [{ ...date, operator: "within", value: { next: { weeks: 1 } } }, "rule.value.next.weeks unknown_field"],
      [{ ...date, operator: "within", value: { next: { days: 0 } } }, "rule.value.next.days out_of_range"],
      [{ ...date, operator: "within", value: { next: { days: 1 }, days: 1 } }, "rule.value.next invalid_format"],
      [seats({ next: { days: 1 } }), "rule.operator attribute_wrong_type"],
      [counted({ ago: { days: 1 } }), "rule.period.ago unknown_field"],
      [counted({ next: { days: 1 } }), "rule.period.next unknown_field"],
      [{ ...Object(counted({ next: { days: 1 } })), kind: "last_done_within" }, "rule.period.next unknown_field"],
      [
        { ...Object(counted({ days: 1 })), where: [{ property: "at", operator: "within", value: { days: 1 } }] },
        "rule.where.0.operator invalid_format",
      ],
    ] as [unknown, string][])
      assert.deepEqual(await issuesOf(tracker.audiences.count(untyped(rule))), [expected]);
    const properties = { at: "date" };
    const defined = tracker.eventTypes.define({ key: "step", properties: untyped(properties) });
    assert.deepEqual(await issuesOf(defined), ["properties.at invalid_format"]);
  });
});
