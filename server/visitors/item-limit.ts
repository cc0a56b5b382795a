import { foldEmail } from "../../lib/model/emails.ts";
import { TrackerError } from "../../lib/model/errors.ts";
import { itemsPerMinuteMax, visitorsMax } from "./limits.ts";

/** Counts a visitor's items. Throws `rate_limited` if there are too many in this minute of the clock. */
export type TakeItems = (externalId: string, items: number) => void;

/** Limits the items of each visitor in this process. If too many visitors are counted, it forgets the one that came first. */
export function createItemLimit(now: () => number): TakeItems {
  let minute = 0;
  let taken = new Map<string, number>();
  return (externalId, items) => {
    // In upper or lower case, an email finds the same contact if that has no externalId of its own.
    const visitor = foldEmail(externalId);
    const seconds = Math.floor(now() / 1_000);
    if (Math.floor(seconds / 60) !== minute) {
      minute = Math.floor(seconds / 60);
      taken = new Map();
    }
    const after = (taken.get(visitor) ?? 0) + items;
    if (after > itemsPerMinuteMax) throw new TrackerError("rate_limited", { retryAfterSeconds: 60 - (seconds % 60) });
    keepNewest(taken, visitor, after);
  };
}

/** Sets the entry of a visitor. If there are too many visitors, removes the one that came first. */
export function keepNewest<Value>(table: Map<string, Value>, externalId: string, value: Value): void {
  if (!table.has(externalId) && table.size >= visitorsMax) table.delete(table.keys().next().value!);
  table.set(externalId, value);
}
