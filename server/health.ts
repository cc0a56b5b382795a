import { setTimeout as sleep } from "node:timers/promises";
import type { Storage } from "../lib/storage/port.ts";

const freshMs = 1_000;
/** Shorter than the timeouts of the storage. If the database is frozen, a load balancer would give up before those end. */
const patienceMs = 1_000;
/** No API key has this id: a UUIDv7 has a version and a timestamp. */
const nobodysId = "00000000-0000-0000-0000-000000000000";

/**
 * Returns a function that checks whether the storage accepts writes. It asks the storage at most once a second. A storage that
 * does not answer within a second counts as unavailable, and is not asked again until it has answered.
 */
export function createHealth(storage: Storage): () => Promise<boolean> {
  let askedAt = -Infinity;
  let isAsking = false;
  let answer: Promise<boolean> = Promise.resolve(false);
  const ask = async (): Promise<boolean> => {
    isAsking = true;
    try {
      // This write changes nothing, but waits for the disk. A read is not enough: a replica answers reads too.
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
