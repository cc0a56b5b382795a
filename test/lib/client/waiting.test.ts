import assert from "node:assert/strict";
import { orAborted, pause, retryAfterMsOf, type Retry } from "../../../lib/client/waiting.ts";
import { suite } from "../../support/suite.ts";

/** What `onRetry` is told of a pause, which is then aborted. */
async function told(attempt: number, atLeastMs?: number): Promise<Retry> {
  const controller = new AbortController();
  const error = new Error("lost");
  const retries: Retry[] = [];
  const onRetry = (retry: Retry): void => {
    retries.push(retry);
    controller.abort(error);
  };
  const options = { onRetry, signal: controller.signal, ...(atLeastMs !== undefined && { atLeastMs }) };
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
    const { delayMs } = await told(1, 7_000);
    assert.ok(delayMs >= 7_050 && delayMs <= 7_100, `${delayMs}`);
  });

  test("reads a Retry-After in seconds, and a date that is over or none as 0", () => {
    const read = (text: string): number => retryAfterMsOf(new Headers({ "retry-after": text }));
    assert.deepEqual(
      ["2", "0", "-5", "soon", "1e300", "Wed, 21 Oct 2015 07:28:00 GMT"].map(read),
      [2_000, 0, 0, 0, 0, 0],
    );
    assert.equal(retryAfterMsOf(new Headers()), 0);
    assert.equal(read("9999999999"), 2 ** 31 - 1 - 5_000);
  });

  test("ends with the signal's reason, also if the call goes on or was not begun", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const call = orAborted(controller.signal, () => new Promise(() => {}));
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
    const begin = (): never => assert.fail("begun");
    await assert.rejects(orAborted(controller.signal, begin), (error) => error === reason);
  });

  test("is that of the call where nothing aborts it", async () => {
    assert.equal(await orAborted(undefined, async () => 1), 1);
    assert.equal(await orAborted(new AbortController().signal, async () => 2), 2);
  });
});
