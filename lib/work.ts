/** Moves committed changes into the logs of all workspaces, and removes old ones. */
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "./input/shapes.ts";
import { workOptionsStruct } from "./input/structs.ts";
import { isTrackerError } from "./model/errors.ts";
import { failedPassPauseMs, passPauseMs, removalPauseMs } from "./model/limits.ts";
import type { Storage } from "./storage/port.ts";

/** The work that `tracker.work()` has begun. */
export interface Work {
  /** Resolves when the step that runs has ended. No other begins. */
  stop(): Promise<void>;
}

/** The storage to work on, the signal that ends the work, and the receiver of unexpected errors. */
export interface WorkContext {
  storage: Storage;
  closed: AbortSignal;
  report(error: unknown): void;
}

/** Begins the work. With `{ until: "caught-up" }` resolves when nothing waits. */
export function runWork(context: WorkContext, input: unknown): Work | Promise<{ logged: number }> {
  return input === undefined ? startWork(context) : catchUp(context.storage, input);
}

async function catchUp(storage: Storage, input: unknown): Promise<{ logged: number }> {
  parse(input, workOptionsStruct);
  const logged = await logWaiting(storage, new AbortController().signal);
  await repeat(new AbortController().signal, () => removeSome(storage));
  return { logged };
}

function startWork({ storage, closed, report }: WorkContext): Work {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, closed]);
  const ended = workUntil(signal, storage, (error) => {
    // A storage that is not available now is no mistake of anybody, and its own users report it.
    if (!isTrackerError(error) || error.code !== "storage_unavailable") report(error);
  });
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

async function workUntil(signal: AbortSignal, storage: Storage, report: (error: unknown) => void): Promise<void> {
  let removesAt = -Infinity;
  while (!signal.aborted) {
    try {
      await logWaiting(storage, signal);
      // One step between two passes, because removing everything could take hours.
      if (performance.now() >= removesAt && !(await removeSome(storage))) {
        removesAt = performance.now() + removalPauseMs;
      }
      await rest(passPauseMs, signal);
    } catch (error) {
      if (!signal.aborted) report(error);
      await rest(failedPassPauseMs, signal);
    }
  }
}

/** Runs passes until no change waits. Resolves with the number of changes that were logged. */
async function logWaiting(storage: Storage, signal: AbortSignal): Promise<number> {
  let sum = 0;
  await repeat(signal, async () => {
    const { logged, more } = await storage.logChanges();
    sum += logged;
    return more;
  });
  return sum;
}

/** Removes some changes that are too old. Resolves with whether it left some. */
async function removeSome(storage: Storage): Promise<boolean> {
  return storage.removeOldChanges(await storage.readClock());
}

/** Repeats the step while it resolves with `true`. Rests as long as each took, which leaves half of the database's time to others. */
async function repeat(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const begun = performance.now();
    if (!(await step()) || signal.aborted) return;
    await rest(performance.now() - begun, signal);
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
