/** Trackers with a subscription to all changes, and handlers that wait to be told their outcome. */
import type { Change, Tracker } from "../../lib/index.ts";
import { createTracker } from "../../lib/index.ts";
import { asTested } from "./through-client.ts";
import { memoryStorage, type MemoryStorage, type MemoryTransaction } from "../../adapters/memory/index.ts";

export interface Subscribed {
  tracker: Tracker<MemoryTransaction>;
  storage: MemoryStorage;
  /** The messages of the errors that the tracker has reported. */
  errors: string[];
}

/** A tracker whose clock stands still. Ids of the present would come before those of the tests that follow in this process. */
export function trackerOn(
  storage: MemoryStorage,
  onMessage: (message: string) => void = () => {},
): Tracker<MemoryTransaction> {
  const onError = (error: unknown): void => onMessage(error instanceof Error ? error.message : String(error));
  return createTracker({ storage, onError, now: () => new Date("2026-01-31T09:00:00.000Z") });
}

/** A tracker with the subscription "all". */
export async function subscribed(storage: MemoryStorage = memoryStorage()): Promise<Subscribed> {
  const errors: string[] = [];
  const tracker = asTested(
    trackerOn(storage, (message) => errors.push(message)),
    storage,
  );
  await tracker.subscriptions.define({ key: "all", on: { events: true, contacts: true } });
  return { tracker, storage, errors };
}

/** What a change is about, in a few words. */
export function named(change: Change): string {
  if (change.kind === "event_recorded") return change.event.eventKey;
  return change.kind;
}

/** A promise, and the function that resolves it. */
export function deferred<Value = void>(): { promise: Promise<Value>; resolve(value: Value): void } {
  const settle: { resolve?: (value: Value) => void } = {};
  const promise = new Promise<Value>((resolve) => (settle.resolve = resolve));
  // The promise has called its function by now.
  return { promise, resolve: (value) => settle.resolve!(value) };
}
