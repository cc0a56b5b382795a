import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Waits until it is so. A machine that does other things takes longer. */
export async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, "it did not come to be so");
    await pause(50);
  }
}
