import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "./under-load.ts";

/** Kills the database in the middle of its work, twice, and starts it again. */
export async function killDatabase({ database, load }: Stage): Promise<void> {
  for (let time = 0; time < 2; time++) {
    await database.kill9();
    await sleep(1_000);
    await database.restart();
    await load.flow();
  }
}
