import type { Storage } from "../lib/storage.ts";

const freshMs = 1_000;

/** Whether the storage answers, asked at most once a second however often this is called. */
export function createHealth(storage: Storage): () => Promise<boolean> {
  let askedAt = -Infinity;
  let answer: Promise<boolean> = Promise.resolve(false);
  const ask = async (): Promise<boolean> => {
    try {
      await storage.findContact("default", "healthz");
      return true;
    } catch {
      return false;
    }
  };
  return () => {
    const now = performance.now();
    if (now - askedAt >= freshMs) {
      askedAt = now;
      answer = ask();
    }
    return answer;
  };
}
