/** Moves committed changes into the logs of all workspaces, removes old changes, and watches audiences: once in a process. */
import { parse } from "../input/shapes.ts";
import { workOptionsStruct } from "../input/structs.ts";
import { isTrackerError } from "../model/errors.ts";
import { sweepLookMs, sweepSecondsDefault, timerMaxMs } from "../model/limits.ts";
import type { WorkOptions } from "../model/work-types.ts";
import type { Scope } from "../scope.ts";
import type { Storage } from "../storage/port.ts";
import { repeat, sweepOnce, sweepUntil } from "../watches/sweeps.ts";
import { createBell, type Bell } from "./bell.ts";
import { keepLooking, removeSome, type Looker } from "./looks.ts";

/** The work that `tracker.work()` has begun. */
export interface Work {
  /** Lets no further step begin, and resolves when the running step has ended. */
  stop(): Promise<void>;
}

/** The storage to work on, its clock, the signal that ends the work, and the receiver of unexpected errors. */
export type WorkContext = Pick<Scope, "storage" | "now" | "closed" | "report" | "running">;

/** Begins the work. With `{ until: "caught-up" }` resolves when nothing waits. */
export function runWork(context: WorkContext, input: unknown = {}): Work | Promise<{ logged: number }> {
  const isOnce = typeof input === "object" && input !== null && "until" in input && input.until !== undefined;
  if (!isOnce) return { stop: joinWork(context, parse(input, workOptionsStruct)) };
  // The async function turns a throw into a rejection.
  return (async () => catchUp(context, parse(input, workOptionsStruct).sweepSeconds ?? 0))();
}

/** Works until nothing waits. Sweeps each workspace that had no step of a sweep for so many seconds. */
export async function catchUp(
  { storage, now, closed }: WorkContext,
  sweepSeconds: number,
): Promise<{ logged: number }> {
  const signal = closed ?? new AbortController().signal;
  const alive = setInterval(() => {}, timerMaxMs);
  try {
    await sweepOnce({ storage, now, signal }, sweepSeconds * 1_000);
    const logged = await logWaiting(storage, signal);
    await repeat(signal, () => removeSome(storage));
    return { logged };
  } finally {
    clearInterval(alive);
  }
}

/** A caller who needs the sweeps of a storage. The sweeps use `now` and `report` of the sweeper that began them. */
interface Sweeper extends Looker, Pick<WorkContext, "storage" | "now"> {
  sweepSeconds: number | undefined;
}

/** The sweeps of one storage. They end with the last sweeper. */
interface Sweeps {
  sweepers: Set<Sweeper>;
  /** Rings to begin watches at once. */
  bell: Bell;
  stopping: AbortController;
  ended: Promise<void>;
}

const sweepsByStorage = new WeakMap<Storage, Sweeps>();

/**
 * Begins the work of the storage, unless this process does it already. The returned function leaves the work, as the close of the
 * tracker does. When the last caller leaves, the work ends, and the function resolves after the running step.
 */
export function joinWork(
  { storage, now, closed, report, running }: WorkContext,
  { sweepSeconds, keepsAlive = true }: WorkOptions & { keepsAlive?: boolean } = {},
): () => Promise<void> {
  if (closed?.aborted) return async () => {};
  const sweeper: Sweeper = {
    storage,
    now,
    sweepSeconds,
    report(error) {
      // Not reported if the storage is unavailable: callers of its methods get the same error.
      if (!isTrackerError(error) || error.code !== "storage_unavailable") report?.(error);
    },
    foundUnready: () => sweepsByStorage.get(storage)?.bell.ring(),
  };
  const leaving = [keepLooking(storage, sweeper), keepSweeping(sweeper)];
  const alive = setInterval(() => {}, timerMaxMs);
  if (!keepsAlive) alive.unref();
  const joined = {
    async stop() {
      // Keeps the process alive until the last step has ended. The timers of a step do not.
      alive.ref();
      await Promise.all(leaving.map((leave) => leave()));
      clearInterval(alive);
      running?.delete(joined);
    },
  };
  running?.add(joined);
  return joined.stop;
}

function keepSweeping(sweeper: Sweeper): () => Promise<void> {
  const sweeps = sweepsByStorage.get(sweeper.storage) ?? beginSweeps(sweeper);
  const { sweepers, bell, stopping, ended } = sweeps;
  sweepers.add(sweeper);
  return async () => {
    if (sweepers.delete(sweeper) && sweepers.size === 0) {
      sweepsByStorage.delete(sweeper.storage);
      stopping.abort();
      bell.ring();
    }
    if (stopping.signal.aborted) await ended;
  };
}

function beginSweeps({ storage, now, report }: Sweeper): Sweeps {
  const sweepers = new Set<Sweeper>();
  const bell = createBell({ keepsAlive: false });
  const stopping = new AbortController();
  const sweepMs = (): number => {
    const given = Array.from(sweepers).flatMap(({ sweepSeconds }) => sweepSeconds ?? []);
    return 1_000 * (given.length > 0 ? Math.min(...given) : sweepSecondsDefault);
  };
  const sweeping = { storage, now, signal: stopping.signal };
  const ended = sweepUntil(sweeping, sweepMs, report, () => bell.rung(sweepLookMs));
  const sweeps = { sweepers, bell, stopping, ended };
  sweepsByStorage.set(storage, sweeps);
  return sweeps;
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
