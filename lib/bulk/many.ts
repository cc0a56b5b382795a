import { createGroups, type Failed, type Sized } from "./groups.ts";
import { failed, type ItemResult } from "./item-results.ts";

/** The numbers of items that were written, and that were not. */
export interface WriteCounts {
  ok: number;
  failed: number;
}

/** The source of items: an array, or any iterable, also an asynchronous one. */
export type ItemSource<Item> = Iterable<Item> | AsyncIterable<Item>;

/** Called with the result of each item, in the order of the items. The next result waits until its promise has resolved. */
export type OnResult<Result> = (result: ItemResult<Result>, index: number) => unknown;

/** How items are written. */
export interface GroupWrites<Item, Prepared extends Sized, Result> {
  /** How many items are written together. If more than one, the process does other work after so many. */
  itemsMax: number;
  /** Validates an item, or throws its error. */
  prepare(item: Item): Prepared | Promise<Prepared>;
  /** Asks for the items to be written, in order, and resolves with their results. An error that it throws is that of each. */
  write(prepared: readonly Prepared[]): Promise<ItemResult<Result>[]>;
}

/**
 * Writes the items in groups, as long as few enough are under way. A group that is not full is written in the next turn of the
 * event loop. Rejects with the error of the items, of `each`, or one that is no `TrackerError`, after what was under way;
 * the next item is not waited for.
 */
export async function writeMany<Item, Prepared extends Sized, Result extends object>(
  source: ItemSource<Item>,
  { itemsMax, prepare, write }: GroupWrites<Item, Prepared, Result>,
  each: OnResult<Result> = () => {},
): Promise<WriteCounts> {
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

/** The items, until `interrupt` is called while the next one is waited for. Then it closes their source, and they end. */
function interruptible<Item>(source: ItemSource<Item>): { items: ItemSource<Item>; interrupt: () => void } {
  const iterator = (source as Partial<AsyncIterable<Item>> | undefined)?.[Symbol.asyncIterator]?.();
  // Only an asynchronous source lets us wait.
  if (!iterator) return { items: source, interrupt: () => {} };
  let interrupt = (): void => {};
  const next = (): Promise<IteratorResult<Item>> =>
    new Promise((resolve, reject) => {
      const given = Promise.resolve(iterator.next());
      // Whether the source could be closed is not waited for: a generator closes after its next item.
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

/** Lets other work run. Not from `node:timers`: the client, which writes items one by one, runs where there is none. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
