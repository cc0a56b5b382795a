import { nextPauseMs } from "../transactions/index.ts";
import type { Entry } from "./entry.ts";

/** The entries that wait between two tries. */
export interface Pauses<Item, Result> {
  /** Calls `again` with the entry after a pause. */
  pause(entry: Entry<Item, Result>, again: (entry: Entry<Item, Result>) => void): void;
  /** Ends all pauses, without calling `again`. Returns the entries. */
  close(): Entry<Item, Result>[];
}

export function createPauses<Item, Result>(): Pauses<Item, Result> {
  const pausing = new Set<Entry<Item, Result>>();
  return {
    pause(entry, again) {
      pausing.add(entry);
      setTimeout(() => {
        if (pausing.delete(entry)) again(entry);
      }, nextPauseMs(entry.retries));
    },
    close() {
      const entries = [...pausing];
      pausing.clear();
      return entries;
    },
  };
}
