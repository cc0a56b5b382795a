import assert from "node:assert/strict";
import { numberOf } from "../../../server/dashboard/app/numbers.ts";
import { suite } from "../../support/suite.ts";

suite("a number that is typed", (test) => {
  test("is read as JavaScript reads it", () =>
    assert.deepEqual(["0", "-0.5", " 7 ", "1e3", "1e21", "0x10"].map(numberOf), [0, -0.5, 7, 1_000, 1e21, 16]));

  test("stays a text where it is none that JSON has, as null would mean that nothing was typed", () => {
    const texts = ["", " ", "four", "1e999", "-Infinity", "NaN", "1,5"];
    assert.deepEqual(texts.map(numberOf), texts);
  });
});
