import { createLine } from "../../../lib/decisions/order.ts";
import { batchItemsMax, batchMaxBytes } from "../limits.ts";

/** The part of an entry that the queue needs. */
export interface Queued {
  bytes: number;
  names: readonly string[];
  /** Whether it is taken by itself. */
  isAlone: boolean;
  place: number;
}

/**
 * The entries that wait to be written, first come first served. Of two entries with a name in common, the later one is never
 * taken before the earlier one is answered, unless both are taken together.
 */
export interface Queue<Entry extends Queued> {
  put(entry: Entry): void;
  /** Puts entries that were taken back to their places. */
  putBack(entries: readonly Entry[]): void;
  /** Takes the first entries that fit one batch, at least one if any is free; or one that is taken by itself. */
  takeBatch(): Entry[];
  /** To be called when an entry that was taken is answered. */
  leave(entry: Entry): void;
  waiting(): readonly Entry[];
}

/** The names of an entry. */
export function namesOf({ names }: { names: readonly string[] }): readonly string[] {
  return names;
}

export function createQueue<Entry extends Queued>(): Queue<Entry> {
  let waiting: Entry[] = [];
  let places = 0;
  /** The number of entries with each name that were taken and not answered yet. */
  const taken = new Map<string, number>();

  function leave({ names }: Entry): void {
    for (const name of names) {
      // A name of an entry that was taken is in the map.
      const count = taken.get(name)! - 1;
      if (count === 0) taken.delete(name);
      else taken.set(name, count);
    }
  }

  return {
    put(entry) {
      entry.place = places++;
      waiting.push(entry);
    },
    putBack(entries) {
      entries.forEach(leave);
      if (entries.length > 0) waiting = [...entries, ...waiting].sort((a, b) => a.place - b.place);
    },
    takeBatch() {
      const batch: Entry[] = [];
      const passed: Entry[] = [];
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
    leave,
    waiting: () => waiting,
  };
}
