import type { Tracker } from "../../lib/index.ts";
import { emailOf } from "./databases.ts";

export const subscription = {
  key: "everything",
  on: { events: true, contacts: true, checklists: true },
} as const;

export const contacts = 10_000;

/** 1,000 events a second for 20 s. Their changes have the ids of the events. */
export function steadyEvents(tracker: Tracker): { ticks: number; perTick: number; track(n: number): Promise<string> } {
  return {
    ticks: 2_000,
    perTick: 10,
    track: async (n) =>
      (await tracker.events.track({ externalId: emailOf(n % contacts), eventKey: "page_viewed" })).event.id,
  };
}
