import assert from "node:assert/strict";
import { createQueue } from "../../../server/dashboard/app/queue.ts";
import { suite } from "../../support/suite.ts";

suite("a queue of requests", (test) => {
  test("runs in order, at most so many at once, and goes on after a failure", async () => {
    const inTurn = createQueue(2);
    const begun: number[] = [];
    const ends: ((fails: boolean) => void)[] = [];
    const results = [0, 1, 2, 3].map((n) =>
      inTurn(async () => {
        begun.push(n);
        const fails = await new Promise<boolean>((resolve) => (ends[n] = resolve));
        if (fails) throw new Error(`${n} failed`);
        return n;
      }).catch((error: Error) => error.message),
    );
    const settle = async (): Promise<number[]> => {
      await new Promise((resolve) => setImmediate(resolve));
      return [...begun];
    };
    assert.deepEqual(await settle(), [0, 1]);
    ends[1]!(true);
    assert.deepEqual(await settle(), [0, 1, 2]);
    ends[2]!(false);
    assert.deepEqual(await settle(), [0, 1, 2, 3]);
    ends[0]!(false);
    ends[3]!(false);
    assert.deepEqual(await Promise.all(results), [0, "1 failed", 2, 3]);
    const later = inTurn(async () => "later");
    assert.equal(await later, "later");
  });
});
