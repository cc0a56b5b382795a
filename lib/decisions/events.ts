import type { EventSummary } from "../storage/rows.ts";

/** Counts one event more, as every storage does. */
export function addToSummary(summary: EventSummary, at: number): void {
  summary.count++;
  summary.firstAt = Math.min(summary.firstAt, at);
  summary.lastAt = Math.max(summary.lastAt, at);
}
