import { leasedLimitMin } from "../model/limits.ts";
import type { ApiKeyOwner, RateWindow, WindowUse } from "../storage/rows.ts";

/** The number of requests per API key and window. Windows start at multiples of their length since the Unix epoch. */
export interface RateLimit {
  requests: number;
  perSeconds: number;
}

/** The state of the limit that a response shows in its headers. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** The end of the window, in seconds since the Unix epoch. */
  resetsAtSeconds: number;
}

/** The limit of this key, or else the common limit. */
export function limitOf(
  { requestsPerMinute }: Pick<ApiKeyOwner, "requestsPerMinute">,
  common: RateLimit | false,
): RateLimit | false {
  return requestsPerMinute === null ? common : { requests: requestsPerMinute, perSeconds: 60 };
}

/** Whether a request is refused, because earlier requests have used up the window. */
export function isExceeded({ takenBefore }: WindowUse, requests: number): boolean {
  return takenBefore >= requests;
}

export function windowAt(now: number, { perSeconds }: RateLimit): RateWindow {
  const lengthMs = perSeconds * 1_000;
  const startsAt = Math.floor(now / lengthMs) * lengthMs;
  return { startsAt, endsAt: startsAt + lengthMs, now };
}

/** Cuts a time to the minute: the precision of a key's last use. */
export function wholeMinute(now: number): number {
  return Math.floor(now / 60_000) * 60_000;
}

/**
 * The number of requests that a process takes out of a window at once. For a small limit it is 1, which is exact across
 * processes. For a large one it is a thousandth of the limit, so that most requests need no call to the storage.
 */
export function leaseOf(limit: number): number {
  return limit > leasedLimitMin ? Math.floor(limit / leasedLimitMin) : 1;
}

/** The allowance after `used` requests of the window that starts at `startsAt`. */
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

/** The number of whole seconds, at least 1, until a refused API key is accepted again. */
export function retryAfterSeconds({ resetsAtSeconds }: Allowance, now: number): number {
  return Math.max(1, Math.ceil(resetsAtSeconds - now / 1_000));
}
