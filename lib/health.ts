import { within } from "./bulk/turns.ts";
import type { Scope } from "./scope.ts";

/** The result of `health`. */
export interface Health {
  /** Whether the storage takes writes, and the tracker is not closed. */
  ok: boolean;
  /**
   * Why it is not ok; `null` if it is. A code of the driver or the system, or a word of our own, such as `expired` (no answer within a
   * second), `no_connection` or `closed`. Never a received value.
   */
  cause: string | null;
}

/** The health of a tracker. An interface of its own, because the compiler measures how `Tracker` varies by its members' types. */
export interface HealthMethods {
  /**
   * Checks whether the storage takes writes, for the health check of a process. Answers within a second, asks the storage at most once
   * a second, and is not ok from the call of `close()` on. Never rejects.
   * @example app.get("/healthz", async (_, response) => response.sendStatus((await tracker.health()).ok ? 200 : 503));
   */
  health(): Promise<Health>;
}

const freshMs = 1_000;
/** Shorter than the timeouts of the storage. If the database is frozen, a load balancer would give up before those end. */
const patienceMs = 1_000;
/** No API key has this id: a UUIDv7 has a version and a timestamp. */
const nobodysId = "00000000-0000-0000-0000-000000000000";

/**
 * Returns a function that checks whether the storage accepts writes. It asks the storage at most once a second. A storage that
 * does not answer within a second counts as unavailable, and is not asked again until it has answered.
 */
export function createHealth({ storage, closed }: Pick<Scope, "storage" | "closed">): () => Promise<Health> {
  let askedAt = -Infinity;
  let isAsking = false;
  let answer: Promise<Health>;
  const ask = async (): Promise<Health> => {
    isAsking = true;
    try {
      // This write changes nothing, but waits for the disk. A read is not enough: a replica answers reads too.
      await storage.deleteApiKey("default", nobodysId);
      return { ok: true, cause: null };
    } catch (error) {
      return { ok: false, cause: causeOf(error) };
    } finally {
      isAsking = false;
    }
  };
  return async () => {
    if (closed?.aborted) return { ok: false, cause: "closed" };
    const now = performance.now();
    if (now - askedAt >= freshMs && !isAsking) {
      askedAt = now;
      answer = within(patienceMs, ask(), { ok: false, cause: "expired" });
    }
    // A copy, because others get the same answer.
    return { ...(await answer) };
  };
}

/** The error code of the driver or the system, or a word of our own. Never a received value. */
export function causeOf(thrown: unknown): string {
  const { cause } = (thrown ?? {}) as { cause?: { code?: string } };
  return cause?.code ?? "unknown";
}
