import { newRetryState, type RetryState } from "../transactions/index.ts";
import type { Load } from "./queue.ts";

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

/** A call whose items are all open. Copies them: the caller may change its own. */
export function newCall<Item, Result>(
  { targetOf, copy, bytesOf }: ItemReader<Item>,
  items: readonly Item[],
  resolve: (results: Result[]) => void,
  reject: (error: unknown) => void,
): Call<Item, Result> {
  return {
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
}
