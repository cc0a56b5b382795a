/** Moves committed changes into the logs of all workspaces, removes old ones, and watches audiences. */
import { parse } from "./input/shapes.ts";
import { workOptionsStruct } from "./input/structs.ts";
import { isTrackerError } from "./model/errors.ts";
import { failedPassPauseMs, passPauseMs, removalPauseMs, sweepSecondsDefault } from "./model/limits.ts";
import type { WorkOptions } from "./model/work-types.ts";
import type { Storage } from "./storage/port.ts";
import { repeat, rest, sweepOnce, sweepUntil } from "./sweeping.ts";

/** The work that `tracker.work()` has begun. */
export interface Work {
  /** Resolves when the step that runs has ended. No other begins. */
  stop(): Promise<void>;
}

/** The storage to work on, its clock, the signal that ends the work, and the receiver of unexpected errors. */
export interface WorkContext {
  storage: Storage;
  /** The clock of the tracker. */
  now(): number;
  closed: AbortSignal;
  report(error: unknown): void;
}

/** Begins the work. With `{ until: "caught-up" }` resolves when nothing waits. */
export function runWork(context: WorkContext, input: unknown = {}): Work | Promise<{ logged: number }> {
  const isOnce = typeof input === "object" && input !== null && "until" in input && input.until !== undefined;
  if (isOnce) return catchUp(context, input);
  return startWork(context, parse(input, workOptionsStruct));
}

async function catchUp({ storage, now }: WorkContext, input: unknown): Promise<{ logged: number }> {
  parse(input, workOptionsStruct);
  const { signal } = new AbortController();
  await sweepOnce({ storage, now, signal });
  const logged = await logWaiting(storage, signal);
  await repeat(signal, () => removeSome(storage));
  return { logged };
}

function startWork(context: WorkContext, { sweepSeconds = sweepSecondsDefault }: WorkOptions): Work {
  const { storage, now, closed } = context;
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, closed]);
  const report = (error: unknown): void => {
    // A storage that is not available now is no mistake of anybody, and its own users report it.
    if (!isTrackerError(error) || error.code !== "storage_unavailable") context.report(error);
  };
  const ended = Promise.all([
    workUntil(signal, storage, report),
    sweepUntil({ storage, now, signal }, sweepSeconds * 1_000, report),
  ]);
  return {
    async stop() {
      stopping.abort();
      await ended;
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
