import assert from "node:assert/strict";
import { pauseAfter } from "../../../lib/decisions/consumers.ts";
import { suite } from "../../support/suite.ts";

suite("decisions about consumers", (test) => {
  test("pauses grow from 5 s to an hour, and end after ten tries", () => {
    const limits = { tries: 10, firstPauseSeconds: 5, longestPauseSeconds: 3_600 };
    const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, limits));
    const seconds = [5, 15, 45, 135, 405, 1_215, 3_600, 3_600, 3_600];
    assert.deepEqual(pauses, [...seconds.map((each) => each * 1_000), null]);
    assert.equal(pauseAfter(1, { ...limits, tries: 1 }), null);
  });
});
