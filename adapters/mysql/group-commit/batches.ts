import { setImmediate as nextTurn } from "node:timers/promises";
import type { Faulted, WriteOptions } from "../../../lib/storage/port.ts";
import { unavailableBecause, type SessionSlot } from "../connection/index.ts";
import { batchesAtOnceMax } from "../limits.ts";
import type { BatchStats } from "../stats.ts";
import type { OwnRunner } from "../transactions/index.ts";
import type { Entry } from "./entry.ts";
import { createFlusher, type BatchedWrite } from "./flush.ts";
import { createQueue } from "./queue.ts";
import type { WaitingPlaces } from "./waiting-places.ts";
import { createWrites } from "./writes.ts";

export interface Batches<Item, Result> {
  /** Resolves in input order, with each item's result after its COMMIT. Rejects if it is closed. */
  write(items: readonly Item[], options?: WriteOptions): Promise<(Result | Faulted)[]>;
  stats(): BatchStats;
  /** Writes what nobody holds, and refuses the rest. */
  close(): Promise<void>;
}

/**
 * Group commit: calls that arrive while a transaction runs are written together by the next one, with one round trip a
 * statement and one flush to disk for all. Nothing waits for a timer, so a call by itself begins at once.
 */
export function createBatches<Item, Result>(
  runner: OwnRunner,
  batched: BatchedWrite<Item, Result>,
  places: WaitingPlaces,
): Batches<Item, Result> {
  const queue = createQueue<Entry<Item, Result>>();
  const writes = createWrites<Item, Result>(batched, queue, wake, runner.retried);
  const { flush, written } = createFlusher(runner, batched, queue, writes, places, (flushed) =>
    follow(flushed.then(wake)),
  );
  const idle: SessionSlot[] = Array.from({ length: batchesAtOnceMax }, () => ({ session: null }));
  const underWay = new Set<Promise<void>>();

  function follow(work: Promise<void>): void {
    const followed = work.finally(() => underWay.delete(followed));
    underWay.add(followed);
  }

  function wake(): void {
    const slot = idle.pop();
    if (slot) follow(drain(slot));
  }

  async function drain(slot: SessionSlot): Promise<void> {
    for (;;) {
      // Calls of the same turn of the event loop join the batch.
      await nextTurn();
      const batch = queue.takeBatch();
      if (batch.length === 0) return void idle.push(slot);
      const inTime = writes.begin(batch);
      // It may wait for a connection, and the next batch need not.
      if (inTime[0]?.isAlone) follow(flush(inTime, null).then(wake));
      else if (inTime.length > 0) await flush(inTime, slot);
    }
  }

  return {
    write(items, { whenFull } = {}) {
      if (writes.isClosed()) return Promise.reject(unavailableBecause("closed"));
      return answersOf(items, (item, answer) => writes.submit(item, whenFull === "wait", answer));
    },
    stats() {
      const { items, bytes } = writes.entered();
      return { ...written, queuedItems: items, queuedBytes: bytes };
    },
    async close() {
      writes.close();
      wake();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Resolves, in input order, when every item is answered. */
function answersOf<Item, Answer>(
  items: readonly Item[],
  submit: (item: Item, answer: (answer: Answer) => void) => void,
): Promise<Answer[]> {
  return new Promise((resolve) => {
    const answers: Answer[] = [];
    let open = items.length;
    if (open === 0) resolve(answers);
    for (const [index, item] of items.entries()) {
      submit(item, (answer) => {
        answers[index] = answer;
        if (--open === 0) resolve(answers);
      });
    }
  });
}
