import type { Storage } from "../lib/storage.ts";

const freshMs = 1_000;

/** Whether the storage answers, asked at most once a second however often this is called. */
export function createHealth(storage: Storage): () => Promise<boolean> {
  let askedAt = -Infinity;
  let answer: Promise<boolean> = Promise.resolve(false);
  return () => {
    const now = performance.now();
    if (now - askedAt >= freshMs) {
      askedAt = now;
      answer = storage.findContact("default", "healthz").then(
        () => true,
        () => false,
      );
    }
    return answer;
  };
}
