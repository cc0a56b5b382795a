import { setImmediate as nextTurn } from "node:timers/promises";
import { batchesAtOnceMax, batchItemsMax } from "../limits.ts";
import { BeginAgain, isDuplicate, mayBeOneItems, translate, unavailableBecause } from "../connection/errors.ts";
import type { Lane } from "../connection/pool.ts";
import { createQueue } from "./queue.ts";
import type { BatchStats } from "../stats.ts";
import type { Statement } from "../sql/statement.ts";
import {
  held,
  prepareRetry,
  startRetries,
  nextPauseMs,
  type RetryState,
  type OwnRunner,
  type Work,
} from "../transactions/own.ts";

/** How items of one kind are written together. */
export interface BatchedWrite<Item, Result> {
  /** Reads what the transaction needs to know, and may not wait for another connection to learn. */
  prepare(items: readonly Item[]): Promise<PreparedWrite<Result>>;
  /** The name of what the item writes to. */
  targetOf(item: Item): string;
  copy(item: Item): Item;
  /** About how much it holds. */
  bytesOf(item: Item): number;
}

export interface PreparedWrite<Result> {
  /** What to look for among the rows that open transactions have written; `null` for nothing. */
  look: Statement | null;
  /** Writes the items in one transaction, and answers `held` for those that others keep from being written. */
  once(work: Work): Promise<(Result | typeof held)[]>;
}

export interface Batches<Item, Result> {
  /** Resolves in input order, after COMMIT. Rejects with `storage_unavailable` while too much is under way. */
  write(items: readonly Item[]): Promise<Result[]>;
  stats(): BatchStats;
  /** Writes what nobody holds, and refuses the rest. */
  close(): Promise<void>;
}

/** Items that are decided together, in order. */
interface Call<Item, Result> {
  items: readonly Item[];
  bytes: number;
  targets: readonly string[];
  /** The positions of the items that are not answered yet. */
  open: number[];
  results: Result[];
  retries: RetryState;
  /** What it was last paused for. */
  obstacle: unknown;
  resolve(results: Result[]): void;
  reject(error: unknown): void;
}

/**
 * Group commit: what is asked for while a transaction is under way is written by the next one, with one round trip a statement
 * and one flush to disk for all. Nothing waits for a timer, so a call by itself begins at once.
 */
export function createBatches<Item, Result>(
  runner: OwnRunner,
  { prepare, targetOf, copy, bytesOf }: BatchedWrite<Item, Result>,
): Batches<Item, Result> {
  const queue = createQueue<Call<Item, Result>>();
  const pausing = new Set<Call<Item, Result>>();
  const idleLanes: Lane[] = Array.from({ length: batchesAtOnceMax }, () => ({ kept: null }));
  const draining = new Set<Promise<void>>();
  const written = { batches: 0, items: 0 };
  let closed = false;

  function submit(items: readonly Item[]): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      const bytes = items.reduce((sum, item) => sum + bytesOf(item), 0);
      const open = items.map((_, position) => position);
      const targets = items.map(targetOf);
      const call: Call<Item, Result> = {
        items: items.map(copy),
        bytes,
        targets,
        open,
        results: [],
        retries: startRetries(),
        obstacle: null,
        resolve,
        reject,
      };
      if (closed) reject(unavailableBecause("closed"));
      else if (!queue.enter(call)) reject(unavailableBecause("queue_full"));
      else if (items.length === 0) answer(call);
      else enqueue(call);
    });
  }

  function enqueue(call: Call<Item, Result>): void {
    queue.put(call);
    const lane = idleLanes.pop();
    if (!lane) return;
    const drained = drain(lane).finally(() => draining.delete(drained));
    draining.add(drained);
  }

  async function drain(lane: Lane): Promise<void> {
    for (;;) {
      // What else this turn of the event loop brings is written along.
      await nextTurn();
      const calls = queue.takeBatch();
      if (calls.length === 0) return void idleLanes.push(lane);
      const late = calls.filter(({ retries }) => performance.now() >= retries.until);
      for (const call of late) refuse(call, call.obstacle ? translate(call.obstacle) : unavailableBecause("expired"));
      if (calls.length > late.length)
        await flush(
          calls.filter((call) => !late.includes(call)),
          lane,
        );
      queue.finish(calls);
    }
  }

  async function flush(calls: readonly Call<Item, Result>[], lane: Lane | null): Promise<void> {
    const items = calls.flatMap((call) => call.open.map((position) => call.items[position]!));
    try {
      const { once, look } = await prepare(items);
      const answers = await runner.attempt(combine(calls), once, { look, lane });
      written.batches++;
      written.items += answers.filter((answer) => answer !== held).length;
      let next = 0;
      for (const call of calls) {
        call.open = call.open.filter((position) => {
          const result = answers[next++]!;
          if (result !== held) call.results[position] = result;
          return result === held;
        });
        if (call.open.length === 0) answer(call);
        else pauseAll([call], new BeginAgain(), enqueue);
      }
    } catch (error) {
      await recover(calls, error, lane);
    }
  }

  /** Halves a batch of which one item may keep the others from being written, until that one stands alone. */
  async function recover(calls: readonly Call<Item, Result>[], error: unknown, lane: Lane | null): Promise<void> {
    const isDivisible = mayBeOneItems(error) && (!isDuplicate(error) || combine(calls).duplicateMet);
    if (isDivisible && calls.length > 1) {
      runner.retried(error);
      const middle = calls.length >> 1;
      await flush(calls.slice(0, middle), lane);
      await flush(calls.slice(middle), lane);
    } else {
      // What stands alone is tried again beside the others, not before them.
      const again = isDivisible ? (call: Call<Item, Result>): void => void flush([call], null) : enqueue;
      pauseAll(calls, error, again);
    }
  }

  function pauseAll(
    calls: readonly Call<Item, Result>[],
    error: unknown,
    again: (call: Call<Item, Result>) => void,
  ): void {
    const paused = calls.filter((call) => pause(call, error, again));
    if (paused.length > 0) runner.retried(error);
  }

  /** Whether the call is tried again, and not refused. */
  function pause(call: Call<Item, Result>, error: unknown, again: (call: Call<Item, Result>) => void): boolean {
    try {
      prepareRetry(call.retries, error);
      if (closed) throw unavailableBecause("closed");
    } catch (refusal) {
      refuse(call, refusal);
      return false;
    }
    call.obstacle = error;
    pausing.add(call);
    setTimeout(() => {
      if (pausing.delete(call)) again(call);
    }, nextPauseMs(call.retries));
    return true;
  }

  function answer(call: Call<Item, Result>): void {
    queue.leave(call);
    call.resolve(call.results);
  }

  function refuse(call: Call<Item, Result>, error: unknown): void {
    queue.leave(call);
    call.reject(error);
  }

  return {
    async write(items) {
      if (items.length <= batchItemsMax) return submit(items);
      const copies = items.map(copy);
      const results: Result[] = [];
      // One part after another, because a call's items are decided in order.
      for (let start = 0; start < copies.length; start += batchItemsMax) {
        results.push(...(await submit(copies.slice(start, start + batchItemsMax))));
      }
      return results;
    },
    stats() {
      const { items, bytes } = queue.entered();
      return { ...written, queuedItems: items, queuedBytes: bytes };
    },
    async close() {
      closed = true;
      for (const call of pausing) refuse(call, unavailableBecause("closed"));
      pausing.clear();
      await Promise.all(draining);
    },
  };
}

function combine(calls: readonly { retries: RetryState }[]): Pick<RetryState, "duplicateMet" | "uncertain"> {
  return {
    duplicateMet: calls.some(({ retries }) => retries.duplicateMet),
    uncertain: calls.some(({ retries }) => retries.uncertain),
  };
}
