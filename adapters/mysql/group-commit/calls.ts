import { BeginAgain, translate, unavailableBecause } from "../connection/index.ts";
import { held, newRetryState, nextPauseMs, prepareRetry, type RetryState } from "../transactions/index.ts";
import type { Load, Queue } from "./queue.ts";

/** Reads what the queue and the batches need to know of an item. */
export interface ItemReader<Item> {
  /** The name of the row that the item writes to. */
  targetOf(item: Item): string;
  copy(item: Item): Item;
  /** About how many bytes the item holds. */
  bytesOf(item: Item): number;
}

/** One caller's items, which are decided together, in order. */
export interface Call<Item, Result> extends Load {
  items: readonly Item[];
  /** The positions of the items that are not answered yet. */
  open: number[];
  results: Result[];
  retries: RetryState;
  /** The error that it was last paused for. */
  obstacle: unknown;
  resolve(results: Result[]): void;
  reject(error: unknown): void;
}

/** Calls from when they enter the queue until they are answered or refused. */
export interface Calls<Item, Result> {
  /** Resolves in input order. Rejects with `storage_unavailable` if there is no room. */
  submit(items: readonly Item[]): Promise<Result[]>;
  /** Refuses the calls whose time is over. Returns the others. */
  refuseLate(calls: readonly Call<Item, Result>[]): Call<Item, Result>[];
  /** Gives the calls the answers to their open items. Puts a call with held items back into the queue after a pause. */
  settle(calls: readonly Call<Item, Result>[], answers: readonly (Result | typeof held)[]): void;
  /** Does `again` with each call after a pause, or refuses it if another try would not help. */
  pause(calls: readonly Call<Item, Result>[], error: unknown, again: (call: Call<Item, Result>) => void): void;
  /** Refuses the calls that pause, and all that come. */
  close(): void;
}

export function createCalls<Item, Result>(
  { targetOf, copy, bytesOf }: ItemReader<Item>,
  queue: Queue<Call<Item, Result>>,
  enqueue: (call: Call<Item, Result>) => void,
  retried: (error: unknown) => void,
): Calls<Item, Result> {
  const pausing = new Set<Call<Item, Result>>();
  let closed = false;

  function answer(call: Call<Item, Result>): void {
    queue.leave(call);
    call.resolve(call.results);
  }

  function refuse(call: Call<Item, Result>, error: unknown): void {
    queue.leave(call);
    call.reject(error);
  }

  /** Whether the call is tried again, and not refused. */
  function pauseOne(call: Call<Item, Result>, error: unknown, again: (call: Call<Item, Result>) => void): boolean {
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

  const pause: Calls<Item, Result>["pause"] = (calls, error, again) => {
    const paused = calls.filter((call) => pauseOne(call, error, again));
    if (paused.length > 0) retried(error);
  };

  return {
    submit: (items) =>
      new Promise((resolve, reject) => {
        const call: Call<Item, Result> = {
          items: items.map(copy),
          bytes: items.reduce((sum, item) => sum + bytesOf(item), 0),
          targets: items.map(targetOf),
          open: items.map((_, position) => position),
          results: [],
          retries: newRetryState(),
          obstacle: null,
          resolve,
          reject,
        };
        if (closed) reject(unavailableBecause("closed"));
        else if (!queue.enter(call)) reject(unavailableBecause("queue_full"));
        else if (items.length === 0) answer(call);
        else enqueue(call);
      }),
    refuseLate: (calls) =>
      calls.filter((call) => {
        const isLate = performance.now() >= call.retries.until;
        if (isLate) refuse(call, call.obstacle ? translate(call.obstacle) : unavailableBecause("expired"));
        return !isLate;
      }),
    settle(calls, answers) {
      let next = 0;
      for (const call of calls) {
        call.open = call.open.filter((position) => {
          // There is one answer for each open item.
          const result = answers[next++]!;
          if (result !== held) call.results[position] = result;
          return result === held;
        });
        if (call.open.length === 0) answer(call);
        else pause([call], new BeginAgain(), enqueue);
      }
    },
    pause,
    close() {
      closed = true;
      for (const call of pausing) refuse(call, unavailableBecause("closed"));
      pausing.clear();
    },
  };
}
