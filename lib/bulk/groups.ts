import type { TrackerError } from "../model/errors.ts";
import { failed, type ItemResult } from "./item-results.ts";
import { manyItemsMax, manyMaxBytes } from "../model/limits.ts";

/** An item that is to be written, and about how many bytes it holds. */
export interface Sized {
  bytes: number;
}

/** The result of an item that is not written. */
export interface Failed extends Sized {
  error: TrackerError;
}

/** The groups of one call, from when their items are prepared until their results are told. */
export interface Groups<Prepared> {
  /** Returns the number of items that are gathered and not yet written. */
  gather(entry: Prepared | Failed): number;
  writeGathered(this: void): void;
  /** Whether too many items are under way for another one. */
  areFull(): boolean;
  /** Writes what is gathered. Resolves when the results of the first group are told. Rejects if telling has failed. */
  firstTold(): Promise<void>;
  /** Whether telling has failed. */
  isBroken(): boolean;
  /** Writes what is gathered. Resolves when all results are told, or rejects when all are there and telling has failed. */
  end(): Promise<void>;
}

/**
 * `tell` is called with the results of each group, in order, when it has resolved for the group before; `onBroken` when telling
 * has failed.
 */
export function createGroups<Prepared extends Sized, Result>(
  write: (prepared: readonly Prepared[]) => Promise<ItemResult<Result>[]>,
  tell: (results: readonly ItemResult<Result>[]) => Promise<void>,
  onBroken: () => void,
): Groups<Prepared> {
  const underWay: { items: number; bytes: number; results: Promise<unknown>; told: Promise<void> }[] = [];
  let gathered: (Prepared | Failed)[] = [];
  let items = 0;
  let bytes = 0;
  let told: Promise<void> = Promise.resolve();
  let isBroken = false;

  async function tellAfter(before: Promise<void>, results: Promise<ItemResult<Result>[]>): Promise<void> {
    await before;
    await tell(await results);
  }

  function writeGathered(): void {
    if (gathered.length === 0) return;
    const group = gathered;
    gathered = [];
    const results = resultsOf(group, write);
    results.catch(() => {});
    told = tellAfter(told, results);
    told.catch(() => {
      isBroken = true;
      onBroken();
    });
    underWay.push({ items: group.length, bytes: bytesOf(group), results, told });
  }

  return {
    gather(entry) {
      items++;
      bytes += entry.bytes;
      return gathered.push(entry);
    },
    writeGathered,
    areFull: () => items >= manyItemsMax || bytes > manyMaxBytes,
    firstTold() {
      writeGathered();
      // Something is under way if they are full.
      const first = underWay.shift()!;
      items -= first.items;
      bytes -= first.bytes;
      return first.told;
    },
    isBroken: () => isBroken,
    async end() {
      writeGathered();
      await Promise.allSettled(underWay.map(({ results }) => results));
      await told;
    },
  };
}

async function resultsOf<Prepared extends Sized, Result>(
  group: readonly (Prepared | Failed)[],
  write: (prepared: readonly Prepared[]) => Promise<ItemResult<Result>[]>,
): Promise<ItemResult<Result>[]> {
  const prepared = group.filter((entry): entry is Prepared => !("error" in entry));
  const results = prepared.length === 0 ? [] : await write(prepared).catch((error: unknown) => failed(error));
  let next = 0;
  return group.map((entry) => {
    if ("error" in entry) return { ok: false, error: entry.error as TrackerError };
    // Each item that was prepared has a result.
    return "error" in results ? results : results[next++]!;
  });
}

function bytesOf(group: readonly Sized[]): number {
  return group.reduce((sum, { bytes }) => sum + bytes, 0);
}
