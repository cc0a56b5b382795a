/** Lets readers of changes wait for the next change. Readers of the same storage share looks and reads. */
import { createSharedCalls, type ShareCall } from "../bulk/shared-calls.ts";
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

const sharedReads = new WeakMap<Storage, ShareCall>();

/** Reads, or joins the unfinished read of the same name. At most `changeReadsAtOnceMax` run at once. */
export function shareRead<Result>(storage: Storage, name: string, read: () => Promise<Result>): Promise<Result> {
  const share = sharedReads.get(storage) ?? createSharedCalls(changeReadsAtOnceMax);
  sharedReads.set(storage, share);
  return share(name, read);
}
