import { isTrackerError, type TrackerError } from "./errors.ts";
import { manyItemsMax, manyMaxBytes } from "./limits.ts";

/** The result of one item: what the method for one item resolves with, or the error that it rejects with. */
export type ItemResult<Result> = ({ ok: true } & Result) | { ok: false; error: TrackerError };

/** The numbers of items that were written, and that were not. */
export interface WriteCounts {
  ok: number;
  failed: number;
}

/** What items come from: an array, or any iterable, also an asynchronous one. */
export type ItemSource<Item> = Iterable<Item> | AsyncIterable<Item>;

/** Called with the result of each item, in the order of the items. The next result waits until its promise has resolved. */
export type OnResult<Result> = (result: ItemResult<Result>, index: number) => unknown;

/** A write that has been asked for. */
export interface Begun<Result> {
  /** About how many bytes it holds until it ends. */
  bytes: number;
  result: Promise<Result>;
}

/**
 * Begins a write for each item, in order, as long as few enough are under way. `begin` resolves when the write has been asked
 * for. Rejects with the error of the items, of `each`, or one that is no `TrackerError`, after what was under way; the next
 * item is not waited for.
 */
export async function writeMany<Item, Result extends object>(
  source: ItemSource<Item>,
  begin: (item: Item) => Promise<Begun<Result>>,
  each: OnResult<Result> = () => {},
): Promise<WriteCounts> {
  const counts: WriteCounts = { ok: 0, failed: 0 };
  const underWay: { bytes: number; result: Promise<unknown>; told: Promise<void> }[] = [];
  let bytes = 0;
  let index = 0;
  let told: Promise<void> = Promise.resolve();
  let isBroken = false;
  const { items, interrupt } = interruptible(source);

  async function tell(before: Promise<void>, settled: Promise<ItemResult<Result>>, position: number): Promise<void> {
    await before;
    const result = await settled;
    counts[result.ok ? "ok" : "failed"]++;
    await each(result, position);
  }

  try {
    for await (const item of items) {
      const begun = await settle(begin(item));
      const result = begun.ok ? settle(begun.result) : Promise.resolve(begun);
      told = tell(told, result, index++);
      told.catch(() => {
        isBroken = true;
        interrupt();
      });
      result.catch(() => {});
      const size = begun.ok ? begun.bytes : 0;
      underWay.push({ bytes: size, result, told });
      bytes += size;
      while (underWay.length >= manyItemsMax || bytes > manyMaxBytes) {
        // The loop's condition says that there is one.
        const first = underWay.shift()!;
        bytes -= first.bytes;
        await first.told;
      }
      if (isBroken) break;
    }
  } finally {
    await Promise.allSettled(underWay.map(({ result }) => result));
    await told;
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

/** Rejects with an error that is no `TrackerError`. */
export async function settle<Result extends object>(result: Promise<Result>): Promise<ItemResult<Result>> {
  try {
    return { ok: true, ...(await result) };
  } catch (error) {
    if (isTrackerError(error)) return { ok: false, error };
    throw error;
  }
}
