import assert from "node:assert/strict";
import { createBell } from "../../../lib/work/bell.ts";
import { suite } from "../../support/suite.ts";

suite("a bell", (test) => {
  test("it wakes the waiter, and a ring before the wait is kept once", async () => {
    const bell = createBell();
    bell.ring();
    bell.ring();
    await bell.rung(600_000);
    let isAwake = false;
    const waiting = bell.rung(600_000).then(() => (isAwake = true));
    await Promise.resolve();
    assert.equal(isAwake, false);
    bell.ring();
    await waiting;
  });

  test("the wait ends with the time", async () => {
    const bell = createBell();
    await bell.rung(1);
    await bell.rung(0);
  });
});
