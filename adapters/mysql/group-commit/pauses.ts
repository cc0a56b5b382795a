import { unavailableBecause } from "../connection/index.ts";
import { nextPauseMs, prepareRetry } from "../transactions/index.ts";
import type { Call } from "./call.ts";

/** The calls that wait between two tries. */
export interface Pauses<Item, Result> {
  /** Does `again` with each call after a pause, or refuses it if another try would not help. */
  pause(calls: readonly Call<Item, Result>[], error: unknown, again: (call: Call<Item, Result>) => void): void;
  /** Refuses the calls that pause, and all that would. */
  close(): void;
}

export function createPauses<Item, Result>(
  refuse: (call: Call<Item, Result>, error: unknown) => void,
  retried: (error: unknown) => void,
): Pauses<Item, Result> {
  const pausing = new Set<Call<Item, Result>>();
  let closed = false;

  /** Whether the call is tried again, and not refused. */
  function pauseOne(call: Call<Item, Result>, error: unknown, again: (call: Call<Item, Result>) => void): boolean {
    try {
      prepareRetry(call.retries, error);
      if (closed) throw unavailableBecause("closed");
    } catch (refusal) {
      refuse(call, refusal);
      return false;
    }
    call.obstacle = error;
    pausing.add(call);
    setTimeout(() => {
      if (pausing.delete(call)) again(call);
    }, nextPauseMs(call.retries));
    return true;
  }

  return {
    pause(calls, error, again) {
      const paused = calls.filter((call) => pauseOne(call, error, again));
      if (paused.length > 0) retried(error);
    },
    close() {
      closed = true;
      for (const call of pausing) refuse(call, unavailableBecause("closed"));
      pausing.clear();
    },
  };
}
