import { createGroups, type Failed, type Sized } from "./groups.ts";
import { failed, type ItemResult } from "./item-results.ts";
import { nextTurn } from "./turns.ts";

/** The numbers of items that were written, and that were not. */
export interface WriteCounts {
  ok: number;
  failed: number;
}

/**
 * The source of items: any iterable, also an asynchronous one. The type names arrays separately, so that the compiler reports a
 * wrong field at the element that has it.
 */
export type ItemSource<Item> = readonly Item[] | Iterable<Item> | AsyncIterable<Item>;

/** Called with the result of each item, in order. If it returns a promise, the next result waits for that promise. */
export type OnResult<Result> = (result: ItemResult<Result>, index: number) => unknown;

/** How items are written. */
export interface GroupWrites<Item, Prepared extends Sized, Result> {
  /** The size of a group. If it is above 1, the event loop gets a turn after each full group. */
  itemsMax: number;
  /** Validates an item, or throws its error. */
  prepare(item: Item): Prepared | Promise<Prepared>;
  /** Writes the items in order. Resolves with their results, or rejects with a `TrackerError` for all of them. */
  write(prepared: readonly Prepared[]): Promise<ItemResult<Result>[]>;
}

/**
 * Writes the items in groups. Limits the items of unfinished groups. A group that is not full is written in the next turn of the
 * event loop. Rejects with an error of the source or of `each`, or with an unexpected error of an item. Before it rejects, it
 * waits for the unfinished writes, but not for the next item.
 */
export async function writeMany<Item, Prepared extends Sized, Result extends object>(
  source: ItemSource<Item>,
  { itemsMax, prepare, write }: GroupWrites<Item, Prepared, Result>,
  each: OnResult<Result> = () => {},
): Promise<WriteCounts> {
  assertEach(each);
  const counts: WriteCounts = { ok: 0, failed: 0 };
  let index = 0;
  const { items, interrupt } = interruptible(source);
  const tell = async (results: readonly ItemResult<Result>[]): Promise<void> => {
    for (const result of results) {
      counts[result.ok ? "ok" : "failed"]++;
      await each(result, index++);
    }
  };
  const groups = createGroups<Prepared, Result>(write, tell, interrupt);
  try {
    for await (const item of items) {
      const gathered = groups.gather(await entryOf(prepare, item));
      if (gathered === itemsMax) {
        groups.writeGathered();
        if (itemsMax > 1) await nextTurn();
      } else if (gathered === 1) setImmediate(groups.writeGathered);
      while (groups.areFull()) await groups.firstTold();
      if (groups.isBroken()) break;
    }
  } finally {
    await groups.end();
  }
  return counts;
}

/** Throws if the caller passed options in place of the function. Must be called before the first write. */
export function assertEach(each: unknown): void {
  if (typeof each !== "function") throw new TypeError("options come after the function for each result");
}

/** Returns the items of the source. `interrupt` ends a pending wait for the next item, and closes the source. */
function interruptible<Item>(source: ItemSource<Item>): { items: ItemSource<Item>; interrupt: () => void } {
  const iterator = (source as Partial<AsyncIterable<Item>> | undefined)?.[Symbol.asyncIterator]?.();
  // Only an asynchronous source can make us wait.
  if (!iterator) return { items: source, interrupt: () => {} };
  let interrupt = (): void => {};
  const next = (): Promise<IteratorResult<Item>> =>
    new Promise((resolve, reject) => {
      const given = Promise.resolve(iterator.next());
      // Do not await the closing: a generator closes only after its next item.
      interrupt = () => {
        resolve({ done: true, value: undefined });
        void close(iterator).catch(() => {});
      };
      given.finally(() => (interrupt = () => {})).then(resolve, reject);
    });
  const interruptibleIterator = { next, return: () => close(iterator) };
  return { items: { [Symbol.asyncIterator]: () => interruptibleIterator }, interrupt: () => interrupt() };
}

async function close<Item>(iterator: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  return (await iterator.return?.()) ?? { done: true, value: undefined };
}

async function entryOf<Item, Prepared extends Sized>(
  prepare: (item: Item) => Prepared | Promise<Prepared>,
  item: Item,
): Promise<Prepared | Failed> {
  try {
    return await prepare(item);
  } catch (error) {
    return { ...failed(error), bytes: 0 };
  }
}
