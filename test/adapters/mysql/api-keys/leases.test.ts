import assert from "node:assert/strict";
import { createRateLimits } from "../../../../adapters/mysql/api-keys/rate-limits.ts";
import { suite } from "../../../support/suite.ts";

const window = { startsAt: 60_000, endsAt: 120_000, now: 60_000 };
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

suite("leases of a rate limit", (test) => {
  for (const [limit, together] of [
    [2_000, 3],
    [10_000, 10],
    [10_000, 25],
  ] as const) {
    test(`however ${together} requests at a time meet, a limit of ${limit} lets as many through while asked`, async () => {
      let used = 0;
      const limits = createRateLimits(async (_apiKeyId, max, { startsAt }, n) => {
        const takenBefore = Math.min(used, max);
        used = Math.min(used + n, max);
        // As a statement takes its time, in which others ask.
        await nextTurn();
        await nextTurn();
        return { takenBefore, startsAt };
      });
      const answers: number[] = [];
      while (answers.length < limit * 3) {
        const first = limits.consume("key", limit, window, 1);
        await nextTurn();
        const others = Array.from({ length: together }, () => limits.consume("key", limit, window, 1));
        const uses = await Promise.all([first, ...others]);
        answers.push(...uses.map(({ takenBefore }) => takenBefore));
      }
      const through = answers.filter((takenBefore) => takenBefore < limit);
      assert.deepEqual([through.length, new Set(through).size], [limit, limit]);
    });
  }
});
