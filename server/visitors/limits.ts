import { eventMaxBytes, eventsPerRequestMax } from "./agreed.ts";

/** A body of the largest events. */
export const bodyMaxBytes: number = (eventsPerRequestMax + 1) * eventMaxBytes;
/** The events, completions, dismissals and restorations of a visitor, and the calls of `create`. People are slower. */
export const itemsPerMinuteMax = 60;
/** The visitors in a table of this process. Each takes some hundred bytes. */
export const visitorsMax = 10_000;
/** The time for which `create` is not called again after a refusal. */
export const refusedMs = 60_000;
