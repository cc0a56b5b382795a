import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionSlot } from "../connection/index.ts";
import { batchesAtOnceMax, batchItemsMax } from "../limits.ts";
import type { BatchStats } from "../stats.ts";
import type { OwnRunner } from "../transactions/index.ts";
import type { Call, ItemReader } from "./call.ts";
import { createCalls } from "./calls.ts";
import { createFlusher, type PreparedWrite } from "./flush.ts";
import { createQueue } from "./queue.ts";

/** How items of one kind are written together. */
export interface BatchedWrite<Item, Result> extends ItemReader<Item> {
  /** Reads what the transaction needs to know: inside it, a read on another connection could wait for ever. */
  prepare(items: readonly Item[]): Promise<PreparedWrite<Result>>;
}

export interface Batches<Item, Result> {
  /** Resolves in input order, after COMMIT. Rejects with `storage_unavailable` while too much is under way. */
  write(items: readonly Item[]): Promise<Result[]>;
  stats(): BatchStats;
  /** Writes what nobody holds, and refuses the rest. */
  close(): Promise<void>;
}

/**
 * Group commit: what is asked for while a transaction is under way is written by the next one, with one round trip a
 * statement and one flush to disk for all. Nothing waits for a timer, so a call by itself begins at once.
 */
export function createBatches<Item, Result>(
  runner: OwnRunner,
  batched: BatchedWrite<Item, Result>,
): Batches<Item, Result> {
  const queue = createQueue<Call<Item, Result>>();
  const calls = createCalls<Item, Result>(batched, queue, enqueue, runner.retried);
  const { flush, written } = createFlusher(runner, batched.prepare, calls, enqueue);
  const idle: SessionSlot[] = Array.from({ length: batchesAtOnceMax }, () => ({ session: null }));
  const draining = new Set<Promise<void>>();

  function enqueue(call: Call<Item, Result>): void {
    queue.put(call);
    const slot = idle.pop();
    if (!slot) return;
    const drained = drain(slot).finally(() => draining.delete(drained));
    draining.add(drained);
  }

  async function drain(slot: SessionSlot): Promise<void> {
    for (;;) {
      // Calls of the same turn of the event loop join the batch.
      await nextTurn();
      const batch = queue.takeBatch();
      if (batch.length === 0) return void idle.push(slot);
      const inTime = calls.refuseLate(batch);
      if (inTime.length > 0) await flush(inTime, slot);
      queue.finish(batch);
    }
  }

  return {
    write: (items) => writeInParts(items, batched.copy, calls.submit),
    stats() {
      const { items, bytes } = queue.entered();
      return { ...written, queuedItems: items, queuedBytes: bytes };
    },
    async close() {
      calls.close();
      await Promise.all(draining);
    },
  };
}

/** One part after another, because a call's items are decided in order. */
async function writeInParts<Item, Result>(
  items: readonly Item[],
  copy: (item: Item) => Item,
  submit: (items: readonly Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  if (items.length <= batchItemsMax) return submit(items);
  const copies = items.map(copy);
  const results: Result[] = [];
  for (let start = 0; start < copies.length; start += batchItemsMax) {
    results.push(...(await submit(copies.slice(start, start + batchItemsMax))));
  }
  return results;
}
