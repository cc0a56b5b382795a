import { TrackerError } from "../../lib/model/errors.ts";
import { visitorsMax } from "./limits.ts";

/** Counts the items of the visitor with this tag. Throws `rate_limited` if there are too many in this minute of the clock. */
export type TakeItems = (tag: string, items: number) => void;

/** Limits the items of each visitor in this process. If too many visitors are counted, it forgets the one that came first. */
export function createItemLimit(now: () => number, perMinuteMax: number): TakeItems {
  let minute = 0;
  let taken = new Map<string, number>();
  return (tag, items) => {
    const seconds = Math.floor(now() / 1_000);
    if (Math.floor(seconds / 60) !== minute) {
      minute = Math.floor(seconds / 60);
      taken = new Map();
    }
    const after = (taken.get(tag) ?? 0) + items;
    if (after > perMinuteMax) throw new TrackerError("rate_limited", { retryAfterSeconds: 60 - (seconds % 60) });
    keepNewest(taken, tag, after);
  };
}

/** Sets the entry of a visitor. If there are too many visitors, removes the one that came first. */
export function keepNewest<Value>(table: Map<string, Value>, tag: string, value: Value): void {
  if (!table.has(tag) && table.size >= visitorsMax) table.delete(table.keys().next().value!);
  table.set(tag, value);
}
