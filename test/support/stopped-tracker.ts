import { memoryStorage, type MemoryStorage, type MemoryTransaction } from "../../adapters/memory/index.ts";
import { asTested } from "./through-client.ts";
import { createTracker, TrackerError, type Tracker } from "../../lib/index.ts";

export interface Clock {
  set(time: string): void;
}

/** A tracker over a memory of its own, whose clock stands still until it is set. */
export function stoppedTracker(startsAt = "2026-01-31T09:00:00.000Z"): {
  tracker: Tracker<MemoryTransaction>;
  storage: MemoryStorage;
  clock: Clock;
} {
  let now = new Date(startsAt);
  const storage = memoryStorage();
  const tracker = createTracker({ storage, rateLimit: false, now: () => now });
  return { tracker: asTested(tracker, storage), storage, clock: { set: (time) => (now = new Date(time)) } };
}

/** What the call was refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<TrackerError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof TrackerError) return error;
    throw error;
  }
  throw new Error("the call was not refused");
}

/** What is wrong with a call's input, each issue as `path code`; a path is empty for the whole input. */
export async function issuesOf(call: Promise<unknown>): Promise<string[]> {
  const refusal = await refusalOf(call);
  if (refusal.code !== "invalid_input") throw new Error(`the call was refused with ${refusal.code}`);
  return refusal.issues.map(({ path, code }) => `${path} ${code}`);
}

/** For calls that TypeScript would refuse. */
export function untyped(value: unknown): never {
  return value as never;
}
