/** Watches the audiences that subscriptions name: the first pass over all contacts, and then sweeps. */
import { setTimeout as sleep } from "node:timers/promises";
import { sweepPauseMinMs, sweepRestTimes } from "../model/limits.ts";
import type { Storage } from "../storage/port.ts";

/** The storage to sweep, and the clock of the tracker. */
export interface Sweeping {
  storage: Storage;
  now(): number;
  signal: AbortSignal;
}

/** By workspace: how long the last sweep of this process took, in milliseconds. */
type SweepTimes = Map<string, number>;

/** Runs all first passes, and the sweeps that are due. With 0 as `sweepMs` all sweeps are due. */
export async function sweepOnce(sweeping: Sweeping, sweepMs: number): Promise<void> {
  await beginAndSweep(sweeping, sweepMs, 1, new Map());
}

/** Runs first passes and sweeps until the signal is aborted, with `pause` in between. Calls `report` with each error, and goes on. */
export async function sweepUntil(
  sweeping: Sweeping,
  sweepMs: () => number,
  report: (error: unknown) => void,
  pause: () => Promise<void>,
): Promise<void> {
  const { signal } = sweeping;
  const tookMs: SweepTimes = new Map();
  while (!signal.aborted) {
    try {
      await beginAndSweep(sweeping, sweepMs(), sweepRestTimes, tookMs);
    } catch (error) {
      if (!signal.aborted) report(error);
    }
    if (!signal.aborted) await pause();
  }
}

/** Sweeps also if a first pass fails. */
async function beginAndSweep(...[sweeping, ...due]: Parameters<typeof sweepDue>): Promise<void> {
  const { storage, now, signal } = sweeping;
  try {
    // A first pass uses half of the time: it is rare, and its audience waits for it.
    await repeat(signal, () => storage.beginWatches(now()));
  } finally {
    if (!signal.aborted) await sweepDue(sweeping, ...due);
  }
}

/** Runs the sweeps that are due. A sweep that takes longer than the interval is due again soon after its end. */
async function sweepDue(sweeping: Sweeping, sweepMs: number, restTimes: number, tookMs: SweepTimes): Promise<void> {
  const { storage, signal } = sweeping;
  const leastMs = Math.min(sweepMs, sweepPauseMinMs);
  for (const { workspace, sweptAt, position } of await storage.listSweeps()) {
    // A sweep that was cut off goes on as soon as no other process can be running it.
    const pauseMs = position === null ? Math.max(leastMs, sweepMs - (tookMs.get(workspace) ?? 0)) : leastMs;
    if (signal.aborted || sweptAt + pauseMs > (await storage.readClock())) continue;
    const begun = performance.now();
    if (!(await storage.claimSweep(workspace, pauseMs))) continue;
    await sweep(sweeping, workspace, restTimes);
    tookMs.set(workspace, performance.now() - begun);
  }
}

/** Rests also after the last step, because the sweep of another workspace may follow. */
async function sweep({ storage, now, signal }: Sweeping, workspace: string, restTimes: number): Promise<void> {
  let more: boolean;
  do {
    const begun = performance.now();
    more = await storage.sweep(workspace, now());
    await rest(restTimes * (performance.now() - begun), signal);
  } while (more && !signal.aborted);
}

/** Repeats the step while it resolves with `true`. Rests as long as each step took: others get half of the database's time. */
export async function repeat(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const begun = performance.now();
    if (!(await step()) || signal.aborted) return;
    await rest(performance.now() - begun, signal);
  }
}

/** Resolves after the time, or when the signal is aborted. By default the timer does not keep the process alive. */
export async function rest(ms: number, signal: AbortSignal, keepsAlive = false): Promise<void> {
  await sleep(ms, undefined, { signal, ref: keepsAlive }).catch(() => {});
}
