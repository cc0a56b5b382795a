import assert from "node:assert/strict";
import { createTurns, nextTurn } from "../../../lib/bulk/turns.ts";
import { suite } from "../../support/suite.ts";

suite("turns of the event loop", (test) => {
  test("end after each 256 kB of work", () => {
    const turns = createTurns();
    const pauses = [100_000, 162_143, 1, 262_143, 900_000, 0].map(turns);
    assert.deepEqual(
      pauses.map((pause) => pause !== undefined),
      [false, false, true, false, true, false],
    );
  });

  test("let other work run", async () => {
    let ran = false;
    setImmediate(() => (ran = true));
    await nextTurn();
    assert.ok(ran);
  });
});
