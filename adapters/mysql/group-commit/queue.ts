import { createLine } from "../../../lib/decisions/order.ts";
import { batchItemsMax, batchMaxBytes, queueItemsMax, queueMaxBytes, roomWaitShare } from "../limits.ts";
import type { Entry } from "./entry.ts";

/** The part of an entry that the queue needs. */
export type Queued = Pick<Entry<unknown, never>, "bytes" | "names" | "isAlone" | "waits" | "position">;

/**
 * A queue of entries, from their calls to their answers, limited by `../limits.ts`. An entry is taken only after every
 * earlier entry with a name in common was taken in the same batch or has left.
 */
export interface Queue<E extends Queued> {
  /** Adds the entry now, or later if it waits for room. Returns `false`, and does nothing, if the queue has no room for it. */
  enter(entry: E): boolean;
  /** Takes the first entries that fit into one batch: at least one if any can be taken. An entry that is alone is the whole batch. */
  takeBatch(): E[];
  /** Returns taken entries to their positions. */
  putBack(entries: readonly E[]): void;
  /** Removes an entry that was taken. */
  leave(entry: E): void;
  /** The entries that can be taken, or wait for earlier entries. */
  waiting(): readonly E[];
  /** The size of the queue, including the taken entries, without those that wait for room. */
  size(): Size;
  /** Removes and returns the entries that wait for room. */
  close(): E[];
}

interface Size {
  items: number;
  bytes: number;
}

export function namesOf({ names }: Pick<Queued, "names">): readonly string[] {
  return names;
}

/** Calls `onEnter` with each entry that it has added. */
export function createQueue<E extends Queued>(onEnter: (entry: E) => void): Queue<E> {
  const all: Size = { items: 0, bytes: 0 };
  /** The size of those entries in the queue whose calls would have waited for room. */
  const waiters: Size = { items: 0, bytes: 0 };
  let outside: E[] = [];
  let nextOutside = 0;
  let waiting: E[] = [];
  let positions = 0;
  /** The number of taken entries with each name. */
  const taken = new Map<string, number>();

  function add(entry: E): boolean {
    if (!fits(all, entry, 1) || (entry.waits && !fits(waiters, entry, roomWaitShare))) return false;
    resize(all, entry, 1);
    if (entry.waits) resize(waiters, entry, 1);
    entry.position = positions++;
    waiting.push(entry);
    onEnter(entry);
    return true;
  }

  function addFromOutside(): void {
    // `nextOutside` is below the length.
    while (nextOutside < outside.length && add(outside[nextOutside]!)) nextOutside++;
    // `shift` would move all other entries each time.
    if (nextOutside * 2 > outside.length) {
      outside = outside.slice(nextOutside);
      nextOutside = 0;
    }
  }

  function free({ names }: E): void {
    for (const name of names) {
      // The map has every name of a taken entry.
      const count = taken.get(name)! - 1;
      if (count === 0) taken.delete(name);
      else taken.set(name, count);
    }
  }

  return {
    enter(entry) {
      if (!entry.waits) return add(entry);
      outside.push(entry);
      addFromOutside();
      return true;
    },
    takeBatch() {
      const batch: E[] = [];
      const passed: E[] = [];
      const line = createLine(namesOf);
      let bytes = 0;
      let index = 0;
      for (; index < waiting.length; index++) {
        // `index` is below the length.
        const entry = waiting[index]!;
        const isLeft = entry.isAlone && batch.length > 0;
        if (isLeft || entry.names.some((name) => taken.has(name)) || line.isBehind(entry)) {
          passed.push(entry);
          line.join(entry);
          continue;
        }
        bytes += entry.bytes;
        if (batch.length === batchItemsMax || (batch.length > 0 && bytes > batchMaxBytes)) break;
        batch.push(entry);
        if (entry.isAlone) {
          index++;
          break;
        }
      }
      waiting = passed.concat(waiting.slice(index));
      for (const { names } of batch) for (const name of names) taken.set(name, (taken.get(name) ?? 0) + 1);
      return batch;
    },
    putBack(entries) {
      entries.forEach(free);
      if (entries.length > 0) waiting = [...entries, ...waiting].sort((a, b) => a.position - b.position);
    },
    leave(entry) {
      free(entry);
      resize(all, entry, -1);
      if (entry.waits) resize(waiters, entry, -1);
      addFromOutside();
    },
    waiting: () => waiting,
    size: () => ({ ...all }),
    close() {
      const left = outside.slice(nextOutside);
      outside = [];
      nextOutside = 0;
      return left;
    },
  };
}

function fits({ items, bytes }: Size, entry: Queued, share: number): boolean {
  return items + 1 <= queueItemsMax * share && bytes + entry.bytes <= queueMaxBytes * share;
}

function resize(size: Size, { bytes }: Queued, sign: 1 | -1): void {
  size.items += sign;
  size.bytes += sign * bytes;
}
