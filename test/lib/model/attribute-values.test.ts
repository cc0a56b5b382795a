import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { assertKnownType, shownValue, storedValue, wordsOf } from "../../../lib/model/attribute-values.ts";
import type { AttributeType } from "../../../lib/model/types.ts";
import { suite } from "../../support/suite.ts";

const at = Date.parse("2026-11-30T00:00:00.000Z");
const dayMs = 86_400_000;

suite("the values of attributes", (test) => {
  const stored: [unknown, AttributeType, unknown][] = [
    ["2026-11-30", "date", at],
    ["2026-11-30T01:00:00+01:00", "date", at],
    ["2026-11-30T00:00:00.0019Z", "date", at + 1],
    [new Date(at), "date", at],
    [runInNewContext(`new Date(${at})`), "date", at],
    ["9999-12-31T23:59:59.999Z", "date", 253_402_300_799_999],
    ["0001-01-01", "date", -62_135_596_800_000],
    ["2026-02-29", "date", null],
    ["2026-11-30T00:00:00", "date", null],
    ["2026-11-30Z", "date", null],
    ["30.11.2026", "date", null],
    ["0000-12-31", "date", null],
    [new Date(NaN), "date", null],
    [at, "date", null],
    [true, "date", null],
    [{ getTime: () => at }, "date", null],
    [new Date(at), "text", null],
    [new Date(at), "number", null],
    [-0, "number", 0],
    ["", "text", ""],
    [1, "boolean", null],
  ];
  for (const [index, [value, type, expected]] of stored.entries()) {
    test(`a ${type} is stored, or is none: ${index + 1}, ${String(value)}`, () => {
      assert.equal(storedValue(value, type), expected);
    });
  }

  test("a date is shown as the time that was given, whatever its zone", () => {
    const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    const times = fc.date({
      min: new Date("0001-01-02T00:00Z"),
      max: new Date("9999-12-30T00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(times, offset, (time, minutes) => {
        const local = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const zone = [hours, rest].map((part) => String(part).padStart(2, "0")).join(":");
        const given = `${local}${minutes < 0 ? "-" : "+"}${zone}`;
        assert.equal(shownValue(storedValue(given, "date")!, "date"), time.toISOString());
        const day = time.toISOString().slice(0, 10);
        assert.equal(storedValue(day, "date"), Math.floor(time.getTime() / dayMs) * dayMs);
      }),
    );
  });

  test("the type of a later version is refused", () => {
    for (const type of ["list", "toString", "date?"] as unknown as AttributeType[]) {
      for (const use of [
        () => assertKnownType(type),
        () => wordsOf(type),
        () => storedValue("a", type),
        () => shownValue("a", type),
      ])
        assert.throws(use, { code: "definition_unknown" });
    }
  });
});
