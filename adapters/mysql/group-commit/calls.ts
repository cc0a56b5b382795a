import { BeginAgain, translate, unavailableBecause } from "../connection/index.ts";
import { held } from "../transactions/index.ts";
import { newCall, type Call, type ItemReader } from "./call.ts";
import { createPauses, type Pauses } from "./pauses.ts";
import type { Queue } from "./queue.ts";

/** Calls from when they enter the queue until they are answered or refused. */
export interface Calls<Item, Result> extends Pick<Pauses<Item, Result>, "pause"> {
  /** Resolves in input order. Rejects with `storage_unavailable` if there is no room. */
  submit(items: readonly Item[]): Promise<Result[]>;
  /** Refuses the calls whose time is over. Returns the others. */
  refuseLate(calls: readonly Call<Item, Result>[]): Call<Item, Result>[];
  /** Gives the calls the answers to their open items. Puts a call with held items back into the queue after a pause. */
  settle(calls: readonly Call<Item, Result>[], answers: readonly (Result | typeof held)[]): void;
  /** Refuses the calls that pause, and all that come. */
  close(): void;
}

export function createCalls<Item, Result>(
  reader: ItemReader<Item>,
  queue: Queue<Call<Item, Result>>,
  enqueue: (call: Call<Item, Result>) => void,
  retried: (error: unknown) => void,
): Calls<Item, Result> {
  const { pause, close: closePauses } = createPauses(refuse, retried);
  let closed = false;

  function answer(call: Call<Item, Result>): void {
    queue.leave(call);
    call.resolve(call.results);
  }

  function refuse(call: Call<Item, Result>, error: unknown): void {
    queue.leave(call);
    call.reject(error);
  }

  return {
    submit: (items) =>
      new Promise((resolve, reject) => {
        const call = newCall(reader, items, resolve, reject);
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
      closePauses();
    },
  };
}
