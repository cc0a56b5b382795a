import { setTimeout as sleep } from "node:timers/promises";
import type { Tracker } from "../../lib/index.ts";
import { emailOf } from "./databases.ts";

export const subscription = {
  key: "everything",
  on: { events: true, contacts: true, checklists: true },
} as const;

export const contacts = 10_000;

const tickMs = 10;
const perTick = 10;
const events = 20_000;

/** By id of the event, which is that of its change: the time of something, by `performance.now()`. */
export type Times = Map<string, number>;

/** Tracks an event of contact `n`, and resolves with its id. */
export async function trackOne(tracker: Tracker, n: number): Promise<string> {
  return (await tracker.events.track({ externalId: emailOf(n % contacts), eventKey: "page_viewed" })).event.id;
}

/** Tracks 1,000 events a second for 20 s. Resolves with the time of each answer. */
export async function trackSteadily(tracker: Tracker): Promise<Times> {
  const answered: Times = new Map();
  const begun = performance.now();
  const tracking: Promise<void>[] = [];
  for (let n = 0; n < events; n++) {
    if (n % perTick === 0) await sleep(begun + (n / perTick) * tickMs - performance.now());
    tracking.push(trackOne(tracker, n).then((id) => void answered.set(id, performance.now())));
  }
  await Promise.all(tracking);
  return answered;
}
