/** Decides which consumer handles a contact's changes, and when a change that failed is tried again. */
import { slotCount } from "../model/limits.ts";
import type { RetryLimits } from "../model/consumer-types.ts";

/** The slot of a contact's changes: the lowest six bits of its id, which are random. */
export function slotOf(contactId: string): number {
  return Number.parseInt(contactId.slice(-2), 16) % slotCount;
}

/** The pause after a change has failed so often. Each is three times the one before. `null` after the last try. */
export function pauseAfter(
  failures: number,
  { tries, firstPauseSeconds, longestPauseSeconds }: RetryLimits,
): number | null {
  if (failures >= tries) return null;
  return Math.round(Math.min(firstPauseSeconds * 3 ** (failures - 1), longestPauseSeconds) * 1_000);
}
