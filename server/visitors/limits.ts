import { eventMaxBytes, eventsPerRequestMax } from "./agreed.ts";

/** The size of a body with as many events as possible, all of the largest size. */
export const bodyMaxBytes: number = (eventsPerRequestMax + 1) * eventMaxBytes;
/** The limit for all events, completions, dismissals, restorations and calls of `create` of a visitor. People are slower. */
export const itemsPerMinuteMax = 60;
/** The largest number of visitors in a table of this process. Each takes some hundred bytes. */
export const visitorsMax = 10_000;
/** The time for which `create` is not called again after a refusal. */
export const refusedMs = 60_000;
