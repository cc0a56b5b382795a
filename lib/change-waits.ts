/** Lets readers of changes wait for the next one. The readers of a storage share one poll of the end of its log. */
import { setTimeout as sleep } from "node:timers/promises";
import { changesPollMs } from "./model/limits.ts";
import type { Storage } from "./storage/port.ts";

interface Waiter {
  position: number;
  end(): void;
}

/** By storage. A storage without waiters is not polled. */
const waiters = new WeakMap<Storage, Set<Waiter>>();

/**
 * Resolves when the log of any workspace has ended after the position, after `ms`, or when the signal is aborted. Resolves also
 * if the storage fails: the caller's own read then fails in the same way.
 */
export function waitForChange(
  storage: Storage,
  position: number,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const waiting = waiters.get(storage) ?? startPoll(storage);
    const waiter = { position, end };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    waiting.add(waiter);

    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      waiting.delete(waiter);
      resolve();
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
    const end = await storage.readLogEnd().catch(() => Infinity);
    for (const waiter of waiting) if (waiter.position < end) waiter.end();
  }
  waiters.delete(storage);
}
