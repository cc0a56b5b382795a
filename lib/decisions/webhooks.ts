/** Decides about the endpoints of webhooks: what a try tells, when the next may begin, and which secrets sign. */
import * as limits from "../model/limits.ts";
import type { Refused, SecretRow, WebhookState } from "../storage/rows.ts";

/** The state of an endpoint that was never tried. */
export const newWebhook: WebhookState = {
  failures: 0,
  firstFailureAt: null,
  lastSuccessAt: null,
  lastTryAt: null,
  lastStatus: null,
  lastError: null,
  pausedUntil: 0,
  downSince: null,
  probes: 0,
  nextProbeAt: 0,
  disabledAt: null,
  disabledReason: null,
};

/** The result of a try. `status` is `null` without an answer. */
export type TryResult =
  | { kind: "delivered"; status: number }
  | { kind: "paused"; status: number; pauseMs: number }
  | { kind: "failed" | "gone"; status: number | null; error: string };

/** `pace` shortens all times: faults run with a thousandth of them. */
export interface Pace {
  pace: number;
}

/** The state after a try; the same object if nothing is to be stored. */
export function stateAfter(
  state: WebhookState,
  result: TryResult,
  { now, isProbe, pace }: Pace & { now: number; isProbe: boolean },
): WebhookState {
  const seen = { lastTryAt: now, lastStatus: result.status, lastError: null };
  switch (result.kind) {
    case "delivered": {
      const isNews = state.failures > 0 || state.downSince !== null || state.lastError !== null;
      if (!isNews && now - (state.lastSuccessAt ?? -Infinity) < limits.successStoredMs * pace) return state;
      const up = { failures: 0, firstFailureAt: null, downSince: null, probes: 0, nextProbeAt: 0 };
      return { ...state, ...seen, ...up, lastSuccessAt: now };
    }
    case "gone":
      return { ...state, ...seen, lastError: result.error, ...disabled("gone", now) };
    case "paused":
      return { ...state, ...seen, pausedUntil: Math.max(state.pausedUntil, now + result.pauseMs * pace) };
    case "failed": {
      const failed = { ...state, ...seen, lastError: result.error };
      if (state.downSince !== null) return isProbe ? afterProbe(failed, state.downSince, now, pace) : state;
      const failures = state.failures + 1;
      const firstFailureAt = state.firstFailureAt ?? now;
      const isDown = failures >= limits.failuresUntilDown && now - firstFailureAt >= limits.failingUntilDownMs * pace;
      const down = isDown ? { downSince: now, probes: 0, nextProbeAt: now + pauseAt(0) * pace } : {};
      return { ...failed, failures, firstFailureAt, ...down };
    }
  }
}

function afterProbe(failed: WebhookState, downSince: number, now: number, pace: number): WebhookState {
  // A probe of a contact that was not tried yet is in addition to those at the pauses. It would postpone them by up to a day.
  const isAdditional = failed.nextProbeAt > now + probeLease(pace);
  const probes = failed.probes + 1;
  const isTooLong = now - downSince >= limits.downUntilDisabledMs * pace;
  const next = isAdditional ? {} : { probes, nextProbeAt: now + pauseAt(probes) * pace };
  return { ...failed, ...next, ...(isTooLong && disabled("down_too_long", now)) };
}

export function disabled(
  disabledReason: NonNullable<WebhookState["disabledReason"]>,
  disabledAt: number,
): Pick<WebhookState, "disabledAt" | "disabledReason"> {
  return { disabledAt, disabledReason };
}

/** The pause in milliseconds. The last one repeats. */
function pauseAt(index: number): number {
  return 1_000 * limits.webhookPausesSeconds[Math.min(index, limits.webhookPausesSeconds.length - 1)]!;
}

/** The tries that may begin now. `untriedOnly` takes a contact that was not tried since the endpoint went down. */
export type Turn = { kind: "any" } | { kind: "probe"; untriedOnly: boolean } | { kind: "none"; until: number };

export function turnAt(state: WebhookState, now: number, { pace }: Pace): Turn {
  if (state.disabledAt !== null) return { kind: "none", until: Infinity };
  if (state.pausedUntil > now) return { kind: "none", until: state.pausedUntil };
  if (state.downSince === null) return { kind: "any" };
  if (state.nextProbeAt <= now) return { kind: "probe", untriedOnly: false };
  const untriedAt = Math.max(state.lastTryAt ?? 0, state.downSince) + limits.untriedPauseMs * pace;
  if (untriedAt <= now) return { kind: "probe", untriedOnly: true };
  return { kind: "none", until: Math.min(untriedAt, state.nextProbeAt) };
}

/** The state while a probe runs, so that no other process begins one. */
export function probing(state: WebhookState, now: number, { pace }: Pace): WebhookState {
  return { ...state, lastTryAt: now, nextProbeAt: Math.max(state.nextProbeAt, now + probeLease(pace)) };
}

function probeLease(pace: number): number {
  return limits.probeLeaseMs * Math.max(pace, 0.05);
}

/**
 * The failure of a contact's change, after the state has counted the try. Tries of an endpoint that is down do not count. After the
 * last try the contact is parked if others were delivered since its first try. `random` is from 0 to 1, and spreads the pauses
 * by a fifth.
 */
export function contactFailure(
  failuresBefore: number,
  state: WebhookState,
  { now, random, pace }: Pace & { now: number; random: number },
): { failures: number; pauseMs: number | null } {
  const spread = (0.9 + random / 5) * pace;
  if (state.downSince !== null) return { failures: failuresBefore, pauseMs: pauseAt(0) * spread };
  const failures = failuresBefore + 1;
  const pauseMs = pauseAt(failures - 1) * spread;
  if (failures <= limits.webhookPausesSeconds.length) return { failures, pauseMs };
  // The pauses took at least so long in all.
  const triedMs = 0.9 * pace * 1_000 * limits.webhookPausesSeconds.reduce((sum, pause) => sum + pause, 0);
  const others = state.lastSuccessAt !== null && state.lastSuccessAt > now - triedMs;
  return { failures, pauseMs: others ? null : pauseMs };
}

/** The state after a person has asked to go on. */
export function enabled({ lastSuccessAt, lastTryAt, lastStatus, lastError }: WebhookState): WebhookState {
  return { ...newWebhook, lastSuccessAt, lastTryAt, lastStatus, lastError };
}

/** Those of a webhook's secrets that sign: the newest first. */
export function signingSecrets(secrets: readonly SecretRow[], now: number): SecretRow[] {
  return secrets
    .filter(({ endsAt }) => endsAt === null || endsAt > now)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

/** The secrets to store. The standing one signs for a day more. Refuses a third with `secrets_taken`. */
export function addSecret(
  stored: readonly SecretRow[],
  draft: Pick<SecretRow, "id" | "secret">,
  now: number,
): SecretRow[] | Refused {
  const standing = signingSecrets(stored, now);
  if (standing.length > 1) return { refused: { code: "secrets_taken" } };
  return [
    { ...draft, createdAt: now, endsAt: null },
    ...standing.map((secret) => ({ ...secret, endsAt: now + limits.olderSecretMs })),
  ];
}

/** The secrets to store. The one that is left signs without an end. */
export function withoutSecret(stored: readonly SecretRow[], id: string, now: number): SecretRow[] {
  return signingSecrets(stored, now)
    .filter((secret) => secret.id !== id)
    .map((secret) => ({ ...secret, endsAt: null }));
}
