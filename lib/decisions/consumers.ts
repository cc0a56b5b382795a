/** Decides when a change that failed is tried again. */
import type { RetryLimits } from "../model/consumer-types.ts";

/** The pause in milliseconds after so many failures of a change: three times the pause before. `null` after the last try. */
export function pauseAfter(
  failures: number,
  { tries, firstPauseSeconds, longestPauseSeconds }: RetryLimits,
): number | null {
  if (failures >= tries) return null;
  return Math.round(Math.min(firstPauseSeconds * 3 ** (failures - 1), longestPauseSeconds) * 1_000);
}
