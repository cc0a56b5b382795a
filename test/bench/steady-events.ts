import { setTimeout as sleep } from "node:timers/promises";
import type { Tracker } from "../../lib/index.ts";
import { format } from "./rounds.ts";

export const subscription = {
  key: "everything",
  on: { events: true, contacts: true, checklists: true },
} as const;

export const contacts = 10_000;

export function emailOf(contact: number): string {
  return `user${contact}@example.com`;
}

const perTick = 10;
const tickMs = 10;
const ticks = 2_000;

/** Tracks 1,000 events a second for 20 s. Resolves with the time when each was answered, by its id. */
export async function trackSteadily(tracker: Tracker): Promise<Map<string, number>> {
  const answered = new Map<string, number>();
  const begun = performance.now();
  const tracking: Promise<void>[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    await sleep(begun + tick * tickMs - performance.now());
    for (let n = 0; n < perTick; n++) tracking.push(trackOne(tracker, (tick * perTick + n) % contacts, answered));
  }
  await Promise.all(tracking);
  return answered;
}

/** Tracks an event, and notes when it was answered. */
export async function trackOne(tracker: Tracker, contact: number, answered: Map<string, number>): Promise<void> {
  const { event } = await tracker.events.track({ externalId: emailOf(contact), eventKey: "page_viewed" });
  answered.set(event.id, performance.now());
}

/** Prints the time from each answer until the change of the event was seen. */
export function printLags(
  name: string,
  answered: ReadonlyMap<string, number>,
  seen: ReadonlyMap<string, number>,
): void {
  const lags = Array.from(answered, ([id, at]) => Math.max(0, seen.get(id)! - at)).toSorted((a, b) => a - b);
  const at = (share: number): string => format(lags[Math.floor(lags.length * share)]!);
  console.log(`${name} after ${at(0.5)} ms, p99 ${at(0.99)}, at most ${at(0.99999)}`);
}
