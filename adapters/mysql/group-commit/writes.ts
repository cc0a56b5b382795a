import type { Faulted } from "../../../lib/storage/port.ts";
import type { Line } from "../../../lib/decisions/order.ts";
import { translate, unavailableBecause } from "../connection/index.ts";
import { connectionWaitMs } from "../limits.ts";
import { endOfTries, held, prepareRetry } from "../transactions/index.ts";
import { newEntry, type Entry, type ItemReader } from "./entry.ts";
import { createPauses } from "./pauses.ts";
import type { Queue } from "./queue.ts";
import { createRoom } from "./room.ts";

/** Entries from when they are asked for until they are answered. */
export interface Writes<Item, Result> {
  submit(item: Item, waits: boolean, answer: (result: Result | Faulted) => void): void;
  /** Refuses the entries whose time is over. Begins the time of the others, and returns them. */
  begin(entries: readonly Entry<Item, Result>[]): Entry<Item, Result>[];
  /** Gives the entries their answers. Returns those that are `held`. */
  settle(entries: readonly Entry<Item, Result>[], answers: readonly (Result | typeof held)[]): Entry<Item, Result>[];
  /** Does `again` with each entry after a pause, or refuses it if another try would not help. Entries that pause join `stalled`. */
  pause(
    entries: readonly Entry<Item, Result>[],
    error: unknown,
    stalled: Line<Entry<Item, Result>>,
    again?: (entry: Entry<Item, Result>) => void,
  ): void;
  /** Answers those who wait behind a batch that got no connection after `connectionWaitMs`: they have waited for one too. */
  limitWaits(error: unknown): void;
  entered(): { items: number; bytes: number };
  /** Refuses what pauses, what waits for room, and all that comes. */
  close(): void;
  isClosed(): boolean;
}

/** `wake` is called when entries have been put into the queue. */
export function createWrites<Item, Result>(
  reader: ItemReader<Item>,
  queue: Queue<Entry<Item, Result>>,
  wake: () => void,
  retried: (error: unknown) => void,
): Writes<Item, Result> {
  const room = createRoom<Entry<Item, Result>>((entry) => {
    entry.since = performance.now();
    queue.put(entry);
    wake();
  });
  const pauses = createPauses<Item, Result>();
  let closed = false;

  function answer(entry: Entry<Item, Result>, result: Result | Faulted): void {
    queue.leave(entry);
    room.leave(entry);
    entry.answer(result);
  }

  function tryAgain(entry: Entry<Item, Result>): void {
    queue.putBack([entry]);
    wake();
  }

  /** Whether the entry is tried again, and not refused. */
  function mayTryAgain(entry: Entry<Item, Result>, error: unknown): boolean {
    try {
      prepareRetry(entry.retries, error);
      if (closed) throw unavailableBecause("closed");
    } catch (fault) {
      answer(entry, { fault });
      return false;
    }
    entry.obstacle = error;
    return true;
  }

  const pause: Writes<Item, Result>["pause"] = (entries, error, stalled, again = tryAgain) => {
    const behind: Entry<Item, Result>[] = [];
    let isRetried = false;
    for (const entry of entries) {
      if (!mayTryAgain(entry, error)) continue;
      isRetried = true;
      // Of entries that wait for each other only the first pauses. Put back, the others keep their order behind it.
      if (stalled.isBehind(entry)) behind.push(entry);
      else pauses.pause(entry, again);
      stalled.join(entry);
    }
    queue.putBack(behind);
    if (isRetried) retried(error);
  };

  return {
    submit(item, waits, settle) {
      const entry = newEntry(reader, item, waits, settle);
      if (!room.enter(entry)) settle({ fault: unavailableBecause("queue_full") });
    },
    begin: (entries) =>
      entries.filter((entry) => {
        const { retries, obstacle } = entry;
        if (retries.until === Infinity) retries.until = endOfTries();
        if (performance.now() < retries.until) return true;
        answer(entry, { fault: obstacle ? translate(obstacle) : unavailableBecause("expired") });
        return false;
      }),
    settle: (entries, answers) =>
      entries.filter((entry, index) => {
        // There is one answer for each entry.
        const result = answers[index]!;
        if (result !== held) answer(entry, result);
        return result === held;
      }),
    pause,
    limitWaits(error) {
      for (const entry of queue.waiting()) {
        if (entry.isLimited) continue;
        entry.isLimited = true;
        setTimeout(entry.answer, entry.since + connectionWaitMs - performance.now(), {
          fault: translate(error),
        }).unref();
      }
    },
    entered: room.entered,
    close() {
      closed = true;
      const fault = unavailableBecause("closed");
      for (const entry of pauses.close()) answer(entry, { fault });
      for (const entry of room.close()) entry.answer({ fault });
    },
    isClosed: () => closed,
  };
}
