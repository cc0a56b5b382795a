import assert from "node:assert/strict";
import { barsOf } from "../../../server/dashboard/app/pages/contacts/bars.ts";
import { changesOf, draftOf } from "../../../server/dashboard/app/pages/contacts/changes.ts";
import type { AttributeDefinition, Contact } from "../../../lib/model/types.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-01-31T09:00:00Z");
const starts = (bars: ReturnType<typeof barsOf>): string[] =>
  bars.starts.map((start) => new Date(start * 1_000).toISOString().slice(0, 10));

suite("the bars of a contact's events", (test) => {
  test("a few days are drawn by day, with two weeks at least and empty days among them", () => {
    const bars = barsOf(
      ["2026-01-31T00:00:00Z", "2026-01-29T23:59:59.999Z", "2026-01-29T00:00:00Z"].map(Date.parse),
      now,
    );
    assert.equal(bars.unit, "day");
    assert.deepEqual([bars.starts.length, ...starts(bars).slice(0, 2)], [14, "2026-01-18", "2026-01-19"]);
    assert.deepEqual(bars.counts, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1]);
  });

  test("half a year is drawn by week from Monday, two years by month, and two thousand by year", () => {
    const week = barsOf([Date.parse("2025-08-01T09:00:00Z")], now);
    assert.deepEqual([week.unit, starts(week)[0], starts(week).at(-1)], ["week", "2025-07-28", "2026-01-26"]);
    const month = barsOf([Date.parse("2024-02-29T09:00:00Z")], now);
    assert.deepEqual([month.unit, starts(month)[0], starts(month).at(-1)], ["month", "2024-02-01", "2026-01-01"]);
    const year = barsOf([Date.parse("0001-06-01T00:00:00Z")], now);
    assert.deepEqual([year.unit, year.starts.length, year.counts[0]], ["year", 2026, 1]);
  });

  test("every event is in a bar, also one that the server's clock puts ahead of the browser's", () => {
    const midnight = Date.parse("2026-02-01T00:00:00Z");
    for (let days = 0; days < 3_000; days++) {
      const times = [midnight + 299_999, midnight - 1, midnight - days * 86_400_000];
      const bars = barsOf(times, midnight - 1);
      assert.equal(
        bars.counts.reduce((sum, count) => sum + count),
        3,
      );
      assert.ok(bars.counts.length <= 62, `${bars.counts.length} bars for ${days} days`);
    }
    assert.equal(barsOf([midnight + 299_999], midnight - 1).counts.at(-1), 1);
  });

  test("the longest time of each unit", () => {
    const unitAfter = (days: number) => barsOf([now - days * 86_400_000], now).unit;
    assert.deepEqual([60, 61, 426, 427, 1_829, 1_830].map(unitAfter), [
      "day",
      "week",
      "week",
      "month",
      "month",
      "year",
    ]);
  });

  test("no event has bars of nothing", () => {
    assert.deepEqual(
      barsOf([], now).counts,
      Array.from({ length: 14 }, () => 0),
    );
  });
});

const attributes: AttributeDefinition[] = [
  { key: "seats", type: "number" },
  { key: "beta", type: "boolean" },
  { key: "team", type: "text" },
];
const contact = {
  email: "ada@example.com",
  externalId: "ada@example.com",
  name: "Ada",
  signedUpAt: null,
  customAttributes: { seats: 3, beta: false },
} as unknown as Contact;

suite("the changes of a contact's form", (test) => {
  const before = draftOf(contact, attributes);
  const changes = (changed: Record<string, string>) => changesOf(before, { ...before, ...changed }, attributes);

  test("only what was changed is sent", () => {
    assert.deepEqual(changes({}), {});
    assert.deepEqual(changes({ name: "Ada L." }), { name: "Ada L." });
    assert.deepEqual(changes({ "customAttributes.team": "x" }), { customAttributes: { team: "x" } });
  });

  test("what is cleared is null", () => {
    assert.deepEqual(changes({ email: "", externalId: "", name: "" }), { email: null, externalId: null, name: null });
    assert.deepEqual(changes({ "customAttributes.seats": "", "customAttributes.beta": "" }), {
      customAttributes: { seats: null, beta: null },
    });
  });

  test("an attribute has the type of its definition, and what is no value of it is left to the server", () => {
    const seats = (text: string) => changes({ "customAttributes.seats": text }).customAttributes?.["seats"];
    assert.deepEqual(["4", "-0.5", " 7 ", "1e3"].map(seats), [4, -0.5, 7, 1000]);
    assert.deepEqual(["four", " ", "1e999"].map(seats), ["four", " ", "1e999"]);
    assert.deepEqual(changes({ "customAttributes.beta": "true" }), { customAttributes: { beta: true } });
    assert.deepEqual(changes({ "customAttributes.team": "42" }), { customAttributes: { team: "42" } });
  });

  test("an attribute with the name of something that every object has is empty until it is set", () => {
    const named: AttributeDefinition[] = ["constructor", "toString", "seats"].map((key) => ({ key, type: "text" }));
    const draft = draftOf(contact, named);
    assert.deepEqual(
      named.map(({ key }) => draft[`customAttributes.${key}`]),
      ["", "", "3"],
    );
    const changed = changesOf(draft, { ...draft, "customAttributes.constructor": "x" }, named);
    assert.deepEqual(Object.entries(changed.customAttributes!), [["constructor", "x"]]);
  });
});
