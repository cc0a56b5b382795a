/** Moves committed changes into the logs of all workspaces, removes old ones, and watches audiences: once in a process. */
import { parse } from "./input/shapes.ts";
import { workOptionsStruct } from "./input/structs.ts";
import { isTrackerError } from "./model/errors.ts";
import { failedPassPauseMs, passPauseMs, removalPauseMs, sweepSecondsDefault, timerMaxMs } from "./model/limits.ts";
import type { Scope } from "./scope.ts";
import type { Storage } from "./storage/port.ts";
import { repeat, rest, sweepOnce, sweepUntil } from "./sweeping.ts";

/** The work that `tracker.work()` has begun. */
export interface Work {
  /** Resolves when the step that runs has ended. No other begins. */
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

/** Works until nothing waits. Sweeps each workspace of which no sweep had a step for so many seconds. */
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

/** A caller who needs the work of a storage. The work uses the clock and the receiver of errors of the first. */
interface Member extends Pick<WorkContext, "storage" | "now"> {
  sweepSeconds: number | undefined;
  report(error: unknown): void;
}

type Run = (members: ReadonlySet<Member>, first: Member, signal: AbortSignal) => Promise<void>;

const joinLogging = shareByStorage((_, { storage, report }, signal) => logUntil(signal, storage, report));
const joinSweeping = shareByStorage((members, { storage, now, report }, signal) => {
  const sweepMs = (): number => {
    const given = Array.from(members).flatMap(({ sweepSeconds }) => sweepSeconds ?? []);
    return 1_000 * (given.length > 0 ? Math.min(...given) : sweepSecondsDefault);
  };
  return sweepUntil({ storage, now, signal }, sweepMs, report);
});

/** Which part of the work a caller needs, and whether it keeps the process alive. */
interface Needs {
  sweepSeconds?: number | undefined;
  sweeps?: boolean;
  keepsAlive?: boolean;
}

/**
 * Begins the work of the storage, unless this process does it already. Returns a function that leaves it: the work ends with the
 * last caller, and the function resolves after its step. The close of the tracker leaves it too.
 */
export function joinWork(
  { storage, now, closed, report, running }: WorkContext,
  { sweepSeconds, sweeps = true, keepsAlive = true }: Needs = {},
): () => Promise<void> {
  if (closed?.aborted) return async () => {};
  const reportUnlessUnavailable = (error: unknown): void => {
    // A storage that is not available now is no mistake of anybody, and its own users report it.
    if (!isTrackerError(error) || error.code !== "storage_unavailable") report?.(error);
  };
  const member = { storage, now, sweepSeconds, report: reportUnlessUnavailable };
  const leaving = [joinLogging(member), ...(sweeps ? [joinSweeping(member)] : [])];
  const alive = setInterval(() => {}, timerMaxMs);
  if (!keepsAlive) alive.unref();
  const joined = {
    async stop() {
      clearInterval(alive);
      await Promise.all(leaving.map((leave) => leave()));
      running?.delete(joined);
    },
  };
  running?.add(joined);
  return joined.stop;
}

/** Returns a function that begins the run of a storage or joins it, and returns one that leaves it. */
function shareByStorage(run: Run): (member: Member) => () => Promise<void> {
  const runs = new WeakMap<Storage, { members: Set<Member>; stopping: AbortController; ended: Promise<void> }>();
  const begin = (member: Member) => {
    const members = new Set([member]);
    const stopping = new AbortController();
    const begun = { members, stopping, ended: run(members, member, stopping.signal) };
    runs.set(member.storage, begun);
    return begun;
  };
  return (member) => {
    const { members, stopping, ended } = runs.get(member.storage) ?? begin(member);
    members.add(member);
    return async () => {
      if (members.delete(member) && members.size === 0) {
        runs.delete(member.storage);
        stopping.abort();
      }
      if (stopping.signal.aborted) await ended;
    };
  };
}

async function logUntil(signal: AbortSignal, storage: Storage, report: (error: unknown) => void): Promise<void> {
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
