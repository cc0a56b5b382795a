import assert from "node:assert/strict";
import { isTimeZone, startsOfDays } from "../../../lib/model/calendar.ts";
import { suite } from "../../support/suite.ts";

/** The bounds of the days, or weeks, that have a moment from `from` until just before `to`. */
function bounds(timeZone: string, from: string, to: string, days: 1 | 7 = 1, max = 100): string[] {
  const times = { from: Date.parse(from), to: Date.parse(to), max };
  return startsOfDays(timeZone, days, times).map((time) => new Date(time).toISOString().replace(":00.000Z", "Z"));
}

suite("the days of time zones", (test) => {
  test("a day begins at midnight, with the moment before it in the day before", () => {
    const twoDays = ["2026-01-31T00:00Z", "2026-02-01T00:00Z", "2026-02-02T00:00Z"];
    assert.deepEqual(bounds("UTC", "2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.001Z"), twoDays);
    assert.deepEqual(bounds("UTC", "2026-01-31T00:00:00.000Z", "2026-02-01T00:00:00.000Z"), twoDays.slice(0, 2));
    const kathmandu = ["2026-01-31T18:15Z", "2026-02-01T18:15Z"];
    assert.deepEqual(bounds("Asia/Kathmandu", "2026-02-01T00:00Z", "2026-02-01T00:01Z"), kathmandu);
    const before1970 = ["1969-12-30T23:00Z", "1969-12-31T23:00Z", "1970-01-01T23:00Z"];
    assert.deepEqual(bounds("Europe/Berlin", "1969-12-31T00:00Z", "1970-01-01T00:00Z"), before1970);
  });

  test("a day has 23 or 25 hours where the clock is changed, or half an hour more", () => {
    for (const [zone, from, to, hours] of [
      ["Europe/Berlin", "2026-03-28T23:00Z", "2026-03-29T22:00Z", 23],
      ["Europe/Berlin", "2026-10-24T22:00Z", "2026-10-25T23:00Z", 25],
      ["America/New_York", "2026-11-01T04:00Z", "2026-11-02T05:00Z", 25],
      ["Australia/Lord_Howe", "2026-04-04T13:00Z", "2026-04-05T13:30Z", 24.5],
    ] as const) {
      assert.equal((Date.parse(to) - Date.parse(from)) / 3_600_000, hours);
      assert.deepEqual(bounds(zone, from, to), [from, to]);
    }
  });

  test("a day without a midnight begins at its first moment", () => {
    assert.deepEqual(bounds("Africa/Cairo", "2023-04-28T12:00Z", "2023-04-28T21:00Z"), [
      "2023-04-27T22:00Z",
      "2023-04-28T21:00Z",
    ]);
    assert.deepEqual(bounds("Asia/Beirut", "2026-03-28T21:59Z", "2026-03-28T22:01Z"), [
      "2026-03-27T22:00Z",
      "2026-03-28T22:00Z",
      "2026-03-29T21:00Z",
    ]);
  });

  test("a day with two midnights begins at the first of them", () => {
    assert.deepEqual(bounds("Africa/Cairo", "2023-10-26T20:59Z", "2023-10-26T22:01Z"), [
      "2023-10-25T21:00Z",
      "2023-10-26T22:00Z",
      "2023-10-27T22:00Z",
    ]);
    // At 00:01 the clock was set back to 23:01.
    const newYear = ["2010-11-07T02:30Z", "2010-11-08T03:30Z"];
    assert.deepEqual(bounds("America/St_Johns", "2010-11-07T02:45Z", "2010-11-07T03:00Z"), newYear);
  });

  test("a day that a zone left out has no time", () => {
    assert.deepEqual(bounds("Pacific/Apia", "2011-12-30T09:59Z", "2011-12-30T10:01Z"), [
      "2011-12-29T10:00Z",
      "2011-12-30T10:00Z",
      "2011-12-30T10:00Z",
      "2011-12-31T10:00Z",
    ]);
  });

  test("a week begins on Monday", () => {
    assert.deepEqual(bounds("UTC", "2026-02-01T23:59Z", "2026-02-02T00:01Z", 7), [
      "2026-01-26T00:00Z",
      "2026-02-02T00:00Z",
      "2026-02-09T00:00Z",
    ]);
    const weekOfChange = ["2026-10-18T22:00Z", "2026-10-25T23:00Z"];
    assert.deepEqual(bounds("Europe/Berlin", "2026-10-25T22:59Z", "2026-10-25T23:00Z", 7), weekOfChange);
  });

  test("the days of thousands of years are not all looked for", () => {
    assert.equal(bounds("UTC", "0001-01-01T00:00Z", "9999-01-01T00:00Z", 1, 5).length, 7);
  });

  test("zones are known by their names, in any case", () => {
    for (const name of ["UTC", "Europe/Berlin", "europe/berlin", "America/Argentina/Buenos_Aires"])
      assert.ok(isTimeZone(name), name);
    for (const name of ["", "Mars/Base", "+02:00", "-0200", "Europe", "Europe/Berlin ", "\u{1f600}", "toString"])
      assert.ok(!isTimeZone(name), name);
  });
});
