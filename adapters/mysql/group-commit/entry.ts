import type { Faulted } from "../../../lib/storage/rows.ts";
import type { Statement } from "../sql/index.ts";
import { newRetryState, type WriteAtOnce, type rowLocked, type RetryState, type Work } from "../transactions/index.ts";

export interface PreparedWrite<Result> {
  /** A read before the try that also finds rows of open transactions; `null` if none is needed. */
  look: Statement | null;
  /** Whether an earlier try ran on a node that may have lagged. */
  behind?: boolean;
  /** The first try in one round trip. It may leave the rest to `once`. `null` if one round trip cannot write the items. */
  atOnce: WriteAtOnce<(Result | typeof rowLocked)[]> | null;
  /** Writes the items in one transaction. Returns `rowLocked` for each item that needs a row which another transaction has locked. */
  once(work: Work): Promise<(Result | typeof rowLocked)[]>;
}

/** Describes how items of one kind are written together. */
export interface BatchedWrite<Item, Result> {
  /**
   * Reads the rows that the transaction needs. A read on another connection inside the transaction could wait for ever. `inside` is
   * a caller's transaction.
   */
  prepare(items: readonly Item[], inside?: Work): Promise<PreparedWrite<Result>>;
  /** Returns true if the row in the result was last written before `time`, or if there is no row. False if the time is unknown. */
  wasWrittenBefore(this: void, result: Result, time: number, item: Item): boolean;
  /** Items with a name in common are written in order (`lib/decisions/order.ts`). The first name is that of the contact. */
  namesOf(item: Item): readonly string[];
  /** Whether the item has a transaction of its own. */
  isAlone(item: Item): boolean;
  copy(item: Item): Item;
  /** Returns about how many bytes the item needs. */
  bytesOf(item: Item): number;
}

/** An item from its call to its answer. */
export interface Entry<Item, Result> {
  item: Item;
  bytes: number;
  names: readonly string[];
  isAlone: boolean;
  /** Whether the call waits for room in the queue. */
  waits: boolean;
  /** Its position in the order of all entries. The queue sets it. */
  position: number;
  /** When the queue took the entry in, by `performance.now()`. */
  since: number;
  /** Whether a timer will answer the entry `connectionWaitMs` after `since`. */
  isLimited: boolean;
  /** The state of its retries. Their time limit begins with the first try. */
  retries: RetryState;
  /** The error of the last try; `null` before the first. */
  obstacle: unknown;
  /** Answers the call. Later answers are ignored. */
  answer(result: Result | Faulted): void;
}

/** Copies the item, because the caller may change its own object. */
export function newEntry<Item, Result>(
  { namesOf, isAlone, copy, bytesOf }: BatchedWrite<Item, Result>,
  given: Item,
  waits: boolean,
  answer: (result: Result | Faulted) => void,
): Entry<Item, Result> {
  const item = copy(given);
  let isAnswered = false;
  return {
    item,
    bytes: bytesOf(item),
    names: namesOf(item),
    isAlone: isAlone(item),
    waits,
    position: 0,
    since: 0,
    isLimited: false,
    retries: newRetryState(Infinity),
    obstacle: null,
    answer(result) {
      if (!isAnswered) answer(result);
      isAnswered = true;
    },
  };
}
