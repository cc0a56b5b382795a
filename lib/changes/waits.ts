/** Lets readers of changes wait for the next change. Readers of the same storage share looks and reads. */
import { lookFor } from "../work/looks.ts";
import { changeReadsAtOnceMax } from "../model/limits.ts";
import type { ChangeReader, NextChange } from "../storage/changes.ts";
import type { Storage } from "../storage/port.ts";

/**
 * Resolves when the reader has a change to read or is refused, after `ms`, or when the signal is aborted. The reader goes on at
 * `position`. `found` is also `true` if the storage fails: the caller's own read then fails in the same way.
 */
export function waitForChange(
  storage: Storage,
  reader: ChangeReader,
  ms: number,
  signal: AbortSignal,
): Promise<NextChange> {
  if (signal.aborted) return Promise.resolve({ found: false, position: reader.after });
  return new Promise((resolve) => {
    const waiter = { reader: { ...reader }, found: () => end(true) };
    const stopLooking = lookFor(storage, waiter);
    const timer = setTimeout(end, ms, false);
    const leave = (): void => end(false);
    signal.addEventListener("abort", leave);

    function end(found: boolean): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      stopLooking();
      resolve({ found, position: waiter.reader.after });
    }
  });
}

/** The reads of one storage, running and queued. */
interface Reads {
  byName: Map<string, Promise<unknown>>;
  running: number;
  /** Functions that each begin a read. */
  queue: (() => void)[];
}

const readsOf = new WeakMap<Storage, Reads>();

/** Reads, or joins the unfinished read of the same name. At most `changeReadsAtOnceMax` run at once. */
export async function shareRead<Result>(storage: Storage, name: string, read: () => Promise<Result>): Promise<Result> {
  const reads = readsOf.get(storage) ?? { byName: new Map(), running: 0, queue: [] };
  readsOf.set(storage, reads);
  const unfinished = reads.byName.get(name);
  // Reads of one name have one type of result.
  if (unfinished) return unfinished as Promise<Result>;
  const result = readInTurn(reads, read).finally(() => reads.byName.delete(name));
  reads.byName.set(name, result);
  return result;
}

async function readInTurn<Result>(reads: Reads, read: () => Promise<Result>): Promise<Result> {
  if (reads.running < changeReadsAtOnceMax) reads.running++;
  else await new Promise<void>((begin) => reads.queue.push(begin));
  try {
    return await read();
  } finally {
    const begin = reads.queue.shift();
    if (begin) begin();
    else reads.running--;
  }
}
