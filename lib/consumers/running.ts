import { setImmediate as nextTurn } from "node:timers/promises";
import { changesTakenMax, roundMs } from "../model/limits.ts";
import type { Consumed } from "../model/consumer-types.ts";
import type { Bell } from "../work/bell.ts";
import { handle, type Handling } from "./handling.ts";
import { positionAfter, type LeasedSlot, type LeasedSlots } from "./leased-slots.ts";

/** Runs the handlers of one consumer. */
export interface Handlers {
  /** Begins to handle the slots as other handlers end. Gives back slots that it cannot begin within `roundMs`. */
  begin(slots: readonly LeasedSlot[]): Promise<void>;
  /** Whether no further handler may run. */
  isFull(): boolean;
  /** Whether no handler runs, and every slot is released. */
  isIdle(): boolean;
  /** Releases the slots that are done or given back. */
  release(): Promise<void>;
  /** Lets no further handler begin. */
  stop(): void;
  isStopped(): boolean;
  /** Resolves when the handlers have ended and their slots are released. */
  ended(): Promise<void>;
  /** The number of changes to take at once: about as many as are handled within `roundMs`. Other consumers get the rest. */
  limit(): number;
  counts: Consumed;
}

/** The bell rings when a handler has ended, and when the handlers are stopped. */
export function createHandlers(
  handling: Handling,
  concurrency: number,
  leased: LeasedSlots,
  bell: Bell,
  report: (error: unknown) => void,
): Handlers {
  const counts = { handled: 0, failed: 0 };
  let running = 0;
  let isStopped = false;
  let done: LeasedSlot[] = [];
  let limit = concurrency;

  function start(slot: LeasedSlot, deadline: number): void {
    running++;
    const mayBegin = (): boolean => !isStopped && performance.now() < Math.min(deadline, slot.leasedUntil);
    void work(handling, leased, slot, counts, mayBegin, () => isStopped)
      .catch(report)
      .then(() => {
        running--;
        done.push(slot);
        bell.ring();
      });
  }

  async function release(): Promise<void> {
    const slots = done;
    done = [];
    try {
      await leased.release(slots);
    } catch (error) {
      done.push(...slots);
      throw error;
    }
  }

  return {
    async begin(slots) {
      const handledBefore = counts.handled;
      const deadline = performance.now() + roundMs;
      for (const slot of slots) {
        while (running === concurrency && !isStopped && performance.now() < deadline) {
          await bell.rung(deadline - performance.now());
        }
        if (running === concurrency) done.push(slot);
        else start(slot, deadline);
      }
      // Lets quick handlers end, so that their slots are released together.
      await nextTurn();
      const isQuick = performance.now() < deadline;
      const handled = counts.handled - handledBefore;
      limit = isQuick ? Math.min(limit * 2, changesTakenMax) : Math.min(limit, Math.max(concurrency, handled));
    },
    isFull: () => running === concurrency,
    isIdle: () => running === 0 && done.length === 0,
    release,
    stop() {
      isStopped = true;
      bell.ring();
    },
    isStopped: () => isStopped,
    async ended() {
      while (running > 0) await bell.rung(roundMs);
      // A lease that cannot be released ends by itself.
      await release().catch(() => {});
    },
    limit: () => limit,
    counts,
  };
}

/** Handles the changes of the slot one after another, as long as `mayBegin` allows. */
async function work(
  handling: Handling,
  leased: LeasedSlots,
  slot: LeasedSlot,
  counts: Consumed,
  mayBegin: () => boolean,
  isStopped: () => boolean,
): Promise<void> {
  // If a change failed, later changes of the same contact are not handled now, because the contact waits.
  const failed = new Set<string>();
  for (const item of slot.items) {
    if (!failed.has(item.contactId)) {
      if (slot.isGivenUp || !mayBegin()) return;
      const outcome = await handle(handling, leased, slot, item, isStopped);
      if (outcome === "left") return;
      counts[outcome]++;
      if (outcome === "failed") failed.add(item.contactId);
    }
    slot.position = positionAfter(slot, item);
  }
  slot.position = slot.end;
}
