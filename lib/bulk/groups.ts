import type { TrackerError } from "../model/errors.ts";
import { failed, type ItemResult } from "./item-results.ts";
import { manyItemsMax, manyMaxBytes } from "../model/limits.ts";

/** An item to write, with its approximate size. */
export interface Sized {
  bytes: number;
}

/** An item that failed before its write. */
export interface Failed extends Sized {
  error: TrackerError;
}

/** The groups of items that one call writes. */
export interface Groups<Prepared> {
  /** Returns the number of items that are gathered and not yet written. */
  gather(entry: Prepared | Failed): number;
  writeGathered(this: void): void;
  /** Whether the unfinished groups are so large that another item has to wait. */
  areFull(): boolean;
  /** Writes the gathered items. Resolves after the caller's `tell` for the oldest group. Rejects if a write or `tell` failed. */
  firstTold(): Promise<void>;
  /** Whether a write or a `tell` has failed. */
  isBroken(): boolean;
  /** Writes the gathered items. Resolves after the last `tell`. Rejects after the last write if any write or `tell` has failed. */
  end(): Promise<void>;
}

/**
 * Calls `tell` with the results of one group after another, in order. Each call waits until the one before has resolved. Calls
 * `onBroken` if a write or a `tell` fails.
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
      // Called only if `areFull` returns true, so there is an unfinished group.
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
