/** Lets readers of changes wait for the next one. The readers of a storage share what they ask it, and their reads. */
import { setTimeout as sleep } from "node:timers/promises";
import { changeReadsAtOnceMax, changesPollMs } from "./model/limits.ts";
import type { ChangeReader, NextChange } from "./storage/change-rows.ts";
import type { Storage } from "./storage/port.ts";

interface Waiter {
  /** Its position moves on with each poll. */
  reader: ChangeReader;
  end(found: boolean): void;
}

/** By storage. A storage without waiters is not polled. */
const waiters = new WeakMap<Storage, Set<Waiter>>();

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
    const waiting = waiters.get(storage) ?? startPoll(storage);
    const waiter: Waiter = { reader: { ...reader }, end };
    const timer = setTimeout(end, ms, false);
    const leave = (): void => end(false);
    signal.addEventListener("abort", leave);
    waiting.add(waiter);

    function end(found: boolean): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      waiting.delete(waiter);
      resolve({ found, position: waiter.reader.after });
    }
  });
}

function startPoll(storage: Storage): Set<Waiter> {
  const waiting = new Set<Waiter>();
  waiters.set(storage, waiting);
  void poll(storage, waiting);
  return waiting;
}

async function poll(storage: Storage, waiting: Set<Waiter>): Promise<void> {
  for (;;) {
    await sleep(changesPollMs);
    if (waiting.size === 0) break;
    const groups = groupAlike(waiting);
    const answers = await storage.findNextChanges(groups.map(({ reader }) => reader)).catch(() => null);
    for (const [index, group] of groups.entries()) {
      const next = answers?.[index] ?? { found: true, position: group.reader.after };
      for (const waiter of group.waiters) {
        waiter.reader.after = next.position;
        if (next.found) waiter.end(true);
      }
    }
  }
  waiters.delete(storage);
}

/** The waiters by their readers, each of which is asked for once. */
function groupAlike(waiting: ReadonlySet<Waiter>): { reader: ChangeReader; waiters: Waiter[] }[] {
  const groups = new Map<string, { reader: ChangeReader; waiters: Waiter[] }>();
  for (const waiter of waiting) {
    const { workspace, key, after } = waiter.reader;
    const name = JSON.stringify([workspace, key, after]);
    const group = groups.get(name) ?? { reader: { workspace, key, after }, waiters: [] };
    group.waiters.push(waiter);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** The reads of the readers of a storage. */
interface Reads {
  byName: Map<string, Promise<unknown>>;
  running: number;
  /** Each begins a read. */
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
