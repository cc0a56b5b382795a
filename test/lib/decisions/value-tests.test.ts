import assert from "node:assert/strict";
import { nextAbove } from "../../../lib/decisions/value-tests.ts";
import { suite } from "../../support/suite.ts";

suite("tests of values", (test) => {
  for (const [number, next] of [
    [0, 5e-324],
    [-0, 5e-324],
    [5e-324, 1e-323],
    [-5e-324, 0],
    [1, 1.0000000000000002],
    [-1, -0.9999999999999999],
    [0.1, 0.10000000000000002],
    [9_007_199_254_740_991, 9_007_199_254_740_992],
  ] as const) {
    test(`the next number above ${Object.is(number, -0) ? "-0" : number} is ${next}`, () =>
      assert.equal(nextAbove(number), next));
  }
});
