import type { TryResult } from "../decisions/webhooks.ts";
import { webhookPauseDefaultMs, webhookPauseMaxMs, webhookPauseMinMs } from "../model/limits.ts";

/** Reads the answer of an endpoint. `now` resolves a date in `Retry-After`. */
export function resultOf(status: number, retryAfter: string | null, now: number): TryResult {
  if (status >= 200 && status <= 299) return { kind: "delivered", status };
  const error = `The endpoint answered ${status}.`;
  if (status === 410) return { kind: "gone", status, error };
  if (status === 429 || (status === 503 && retryAfter !== null))
    return { kind: "paused", status, pauseMs: Math.min(pauseIn(retryAfter, now), webhookPauseMaxMs) };
  return { kind: "failed", status, error };
}

/** Reads seconds or a date. `Date.parse` alone would read `1.5` as a date too. */
function pauseIn(retryAfter: string | null, now: number): number {
  if (retryAfter === null || !/^(\d+$|[A-Z])/i.test(retryAfter)) return webhookPauseDefaultMs;
  const pauseMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isNaN(pauseMs) ? webhookPauseDefaultMs : Math.max(webhookPauseMinMs, pauseMs);
}
