import assert from "node:assert/strict";
import { resultOf } from "../../../lib/webhooks/answers.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-01-31T09:00:00.000Z");
const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

suite("answers of endpoints", (test) => {
  for (const [status, retryAfter, expected] of [
    [200, null, "delivered"],
    [299, "5", "delivered"],
    [300, null, "failed"],
    [302, null, "failed"],
    [199, null, "failed"],
    [404, "5", "failed"],
    [410, null, "gone"],
    [500, "5", "failed"],
    [503, null, "failed"],
    [503, "5", 5 * secondMs],
    [503, "soon", 30 * secondMs],
    [429, null, 30 * secondMs],
    [429, "", 30 * secondMs],
    [429, "-5", 30 * secondMs],
    [429, "1.5", 30 * secondMs],
    [429, "0", secondMs],
    [429, "120", 120 * secondMs],
    [429, "3601", hourMs],
    [429, "99999999999999999999", hourMs],
    [429, "Sat, 31 Jan 2026 09:01:00 GMT", minuteMs],
    [429, "Sat, 31 Jan 2026 08:00:00 GMT", secondMs],
    [429, "Sun, 01 Feb 2026 09:00:00 GMT", hourMs],
  ] as const) {
    test(`status ${status} with Retry-After ${retryAfter} is ${expected}`, () => {
      const result = resultOf(status, retryAfter, now);
      assert.equal(result.status, status);
      assert.equal(result.kind === "paused" ? result.pauseMs : result.kind, expected);
    });
  }
});
