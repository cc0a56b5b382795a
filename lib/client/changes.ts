import type { Change } from "../model/change-types.ts";
import { isTrackerError } from "../model/errors.ts";
import { changesPauseMs, changesPerReadMax, changesWaitMaxSeconds } from "../model/limits.ts";
import { withOwnSignal } from "../model/signals.ts";
import { isUnavailable, sleep } from "./retries.ts";

/** The query of a request for a page of changes. */
export interface ChangesQuery {
  after: unknown;
  limit: number;
  /** In seconds. */
  wait: number;
}

/** Sends a request for a page of changes. */
export type AskForChanges = (query: ChangesQuery, signal: AbortSignal) => Promise<Record<string, unknown>>;

/**
 * Yields the changes after the cursor until the signal is aborted. Asks again after the last change, and if the server does not
 * answer. Only requests after the last change wait, so that the first changes come at once.
 */
export async function* eachChange(
  ask: AskForChanges,
  cursor: unknown,
  ended: AbortSignal,
): AsyncGenerator<Change, never, undefined> {
  let after = cursor;
  let wait = 0;
  let limit = changesPerReadMax;
  for (;;) {
    const page = await withOwnSignal([ended], (signal) => unlessUnanswered(ask({ after, limit, wait }, signal)));
    if (page === null) {
      await sleep(changesPauseMs, ended);
      // The answer may have been too large to read.
      limit = Math.ceil(limit / 2);
      continue;
    }
    const changes = page["items"] as Change[];
    for (const change of changes) {
      ended.throwIfAborted();
      yield change;
    }
    after = page["cursor"];
    // A server of an earlier version does not send `more`. It answers a full page at once, even to a request that waits.
    wait = page["more"] === true ? 0 : changesWaitMaxSeconds;
    limit = Math.min(2 * limit, changesPerReadMax);
  }
}

/** Resolves with `null` if the server did not answer in time, or still limits the requests. */
async function unlessUnanswered<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (isTrackerError(error) && isUnavailable(error)) return null;
    throw error;
  }
}
