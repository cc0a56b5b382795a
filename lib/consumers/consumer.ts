/** Takes the changes of a subscription, and runs the handlers. */
import { isTrackerError, type TrackerError } from "../model/errors.ts";
import { changesPauseMs, sweepSecondsDefault, timerMaxMs } from "../model/limits.ts";
import type { Consumed, Consumer } from "../model/consumer-types.ts";
import type { ConsumerPlace, TakeRequest } from "../storage/consumers.ts";
import { createBell } from "../work/bell.ts";
import { catchUp } from "../work/index.ts";
import { lookFor, lookNow } from "../work/looks.ts";
import type { Handling } from "./handling.ts";
import { createLeasedSlots, isUnavailable } from "./leased-slots.ts";
import { createHandlers } from "./running.ts";
import { createTaker } from "./taking.ts";

/** The settings of a consumer. */
export interface Consuming extends Handling {
  key: string;
  concurrency: number;
  leaseSeconds: number;
  /** Whether the consumer ends at the first error, and when no change is left to handle. */
  untilCaughtUp: boolean;
  /** How long a stopped consumer waits for its handlers before it aborts them. */
  stopWaitMs: number;
  /** Given for a webhook. Decides before each take. `isIdle` if no handler runs. */
  nextTurn?(isIdle: boolean): Turn;
}

/** The time until another turn, or what to take, with the pause if there is nothing to take. */
export type Turn = { waitMs: number } | { probe?: NonNullable<TakeRequest["probe"]>; pauseMs?: number };

/** Begins to consume. `ended` resolves with the numbers of changes. */
export function startConsumer(consuming: Consuming): Pick<Consumer, "stop" | "stats"> & { ended: Promise<Consumed> } {
  const { scope, key, concurrency, untilCaughtUp } = consuming;
  const leaseMs = consuming.leaseSeconds * 1_000;
  const leased = createLeasedSlots(scope, leaseMs);
  const bell = createBell();
  const handlers = createHandlers(consuming, concurrency, leased, bell, report);
  const take = createTaker(scope, key, leased, leaseMs, consuming.nextTurn !== undefined);

  function report(error: unknown): void {
    // Not reported if the storage is unavailable: the process's own calls of the storage reject with the same error.
    if (!isUnavailable(error)) scope.report?.(error);
  }

  let isWaiting = false;
  /** Whether this process has committed changes since the last take began. */
  let hasNews = false;

  function onCommit(): void {
    hasNews = true;
    if (untilCaughtUp) bell.ring();
    else if (isWaiting) lookNow(scope.storage);
  }

  /** Waits until a handler has ended, or a look finds something to take. */
  async function waitAt(place: ConsumerPlace): Promise<void> {
    isWaiting = true;
    const { storage, workspace } = scope;
    const stopLooking = lookFor(storage, { reader: { workspace, key, ...place }, found: bell.ring });
    if (hasNews) lookNow(storage);
    await bell.rung(timerMaxMs);
    stopLooking();
    isWaiting = false;
  }

  /** Resolves with `true` when the consumer is caught up. */
  async function round(): Promise<boolean> {
    await handlers.release();
    const turn = consuming.nextTurn?.(handlers.isIdle()) ?? {};
    if ("waitMs" in turn) {
      await bell.rung(Math.min(turn.waitMs, changesPauseMs));
      return false;
    }
    if (!handlers.isFull()) {
      hasNews = false;
      const { slots, busy, more, place } = await take(handlers.limit(), turn.probe);
      if (slots.length > 0) {
        await handlers.begin(slots);
        return false;
      }
      // The next call may find changes at once: the last pass may have been full of other subscriptions' changes.
      if (more) return false;
      if (untilCaughtUp && !busy && handlers.isIdle()) return true;
      if (!untilCaughtUp && !turn.probe) {
        await waitAt(place);
        return false;
      }
    }
    await bell.rung(turn.pauseMs ?? changesPauseMs);
    return false;
  }

  async function runRounds(): Promise<Consumed> {
    let isUndefined = false;
    while (!handlers.isStopped()) {
      try {
        if (await round()) return handlers.counts;
        isUndefined = false;
      } catch (error) {
        if (untilCaughtUp || isCode(error, "changes_expired") || isCode(error, "subscription_conflict")) throw error;
        // The subscription may be defined later. The consumer reports this error once, and waits.
        const wasUndefined = isUndefined;
        isUndefined = isCode(error, "definition_not_found");
        if (!isUndefined || !wasUndefined) report(error);
        await (isUndefined ? waitAt({ after: 0, slotState: null }) : bell.rung(changesPauseMs));
      }
    }
    // Rejects if the close of the tracker ended the rounds.
    if (untilCaughtUp) scope.closed?.throwIfAborted();
    return handlers.counts;
  }

  async function run(): Promise<Consumed> {
    scope.closed?.throwIfAborted();
    const unwatch = scope.storage.watchChanges(scope.workspace, onCommit);
    const endRenewal = leased.renew();
    try {
      if (untilCaughtUp) await catchUp(scope, sweepSecondsDefault);
      return await runRounds();
    } finally {
      handlers.stop();
      await handlers.ended();
      endRenewal();
      unwatch();
    }
  }

  const ended = run();
  return {
    ended,
    stats: () => ({ ...handlers.counts }),
    async stop() {
      handlers.stop();
      const timer = setTimeout(() => leased.abort(new Error("The consumer was stopped.")), consuming.stopWaitMs);
      await ended.catch(() => {});
      clearTimeout(timer);
    },
  };
}

function isCode(error: unknown, code: TrackerError["code"]): boolean {
  return isTrackerError(error) && error.code === code;
}
