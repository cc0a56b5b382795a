import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { withOwnSignal } from "../../../lib/model/signals.ts";
import { suite } from "../../support/suite.ts";

suite("a signal that follows others", (test) => {
  test("is aborted with the first of them, and leaves no listener behind", async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const reason = new Error("enough");
    const given = [undefined, first.signal, null, second.signal];
    const call = withOwnSignal(given, async (own) => {
      assert.equal(own.aborted, false);
      second.abort(reason);
      return own.reason as unknown;
    });
    assert.equal(await call, reason);
    for (const { signal } of [first, second]) assert.deepEqual(getEventListeners(signal, "abort"), []);
  });

  test("is aborted from the begin if one of them is", async () => {
    assert.equal(await withOwnSignal([AbortSignal.abort()], async (own) => own.aborted), true);
  });
});
