/** Decides who takes changes, where consumers resume, and when a change that failed is tried again. */
import type { RetryLimits } from "../model/consumer-types.ts";
import type { Refused } from "../storage/rows.ts";

/** The pause in milliseconds after so many failures of a change: three times the pause before. `null` after the last try. */
export function pauseAfter(
  failures: number,
  { tries, firstPauseSeconds, longestPauseSeconds }: RetryLimits,
): number | null {
  if (failures >= tries) return null;
  return Math.round(Math.min(firstPauseSeconds * 3 ** (failures - 1), longestPauseSeconds) * 1_000);
}

/** Refuses consumers of a webhook, and messages of another subscription; `null` if the changes may be taken. */
export function refusalOfTaking(
  { url }: { url?: string | undefined },
  { isWebhook = false }: { isWebhook?: boolean },
): Refused | null {
  if ((url !== undefined) === isWebhook) return null;
  const message = isWebhook
    ? "The subscription is no webhook."
    : "The subscription is a webhook: `work()` sends its changes.";
  return { refused: { code: "subscription_conflict", message } };
}

/**
 * The position from which consumers go on. `first` is the smallest that is kept, `end` that of the log. Positions are times in
 * microseconds.
 */
export function positionToResume(
  from: "oldest" | "now" | number,
  { first, end }: { first: number; end: number },
): number | Refused {
  if (from === "oldest") return first;
  if (from === "now") return end;
  const position = from * 1_000 - 1;
  return position < first ? { refused: { code: "changes_expired" } } : Math.min(position, end);
}
