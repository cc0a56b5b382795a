/** Watches the audiences that subscriptions name: the first pass over all contacts, and then sweeps. */
import { setTimeout as sleep } from "node:timers/promises";
import { sweepPauseMinMs, sweepRestTimes, watchPauseMs } from "./model/limits.ts";
import type { Storage } from "./storage/port.ts";

/** The storage to sweep, and the clock of the tracker. */
export interface Sweeping {
  storage: Storage;
  now(): number;
  signal: AbortSignal;
}

/** Runs all first passes, and one sweep of each workspace. */
export async function sweepOnce(sweeping: Sweeping): Promise<void> {
  await beginWatches(sweeping);
  for (const { workspace } of await sweeping.storage.listSweeps()) await sweep(sweeping, workspace, 1);
}

/** Runs first passes and sweeps until the signal is aborted. Calls `report` with each error, and goes on. */
export async function sweepUntil(sweeping: Sweeping, sweepMs: number, report: (error: unknown) => void): Promise<void> {
  const { storage, signal } = sweeping;
  // By workspace: how long the last sweep of this process took.
  const tookMs = new Map<string, number>();
  while (!signal.aborted) {
    try {
      await beginWatches(sweeping);
      for (const { workspace, sweptAt } of await storage.listSweeps()) {
        // A sweep that took longer than its interval is followed by the next. The sweep of another process has steps in between.
        const leastMs = Math.min(sweepMs, sweepPauseMinMs);
        const pauseMs = Math.max(leastMs, sweepMs - (tookMs.get(workspace) ?? 0));
        if (signal.aborted || sweptAt + pauseMs > (await storage.readClock())) continue;
        const begun = performance.now();
        if (!(await storage.claimSweep(workspace, pauseMs))) continue;
        await sweep(sweeping, workspace, sweepRestTimes);
        tookMs.set(workspace, performance.now() - begun);
      }
    } catch (error) {
      if (!signal.aborted) report(error);
    }
    await rest(watchPauseMs, signal);
  }
}

/** A first pass uses half of the time: it is rare, and its audience waits for it. */
function beginWatches({ storage, now, signal }: Sweeping): Promise<void> {
  return repeat(signal, () => storage.beginWatches(now()));
}

/** Rests also after the last step, because the sweep of another workspace may follow. */
async function sweep({ storage, now, signal }: Sweeping, workspace: string, restTimes: number): Promise<void> {
  let after: string | null = null;
  do {
    const begun = performance.now();
    after = await storage.sweep(workspace, after, now());
    await rest(restTimes * (performance.now() - begun), signal);
  } while (after !== null && !signal.aborted);
}

/** Repeats the step while it resolves with `true`. Rests as long as each took, which leaves half of the database's time to others. */
export async function repeat(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const begun = performance.now();
    if (!(await step()) || signal.aborted) return;
    await rest(performance.now() - begun, signal);
  }
}

/** Resolves after the time, or when the signal is aborted. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
