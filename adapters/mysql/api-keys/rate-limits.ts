import { leaseOf, wholeMinute } from "../../../lib/decisions/rate-limit.ts";
import type { RateWindow, WindowUse } from "../../../lib/storage/rows.ts";

/** Takes `n` out of an API key's window in the database. */
export type Count = (apiKeyId: string, limit: number, window: RateWindow, n: number) => Promise<WindowUse>;

/** The current window of an API key, as this process knows it. */
interface Window {
  limit: number;
  startsAt: number;
  endsAt: number;
  /** The requests taken in advance from the window that starts at `takenFrom`: `next` is the first, `end` is after the last. */
  next: number;
  end: number;
  takenFrom: number;
  /** The minute that the database has stored as the key's last use. */
  minute: number;
  waiting: Taker[];
  isCounting: boolean;
}

interface Taker {
  n: number;
  now: number;
  resolve(use: WindowUse): void;
  reject(error: unknown): void;
}

export interface RateLimits {
  consume: Count;
  forget(apiKeyId: string): void;
}

/**
 * Runs one statement at a time per key, for all calls that wait. Once a window is used up, further calls need no statement.
 */
export function createRateLimits(count: Count): RateLimits {
  const windows = new Map<string, Window>();

  function windowOf(apiKeyId: string, limit: number, { startsAt, endsAt }: RateWindow): Window {
    const known = windows.get(apiKeyId);
    if (known?.limit === limit && known.startsAt === startsAt && known.endsAt === endsAt) return known;
    const nothingTaken = { next: 0, end: 0, takenFrom: startsAt };
    const window = { limit, startsAt, endsAt, ...nothingTaken, minute: NaN, waiting: [], isCounting: false };
    windows.set(apiKeyId, window);
    return window;
  }

  async function countWaiting(apiKeyId: string, window: Window): Promise<void> {
    window.isCounting = true;
    for (;;) {
      const first = window.waiting[0];
      if (!first) break;
      // Uses up the old lease first, because a new lease replaces it.
      if (isLeased(window, first)) {
        window.waiting.shift();
        first.resolve(take(window, first.n));
        continue;
      }
      const takers = window.waiting.splice(0);
      try {
        await lease(count, apiKeyId, window, takers);
        for (const { n, resolve } of takers) resolve(take(window, n));
      } catch (error) {
        for (const { reject } of takers) reject(error);
      }
    }
    window.isCounting = false;
  }

  return {
    consume(apiKeyId, limit, rateWindow, n) {
      const { now } = rateWindow;
      const window = windowOf(apiKeyId, limit, rateWindow);
      const isSpent = window.next >= limit;
      if (isSpent || (isLeased(window, { n, now }) && !window.isCounting)) return Promise.resolve(take(window, n));
      return new Promise((resolve, reject) => {
        window.waiting.push({ n, now, resolve, reject });
        if (!window.isCounting) void countWaiting(apiKeyId, window);
      });
    },
    forget: (apiKeyId) => void windows.delete(apiKeyId),
  };
}

/** Takes requests from the key's window in the database: enough for the takers, and more in advance if the limit is large. */
async function lease(count: Count, apiKeyId: string, window: Window, takers: readonly Taker[]): Promise<void> {
  const { limit, startsAt, endsAt } = window;
  // There is at least one taker.
  const { now } = takers.at(-1)!;
  const wanted = takers.reduce((sum, { n }) => sum + n, 0);
  // If enough is left, the statement only stores the key's use.
  const isLeft = window.end - window.next >= wanted;
  const n = isLeft ? 0 : Math.max(wanted, leaseOf(limit));
  const use = await count(apiKeyId, limit, { startsAt, endsAt, now }, n);
  window.minute = wholeMinute(now);
  if (isLeft && window.end > window.next) return;
  window.next = use.takenBefore;
  window.end = Math.min(use.takenBefore + n, limit);
  window.takenFrom = use.startsAt;
}

function isLeased(window: Window, { n, now }: Pick<Taker, "n" | "now">): boolean {
  return window.end - window.next >= n && window.minute === wholeMinute(now);
}

function take(window: Window, n: number): WindowUse {
  const takenBefore = window.next;
  window.next = Math.min(takenBefore + n, window.end);
  return { takenBefore, startsAt: window.takenFrom };
}
