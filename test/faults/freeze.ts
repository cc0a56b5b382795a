import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "./under-load.ts";

/** Stops the database for 3 s, which a request outlasts, then for 12 s, which none does. Nothing is acknowledged meanwhile. */
export async function freezeDatabase({ database, load }: Stage): Promise<void> {
  const pid = database.pid!;
  for (const frozenMs of [3_000, 12_000]) {
    process.kill(pid, "SIGSTOP");
    try {
      // What it had answered before arrives.
      await sleep(500);
      const { acknowledged } = await load.counts();
      await sleep(frozenMs - 500);
      assert.deepEqual((await load.counts()).acknowledged, acknowledged);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await load.flow();
  }
}
