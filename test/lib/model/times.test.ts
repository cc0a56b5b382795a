import assert from "node:assert/strict";
import { formatTime, parseTime } from "../../../lib/model/times.ts";
import { suite } from "../../support/suite.ts";

const accepted = {
  "2026-01-31T09:00:00Z": "2026-01-31T09:00:00.000Z",
  "2026-01-31T09:00:00.123Z": "2026-01-31T09:00:00.123Z",
  "2026-01-31t09:00:00.5z": "2026-01-31T09:00:00.500Z",
  "2026-01-31T09:00:00,5Z": "2026-01-31T09:00:00.500Z",
  "2026-01-31T09:00Z": "2026-01-31T09:00:00.000Z",
  "2026-01-31T09:00:00+02:00": "2026-01-31T07:00:00.000Z",
  "2026-01-31T09:00:00+02": "2026-01-31T07:00:00.000Z",
  "2026-01-31T22:00:00-05:30": "2026-02-01T03:30:00.000Z",
  "2026-01-31T09:00:00-00:00": "2026-01-31T09:00:00.000Z",
  "2026-01-31T09:00:00+23:59": "2026-01-30T09:01:00.000Z",
  "2026-01-31T09:00:00.9999Z": "2026-01-31T09:00:00.999Z",
  "2026-01-31T23:59:59.999999999Z": "2026-01-31T23:59:59.999Z",
  "1969-12-31T23:59:59.9999Z": "1969-12-31T23:59:59.999Z",
  "2024-02-29T00:00:00Z": "2024-02-29T00:00:00.000Z",
  "2000-02-29T00:00:00Z": "2000-02-29T00:00:00.000Z",
  "0001-01-01T00:00:00Z": "0001-01-01T00:00:00.000Z",
  "0099-12-31T00:00:00Z": "0099-12-31T00:00:00.000Z",
  "0000-12-31T23:00:00-01:00": "0001-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z": "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59.9999Z": "9999-12-31T23:59:59.999Z",
};

const malformed = [
  "",
  "yesterday",
  "2026-01-31",
  "2026-01-31T09:00:00",
  "2026-01-31 09:00:00Z",
  "20260131T090000Z",
  " 2026-01-31T09:00:00Z",
  "2026-01-31T09:00:00Z\n",
  "2026-01-31T09:00:00.Z",
  "2026-01-31T09:00:00+2:00",
  "2026-01-31T09:00:00+24:00",
  "2026-01-31T09:00:00+02:60",
  "2026-01-31T24:00:00Z",
  "2026-01-31T09:60:00Z",
  "2026-01-31T09:00:60Z",
  "2026-02-29T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "2026-04-31T00:00:00Z",
  "2026-00-10T00:00:00Z",
  "2026-13-10T00:00:00Z",
  "2026-01-00T00:00:00Z",
  "+002026-01-31T09:00:00Z",
  "10000-01-01T00:00:00Z",
  "２０２６-01-31T09:00:00Z",
];

const outOfRange = [
  "0000-12-31T23:59:59.999Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  new Date("0000-12-31T23:59:59.999Z"),
  new Date("+010000-01-01T00:00:00.000Z"),
];

suite("times", (test) => {
  for (const [text, time] of Object.entries(accepted)) {
    test(`${text} is the time ${time}`, () => {
      assert.equal(formatTime(parseTime(text) as number), time);
    });
  }

  for (const text of malformed) {
    test(`no date-time with a zone, or no day of the calendar: ${JSON.stringify(text)}`, () => {
      assert.equal(parseTime(text), "invalid_format");
    });
  }

  for (const value of outOfRange) {
    test(`outside the years 0001 to 9999 in UTC: ${typeof value} ${JSON.stringify(value)}`, () => {
      assert.equal(parseTime(value), "out_of_range");
    });
  }

  test("a Date is its own time", () => {
    assert.equal(parseTime(new Date(1_769_850_000_123)), 1_769_850_000_123);
  });

  test("an invalid Date is no time", () => {
    assert.equal(parseTime(new Date("yesterday")), "invalid_format");
  });

  test("times are answered in UTC with milliseconds", () => {
    assert.equal(formatTime(0), "1970-01-01T00:00:00.000Z");
  });
});
