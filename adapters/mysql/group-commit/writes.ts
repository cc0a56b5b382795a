import type { Line } from "../../../lib/decisions/order.ts";
import type { Faulted } from "../../../lib/storage/rows.ts";
import { errors } from "../connection/index.ts";
import { connectionWaitMs } from "../limits.ts";
import type { BatchStats } from "../stats.ts";
import { endOfTries, rowLocked, nextPauseMs, prepareRetry, type Findings } from "../transactions/index.ts";
import { newEntry, type BatchedWrite, type Entry } from "./entry.ts";
import { createQueue } from "./queue.ts";

/** The state of the writes of one kind: their queue, their pauses between two tries, and their counts. */
export interface Writes<Item, Result> {
  submit(item: Item, waits: boolean, answer: (result: Result | Faulted) => void): void;
  /** Takes a batch, and refuses its entries whose time is over. `null` if no entry can be taken. */
  takeBatch(): Entry<Item, Result>[] | null;
  /** Returns taken entries to their positions in the queue. */
  putBack(entries: readonly Entry<Item, Result>[]): void;
  /** Answers the entries of a commit. Returns the entries whose answer is `rowLocked`. */
  settle(
    entries: readonly Entry<Item, Result>[],
    answers: readonly (Result | typeof rowLocked)[],
  ): Entry<Item, Result>[];
  /**
   * Calls `again` with each entry after a pause, or refuses the entry if a retry would not help. Adds the retried entries to
   * `stalled`.
   */
  pause(
    entries: readonly Entry<Item, Result>[],
    error: unknown,
    stalled: Line<Entry<Item, Result>>,
    again?: (entry: Entry<Item, Result>) => void,
  ): void;
  /**
   * Starts the time limit of all waiting entries after a try without an answer. Otherwise each batch would wait in its turn. If
   * the pool had no connection, refuses each entry `connectionWaitMs` after the queue took it in.
   */
  limitWaits(error: unknown): void;
  stats(): BatchStats;
  /** Refuses the entries that pause or wait for room, and all later ones. */
  close(): void;
  isClosed(): boolean;
}

/** Whether an earlier try may have written the refused entry, whose contact others have deleted or renamed since. */
function isUncertain({ retries }: { retries: Findings }, result: unknown): boolean {
  return retries.uncertain && (result === null || "refused" in (result as object));
}

/** Calls `wake` when entries can be taken. */
export function createWrites<Item, Result>(
  batched: BatchedWrite<Item, Result>,
  wake: () => void,
  retried: (error: unknown) => void,
): Writes<Item, Result> {
  const queue = createQueue<Entry<Item, Result>>((entry) => {
    entry.since = performance.now();
    wake();
  });
  const pausing = new Set<Entry<Item, Result>>();
  const written = { batches: 0, items: 0 };
  let closed = false;

  function answer(entry: Entry<Item, Result>, result: Result | Faulted): void {
    queue.leave(entry);
    entry.answer(result);
  }

  function tryAgain(entry: Entry<Item, Result>): void {
    queue.putBack([entry]);
    wake();
  }

  /** Returns whether the entry may be tried again. Refuses it otherwise. */
  function mayTryAgain(entry: Entry<Item, Result>, error: unknown): boolean {
    try {
      prepareRetry(entry.retries, error);
      if (closed) throw errors.unavailableBecause("closed");
    } catch (fault) {
      answer(entry, { fault });
      return false;
    }
    entry.obstacle = error;
    return true;
  }

  function isInTime(entry: Entry<Item, Result>): boolean {
    const { retries, obstacle } = entry;
    if (retries.until === Infinity) retries.until = endOfTries();
    if (performance.now() < retries.until) return true;
    answer(entry, { fault: obstacle ? errors.translate(obstacle) : errors.unavailableBecause("expired") });
    return false;
  }

  return {
    submit(item, waits, settle) {
      const entry = newEntry(batched, item, waits, settle);
      if (!queue.enter(entry)) settle({ fault: errors.unavailableBecause("queue_full") });
    },
    takeBatch() {
      const batch = queue.takeBatch();
      return batch.length === 0 ? null : batch.filter(isInTime);
    },
    putBack: queue.putBack,
    settle(entries, answers) {
      const kept = entries.filter((entry, index) => {
        // There is one answer for each entry.
        const result = answers[index]!;
        if (result !== rowLocked)
          answer(entry, isUncertain(entry, result) ? { fault: errors.unavailableBecause("unknown_outcome") } : result);
        return result === rowLocked;
      });
      written.batches++;
      written.items += entries.length - kept.length;
      return kept;
    },
    pause(entries, error, stalled, again = tryAgain) {
      const behind: Entry<Item, Result>[] = [];
      let isRetried = false;
      for (const entry of entries) {
        if (!mayTryAgain(entry, error)) continue;
        isRetried = true;
        // Only the first of the entries that wait for each other pauses. The others go back to the queue and keep their order.
        if (stalled.isBehind(entry)) behind.push(entry);
        else {
          pausing.add(entry);
          setTimeout(() => pausing.delete(entry) && again(entry), nextPauseMs(entry.retries));
        }
        stalled.join(entry);
      }
      queue.putBack(behind);
      if (isRetried) retried(error);
    },
    limitWaits(error) {
      for (const entry of queue.waiting()) {
        entry.retries.until = Math.min(entry.retries.until, endOfTries());
        if (entry.isLimited || !errors.isNoConnection(error)) continue;
        entry.isLimited = true;
        const ms = entry.since + connectionWaitMs - performance.now();
        setTimeout(entry.answer, ms, { fault: errors.translate(error) }).unref();
      }
    },
    stats() {
      const { items, bytes } = queue.size();
      return { ...written, queuedItems: items, queuedBytes: bytes };
    },
    close() {
      closed = true;
      const fault = errors.unavailableBecause("closed");
      for (const entry of pausing) answer(entry, { fault });
      pausing.clear();
      for (const entry of queue.close()) entry.answer({ fault });
    },
    isClosed: () => closed,
  };
}
