import { setTimeout as sleep } from "node:timers/promises";
import type { Storage } from "../lib/storage/port.ts";

const freshMs = 1_000;
/** A load balancer that waits for a frozen database gives up sooner than the storage does. */
const patienceMs = 1_000;
/** No key has it: ids are made with a version and a time. */
const nobodysId = "00000000-0000-0000-0000-000000000000";

/**
 * Whether the storage takes writes, asked at most once a second however often this is called. One that has not answered within
 * a second does not, and is not asked again before it has.
 */
export function createHealth(storage: Storage): () => Promise<boolean> {
  let askedAt = -Infinity;
  let isAsking = false;
  let answer: Promise<boolean> = Promise.resolve(false);
  const ask = async (): Promise<boolean> => {
    isAsking = true;
    try {
      // A write that changes nothing: a primary that was demoted still answers reads.
      await storage.deleteApiKey("default", nobodysId);
      return true;
    } catch {
      return false;
    } finally {
      isAsking = false;
    }
  };
  return () => {
    const now = performance.now();
    if (now - askedAt >= freshMs && !isAsking) {
      askedAt = now;
      answer = inTime(ask());
    }
    return answer;
  };
}

async function inTime(asked: Promise<boolean>): Promise<boolean> {
  const answered = new AbortController();
  const late = sleep(patienceMs, false, { signal: answered.signal }).catch(() => false);
  return Promise.race([asked, late]).finally(() => answered.abort());
}
