import { eventMaxBytes, eventsPerRequestMax } from "./agreed.ts";

/** A body of the largest events. */
export const bodyMaxBytes: number = (eventsPerRequestMax + 1) * eventMaxBytes;
/** The events, completions, dismissals and restorations of a visitor. People are slower. */
export const itemsPerMinuteMax = 60;
/** The visitors whose items are counted. Each takes some hundred bytes. */
export const countedVisitorsMax = 10_000;
/** Requests of a new visitor at once can end each other's transactions. */
export const createTriesMax = 3;
