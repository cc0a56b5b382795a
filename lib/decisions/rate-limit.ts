import { leasedLimitMin } from "../limits.ts";
import type { RateWindow, WindowUse } from "../storage/rows.ts";

/** How many requests a key may make in each window of this length; windows are aligned to the Unix epoch, so a minute's to the clock's. */
export interface RateLimit {
  requests: number;
  perSeconds: number;
}

/** What a response says about the limit. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** When the window ends, in Unix seconds. */
  resetsAtSeconds: number;
}

export function windowAt(now: number, { perSeconds }: RateLimit): RateWindow {
  const lengthMs = perSeconds * 1_000;
  const startsAt = Math.floor(now / lengthMs) * lengthMs;
  return { startsAt, endsAt: startsAt + lengthMs, now };
}

/** The minute that a key's last use is noted as. */
export function wholeMinute(now: number): number {
  return Math.floor(now / 60_000) * 60_000;
}

/**
 * How many requests a process takes out of a window at once when one is asked for: one of a small limit, which is exact across
 * processes, and a thousandth of a large one, so that most requests cost the storage nothing.
 */
export function leaseOf(limit: number): number {
  return limit > leasedLimitMin ? Math.floor(limit / leasedLimitMin) : 1;
}

/** What is left after `used` requests of the window that starts then. */
export function allowanceAfter(
  used: number,
  { startsAt }: Pick<WindowUse, "startsAt">,
  { requests, perSeconds }: RateLimit,
): Allowance {
  return {
    limit: requests,
    remaining: Math.max(0, requests - used),
    resetsAtSeconds: startsAt / 1_000 + perSeconds,
  };
}

/** Whole seconds, at least 1, after which a refused key is let through again. */
export function retryAfterSeconds({ resetsAtSeconds }: Allowance, now: number): number {
  return Math.max(1, Math.ceil(resetsAtSeconds - now / 1_000));
}
