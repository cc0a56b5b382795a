import { TrackerError } from "../../lib/model/errors.ts";
import { countedVisitorsMax, itemsPerMinuteMax } from "./limits.ts";

/** Counts a visitor's items. Throws `rate_limited` if there are too many in this minute of the clock. */
export type TakeItems = (externalId: string, items: number) => void;

/** Limits the items of each visitor in this process. If too many visitors are counted, it forgets the one that came first. */
export function createItemLimit(now: () => number): TakeItems {
  let minute = 0;
  let taken = new Map<string, number>();
  return (externalId, items) => {
    const seconds = Math.floor(now() / 1_000);
    if (Math.floor(seconds / 60) !== minute) {
      minute = Math.floor(seconds / 60);
      taken = new Map();
    }
    const before = taken.get(externalId);
    const after = (before ?? 0) + items;
    if (after > itemsPerMinuteMax) throw new TrackerError("rate_limited", { retryAfterSeconds: 60 - (seconds % 60) });
    if (before === undefined && taken.size >= countedVisitorsMax) taken.delete(taken.keys().next().value!);
    taken.set(externalId, after);
  };
}
