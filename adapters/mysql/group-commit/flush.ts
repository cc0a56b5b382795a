import { isDuplicate, mayBeOneItems, type SessionSlot } from "../connection/index.ts";
import type { Statement } from "../sql/index.ts";
import { held, type Findings, type OwnRunner, type Work } from "../transactions/index.ts";
import type { Call } from "./call.ts";
import type { Calls } from "./calls.ts";

export interface PreparedWrite<Result> {
  /** Reads rows that open transactions have written; `null` for nothing. */
  look: Statement | null;
  /** Writes the items in one transaction, and answers `held` for those that other transactions keep from being written. */
  once(work: Work): Promise<(Result | typeof held)[]>;
}

/** Writes batches of calls, each in one transaction. */
export interface Flusher<Item, Result> {
  flush(calls: readonly Call<Item, Result>[], slot: SessionSlot | null): Promise<void>;
  /** Counts of what was committed. */
  written: { batches: number; items: number };
}

export function createFlusher<Item, Result>(
  runner: OwnRunner,
  prepare: (items: readonly Item[]) => Promise<PreparedWrite<Result>>,
  { settle, pause }: Calls<Item, Result>,
  enqueue: (call: Call<Item, Result>) => void,
): Flusher<Item, Result> {
  const written = { batches: 0, items: 0 };

  async function flush(calls: readonly Call<Item, Result>[], slot: SessionSlot | null): Promise<void> {
    // `open` holds positions of items.
    const items = calls.flatMap((call) => call.open.map((position) => call.items[position]!));
    try {
      const { once, look } = await prepare(items);
      const answers = await runner.attempt(combine(calls), once, { look, slot });
      written.batches++;
      written.items += answers.filter((answer) => answer !== held).length;
      settle(calls, answers);
    } catch (error) {
      await recover(calls, error, slot);
    }
  }

  /** Halves a batch of which one item may keep the others from being written, until that item stands alone. */
  async function recover(
    calls: readonly Call<Item, Result>[],
    error: unknown,
    slot: SessionSlot | null,
  ): Promise<void> {
    const isDivisible = mayBeOneItems(error) && (!isDuplicate(error) || combine(calls).duplicateMet);
    if (isDivisible && calls.length > 1) {
      runner.retried(error);
      const middle = calls.length >> 1;
      await flush(calls.slice(0, middle), slot);
      await flush(calls.slice(middle), slot);
    } else {
      // A call that stands alone is tried again beside the others, not before them.
      const again = isDivisible ? (call: Call<Item, Result>): void => void flush([call], null) : enqueue;
      pause(calls, error, again);
    }
  }

  return { flush, written };
}

function combine(calls: readonly { retries: Findings }[]): Findings {
  return {
    duplicateMet: calls.some(({ retries }) => retries.duplicateMet),
    uncertain: calls.some(({ retries }) => retries.uncertain),
    intent: null,
  };
}
