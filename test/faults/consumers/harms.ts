import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "mysql2/promise";
import { within } from "../../support/within.ts";
import { countRows } from "./rows.ts";
import { patienceMs, type Processes } from "./processes.ts";
import { roles } from "./roles.ts";

/** How much is written and broken. */
export interface Extent {
  changes: number;
  killsOfEach: number;
  killsOfDatabase: number;
}

/** The database, or the nodes of one. */
export interface Servers {
  /** The processes use them in turn. */
  urls: readonly string[];
  /** Kills the database or a node. */
  kill(): Promise<void>;
  /** Resolves when all changes can be read through every URL. */
  settle(): Promise<void>;
}

/** Kills each process and the database, and stops consumers, in equal steps of the changes. */
export async function harm(
  servers: Servers,
  pool: Pool,
  processes: Processes,
  { changes, killsOfEach, killsOfDatabase }: Extent,
): Promise<Record<string, number>> {
  const counts = { kills: 0, "taken over": 0, "database kills": 0 };
  const steps = killsOfEach * roles.length;
  const stepsPerDatabase = Math.floor(steps / (killsOfDatabase + 1));
  for (let step = 0; step < steps; step++) {
    await waitForEvents(pool, ((step + 1) / (steps + 1)) * changes);
    const index = step % roles.length;
    if (index === 0) {
      await processes.stopUntilTakenOver(3 + ((step / roles.length) % 3), pool);
      counts["taken over"]++;
    }
    await processes.replace(index);
    counts.kills++;
    if ((step + 1) % stepsPerDatabase === 0 && counts["database kills"] < killsOfDatabase) {
      await servers.kill();
      counts["database kills"]++;
    }
  }
  await waitForEvents(pool, changes);
  return counts;
}

async function waitForEvents(pool: Pool, count: number): Promise<void> {
  await within(
    patienceMs,
    `${count} events`,
    (async () => {
      while ((await countRows(pool, "whodid_events")) < count) await sleep(100);
    })(),
  );
}
