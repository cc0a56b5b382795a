import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { orAborted, withOwnSignal } from "../../../lib/model/signals.ts";
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

suite("a call that a signal can end", (test) => {
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
