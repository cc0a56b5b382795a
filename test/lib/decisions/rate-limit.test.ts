import assert from "node:assert/strict";
import {
  allowanceAfter,
  leaseOf,
  retryAfterSeconds,
  windowAt,
  wholeMinute,
} from "../../../lib/decisions/rate-limit.ts";
import { suite } from "../../support/suite.ts";

const perMinute = { requests: 100, perSeconds: 60 };
const at = (time: string): number => Date.parse(time);

suite("rate limit", (test) => {
  for (const [now, startsAt] of [
    ["2026-01-31T09:00:00.000Z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:00:00.001Z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:00:59.999Z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:01:00.000Z", "2026-01-31T09:01:00.000Z"],
  ] as const) {
    test(`the window of a minute at ${now} starts with the clock's minute`, () => {
      assert.deepEqual(windowAt(at(now), perMinute), {
        startsAt: at(startsAt),
        endsAt: at(startsAt) + 60_000,
        now: at(now),
      });
    });
  }

  test("a window of ten seconds starts at a multiple of ten seconds", () => {
    const { startsAt } = windowAt(at("2026-01-31T09:00:19.999Z"), { requests: 5, perSeconds: 10 });
    assert.equal(startsAt, at("2026-01-31T09:00:10.000Z"));
  });

  test("after the time to wait a later window has begun", () => {
    for (let now = 0; now < 60_000; now += 7) {
      const window = windowAt(now, perMinute);
      const later = now + retryAfterSeconds(allowanceAfter(100, window, perMinute), now) * 1_000;
      assert.ok(windowAt(later, perMinute).startsAt > window.startsAt);
    }
  });

  for (const [now, minute] of [
    [59_999, 0],
    [60_000, 60_000],
    [-1, -60_000],
  ] as const) {
    test(`a use at ${now} ms is noted as the minute of ${minute} ms`, () => assert.equal(wholeMinute(now), minute));
  }

  for (const [limit, lease] of [
    [1, 1],
    [100, 1],
    [1_000, 1],
    [1_001, 1],
    [2_000, 2],
    [10_999, 10],
    [1_000_000, 1_000],
  ] as const) {
    test(`of a limit of ${limit} a process takes ${lease} at once`, () => assert.equal(leaseOf(limit), lease));
  }
});
