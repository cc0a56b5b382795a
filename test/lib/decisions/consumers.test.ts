import assert from "node:assert/strict";
import { pauseAfter, positionToResume, refusalOfTaking } from "../../../lib/decisions/consumers.ts";
import { suite } from "../../support/suite.ts";

suite("decisions about consumers", (test) => {
  test("pauses grow from 5 s to an hour, and end after ten tries", () => {
    const limits = { tries: 10, firstPauseSeconds: 5, longestPauseSeconds: 3_600 };
    const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, limits));
    const seconds = [5, 15, 45, 135, 405, 1_215, 3_600, 3_600, 3_600];
    assert.deepEqual(pauses, [...seconds.map((each) => each * 1_000), null]);
    assert.equal(pauseAfter(1, { ...limits, tries: 1 }), null);
  });

  for (const [url, isWebhook, code] of [
    [undefined, undefined, undefined],
    ["https://example.com/", true, undefined],
    ["https://example.com/", undefined, "subscription_conflict"],
    [undefined, true, "subscription_conflict"],
  ] as const) {
    test(`changes of a subscription to ${url} taken ${isWebhook ? "for" : "without"} messages: ${code}`, () =>
      assert.equal(refusalOfTaking({ url }, isWebhook ? { isWebhook } : {})?.refused.code, code));
  }

  for (const [from, position] of [
    ["oldest", 5_000],
    ["now", 9_500],
    [6, 5_999],
    [10, 9_500],
    [5, null],
    [-Infinity, null],
  ] as const) {
    test(`of positions from 5000 to 9500 consumers resume from ${from} at ${position}`, () => {
      const resumed = positionToResume(from, { first: 5_000, end: 9_500 });
      assert.deepEqual(resumed, position ?? { refused: { code: "changes_expired" } });
    });
  }
});
