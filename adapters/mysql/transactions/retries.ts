/**
 * Three steps find the outcome of a COMMIT whose answer was lost. The session throws `UnknownOutcome`. The state of the call
 * becomes `uncertain`, and the call gets its whole time again. Its next try looks for the ids that the library made beforehand:
 * a row that exists was committed. The file of each kind of write documents its search. A caller's transaction has no such
 * steps: see `callers.ts`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { lockedContactWaitMs } from "../../../lib/model/limits.ts";
import { errors } from "../connection/index.ts";
import type { Findings } from "./work.ts";

/** The state of one call that is tried again and again. */
export interface RetryState extends Findings {
  /** When to stop trying, on the clock of `performance`. */
  until: number;
  /** How long to pause before the next try. */
  pauseMs: number;
}

export function newRetryState(until: number = endOfTries()): RetryState {
  return { duplicateMet: false, uncertain: false, intent: null, behind: false, staleMarks: false, until, pauseMs: 5 };
}

/** Returns the time at which a call that begins now stops trying. */
export function endOfTries(): number {
  return performance.now() + lockedContactWaitMs;
}

/** Notes what a failed try has shown. Throws the call's error if another try would not help, or if it is too late for one. */
export function prepareRetry(state: RetryState, error: unknown): void {
  const fault = errors.faultOf(error);
  if (fault === "given_up") throw errors.translate(error);
  if (fault === "duplicate") state.duplicateMet = true;
  if (error instanceof errors.Behind) state.behind = true;
  if (errors.isStaleMarks(error)) state.staleMarks = true;
  if (fault === "unknown" && !state.uncertain) {
    state.uncertain = true;
    // The next tries find out what happened, so they get the whole time.
    state.until = endOfTries();
  }
  if (performance.now() >= state.until) throw errors.translate(error);
}

/** The pause before the next try: 5 to 100 ms, spread so that calls that collided do not collide again. */
export function nextPauseMs(state: RetryState): number {
  const { pauseMs } = state;
  state.pauseMs = Math.min(pauseMs * 2, 100);
  return pauseMs * (0.5 + Math.random() / 2);
}

/** Tries again while that may help and the time is not over. Calls `retried` with each error that it retries. */
export async function persist<Result>(
  retried: (error: unknown) => void,
  once: (state: RetryState) => Promise<Result>,
): Promise<Result> {
  const state = newRetryState();
  for (;;) {
    try {
      return await once(state);
    } catch (error) {
      prepareRetry(state, error);
      retried(error);
      await sleep(nextPauseMs(state));
    }
  }
}
