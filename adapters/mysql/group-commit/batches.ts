import { setImmediate as nextTurn } from "node:timers/promises";
import type { Faulted, WriteOptions } from "../../../lib/storage/rows.ts";
import { errors, type Lane, type Permits } from "../connection/index.ts";
import { batchItemsMax, batchesAtOnceMax } from "../limits.ts";
import { inParts } from "../parts.ts";
import type { BatchStats } from "../stats.ts";
import { rowLocked, writeOne, type OwnRunner, type Runner } from "../transactions/index.ts";
import type { BatchedWrite } from "./entry.ts";
import { createFlusher } from "./flush.ts";
import { createWrites } from "./writes.ts";

export interface Batches<Item, Result> {
  /** Resolves with the result of each item after its COMMIT, in input order. Rejects after `close`. */
  write(items: readonly Item[], options?: WriteOptions): Promise<(Result | Faulted)[]>;
  stats(): BatchStats;
  /** Writes the entries that can be written at once, and refuses the others. */
  close(): Promise<void>;
}

/**
 * Group commit: calls that arrive while a transaction runs wait in a queue. The next transaction writes them all, with one
 * round trip a statement and one flush to disk. There is no timer, so a single call starts at once.
 */
export function createBatches<Item, Result>(
  runner: OwnRunner,
  batched: BatchedWrite<Item, Result>,
  permits: Permits,
): Batches<Item, Result> {
  const writes = createWrites<Item, Result>(batched, wake, runner.retried);
  const flush = createFlusher({ runner, batched, writes, permits, follow: followAndWake });
  const idle: Lane[] = Array.from({ length: batchesAtOnceMax }, () => ({ session: null }));
  const underWay = new Set<Promise<void>>();

  function follow(work: Promise<void>): void {
    const followed = work.finally(() => underWay.delete(followed));
    underWay.add(followed);
  }

  function followAndWake(work: Promise<void>): void {
    follow(work.then(wake));
  }

  function wake(): void {
    const lane = idle.pop();
    if (lane) follow(drain(lane));
  }

  async function drain(lane: Lane): Promise<void> {
    for (;;) {
      // Calls of the same turn of the event loop join the batch.
      await nextTurn();
      const batch = writes.takeBatch();
      if (!batch) return void idle.push(lane);
      // An entry that is alone may wait for a connection. The next batch starts without it.
      if (batch[0]?.isAlone) followAndWake(flush(batch, null));
      else if (batch.length > 0) await flush(batch, lane);
    }
  }

  return {
    write(items, { whenFull } = {}) {
      if (writes.isClosed()) return Promise.reject(errors.unavailableBecause("closed"));
      return answersOf(items, (item, answer) => writes.submit(item, whenFull === "wait", answer));
    },
    stats: writes.stats,
    async close() {
      writes.close();
      wake();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Writes copies of the items in a caller's transaction, in parts of the size of a batch. */
export function writeInside<Item, Result>(
  runner: Runner,
  { bytesOf, prepare }: BatchedWrite<Item, Result>,
  items: readonly Item[],
): Promise<Result[]> {
  return writeOne(runner, items, async (work, copies) => {
    const results: (Result | typeof rowLocked)[] = [];
    for (const part of inParts(copies, bytesOf, batchItemsMax)) {
      results.push(...(await (await prepare(part, work)).once(work)));
    }
    return results.includes(rowLocked) ? rowLocked : (results as Result[]);
  });
}

/** Resolves with all answers, in input order. */
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
