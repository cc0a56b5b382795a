import type { Faulted } from "../../../lib/storage/port.ts";
import { newRetryState, type RetryState } from "../transactions/index.ts";

/** Reads what the queue and the batches need to know of an item. */
export interface ItemReader<Item> {
  /** The names by which items wait for each other (`lib/decisions/order.ts`), the contact's first. */
  namesOf(item: Item): readonly string[];
  /** Whether the item is written by itself, beside the batches. */
  isAlone(item: Item): boolean;
  copy(item: Item): Item;
  /** About how many bytes the item holds. */
  bytesOf(item: Item): number;
}

/** An item to be written, until it is answered. */
export interface Entry<Item, Result> {
  item: Item;
  bytes: number;
  names: readonly string[];
  isAlone: boolean;
  /** Whether it waited for room, or would have waited. */
  waits: boolean;
  /** Its place in the order of all entries, given by the queue. */
  place: number;
  /** When it was put into the queue, on the clock of `performance`. */
  since: number;
  /** Whether it will be answered `connectionWaitMs` after it was put in: one timer is enough. */
  isLimited: boolean;
  /** Its time begins with its first try. */
  retries: RetryState;
  /** The error that it was last paused for. */
  obstacle: unknown;
  /** Only the first answer counts. */
  answer(result: Result | Faulted): void;
}

/** Copies the item: the caller may change its own. */
export function newEntry<Item, Result>(
  { namesOf, isAlone, copy, bytesOf }: ItemReader<Item>,
  item: Item,
  waits: boolean,
  answer: (result: Result | Faulted) => void,
): Entry<Item, Result> {
  const copied = copy(item);
  let isAnswered = false;
  return {
    item: copied,
    bytes: bytesOf(copied),
    names: namesOf(copied),
    isAlone: isAlone(copied),
    waits,
    place: 0,
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
