import { createLine, type Line } from "../../../lib/decisions/order.ts";
import { isDuplicate, mayBeOneItems, type SessionSlot } from "../connection/index.ts";
import type { Statement } from "../sql/index.ts";
import { endOfTries, held, type Findings, type OwnRunner, type Work } from "../transactions/index.ts";
import type { Entry } from "./entry.ts";
import { namesOf, type Queue } from "./queue.ts";
import type { Writes } from "./writes.ts";

export interface PreparedWrite<Result> {
  /** Reads rows that open transactions have written; `null` for nothing. */
  look: Statement | null;
  /** Writes the items in one transaction, and answers `held` for those that other transactions keep from being written. */
  once(work: Work): Promise<(Result | typeof held)[]>;
}

/** Writes batches, each in one transaction. */
export interface Flusher<Item, Result> {
  flush(batch: readonly Entry<Item, Result>[], slot: SessionSlot | null): Promise<void>;
  /** Counts of what was committed. */
  written: { batches: number; items: number };
}

/** `follow` is given what goes on beside the batches. */
export function createFlusher<Item, Result>(
  runner: OwnRunner,
  prepare: (items: readonly Item[]) => Promise<PreparedWrite<Result>>,
  queue: Queue<Entry<Item, Result>>,
  { settle, pause }: Writes<Item, Result>,
  follow: (flushed: Promise<void>) => void,
): Flusher<Item, Result> {
  const written = { batches: 0, items: 0 };

  async function flush(
    batch: readonly Entry<Item, Result>[],
    slot: SessionSlot | null,
    stalled: Line<Entry<Item, Result>> = createLine(namesOf),
  ): Promise<void> {
    queue.putBack(batch.filter(stalled.isBehind));
    const entries = batch.filter((entry) => !stalled.isBehind(entry));
    if (entries.length === 0) return;
    try {
      const { once, look } = await prepare(entries.map(({ item }) => item));
      const answers = await runner.attempt(combine(entries), once, { look, slot });
      written.batches++;
      written.items += answers.filter((answer) => answer !== held).length;
      settle(entries, answers, stalled);
    } catch (error) {
      await recover(entries, error, slot, stalled);
    }
  }

  /** Halves a batch of which one item may keep the others from being written, until that item stands alone. */
  async function recover(
    entries: readonly Entry<Item, Result>[],
    error: unknown,
    slot: SessionSlot | null,
    stalled: Line<Entry<Item, Result>>,
  ): Promise<void> {
    const isDivisible = mayBeOneItems(error) && (!isDuplicate(error) || combine(entries).duplicateMet);
    if (isDivisible && entries.length > 1) {
      runner.retried(error);
      const middle = entries.length >> 1;
      await flush(entries.slice(0, middle), slot, stalled);
      await flush(entries.slice(middle), slot, stalled);
    } else if (isDivisible) {
      // An entry that stands alone is tried again beside the others, not before them.
      pause(entries, error, stalled, (entry) => follow(flush([entry], null)));
    } else {
      pause(entries, error, stalled);
      if (!isDuplicate(error)) beginTimeOf(queue.waiting());
    }
  }

  return { flush, written };
}

/** Of a database that does not answer one batch, the others do not wait for tries of their own one after another. */
function beginTimeOf(entries: readonly Entry<unknown, never>[]): void {
  for (const { retries } of entries) retries.until = Math.min(retries.until, endOfTries());
}

function combine(entries: readonly { retries: Findings }[]): Findings {
  return {
    duplicateMet: entries.some(({ retries }) => retries.duplicateMet),
    uncertain: entries.some(({ retries }) => retries.uncertain),
    intent: null,
  };
}
