import assert from "node:assert/strict";
import { createPatience, pause, retryAfterSecondsOf, type Retry } from "../../../lib/client/retries.ts";
import { TrackerError } from "../../../lib/index.ts";
import { suite } from "../../support/suite.ts";

/** What `onRetry` is told of a pause, which is then aborted. */
async function told(attempt: number, retryAfterSeconds?: number): Promise<Retry> {
  const controller = new AbortController();
  const error = new TrackerError("rate_limited", { retryAfterSeconds });
  const retries: Retry[] = [];
  const onRetry = (retry: Retry): void => {
    retries.push(retry);
    controller.abort(error);
  };
  const options = { onRetry, signal: controller.signal, patience: createPatience(60_000) };
  await assert.rejects(
    pause({ method: "GET", path: "/contacts", attempt, error }, options),
    (reason) => reason === error,
  );
  assert.deepEqual(retries, [{ method: "GET", path: "/contacts", attempt, error, delayMs: retries[0]!.delayMs }]);
  return retries[0]!;
}

suite("the client's waiting", (test) => {
  test("doubles from 100 ms to 5 s, each pause spread from its half on", async () => {
    for (const [index, longest] of [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].entries()) {
      const { delayMs } = await told(index + 1);
      assert.ok(delayMs >= longest / 2 && delayMs <= longest, `${delayMs} of ${longest}`);
    }
  });

  test("adds the pause to what the server asks for", async () => {
    const { delayMs } = await told(1, 7);
    assert.ok(delayMs >= 7_050 && delayMs <= 7_100, `${delayMs}`);
  });

  test("is refused with the error of the retry if less than 500 ms would be left for another try", async () => {
    const error = new TrackerError("rate_limited", { retryAfterSeconds: 10 });
    const options = { onRetry: () => assert.fail("told"), signal: undefined };
    for (const [maxWaitMs, patience] of [9_000, 10_500].map((ms) => [ms, createPatience(ms)] as const)) {
      const refused = pause({ method: "GET", path: "/contacts", attempt: 1, error }, { ...options, patience });
      await assert.rejects(refused, (reason) => reason === error, `${maxWaitMs}`);
    }
  });

  test("begins its time when it is first asked for, and again when it is renewed", async () => {
    const { leftMs, renew } = createPatience(1_000_000);
    const first = leftMs();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(first > 999_000 && leftMs() < first - 10);
    renew();
    assert.ok(leftMs() > first - 10);
  });

  test("reads a Retry-After in seconds, a date until it comes, and no other text", () => {
    const read = (text: string): number | undefined => retryAfterSecondsOf(new Headers({ "retry-after": text }));
    const over = "Wed, 21 Oct 2015 07:28:00 GMT";
    assert.deepEqual(["2", "86400", "9".repeat(400)].map(read), [2, 86_400, Number.MAX_SAFE_INTEGER]);
    for (const text of ["0", "-5", "soon", "1e300", over, ""]) assert.equal(read(text), undefined, text);
    assert.equal(retryAfterSecondsOf(new Headers()), undefined);
    const inAnHour = read(new Date(Date.now() + 3_600_000).toUTCString())!;
    assert.ok(inAnHour > 3_000 && inAnHour <= 3_600, `${inAnHour}`);
  });
});
