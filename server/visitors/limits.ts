import { eventMaxBytes, eventsPerRequestMax } from "./agreed.ts";

/** The size of a body with as many events as possible, all of the largest size. */
export const bodyMaxBytes: number = (eventsPerRequestMax + 1) * eventMaxBytes;
/** The limit for all events, completions, dismissals, restorations and calls of `create` of a visitor. People are slower. */
export const itemsPerMinuteMax = 60;
/** The limit for the reads of a visitor. An open page makes six a minute. */
export const readsPerMinuteMax = 120;
/** The largest number of visitors in a table of this process. Each takes some hundred bytes. */
export const visitorsMax = 10_000;
/** The time for which `create` is not called again after a refusal. */
export const refusedMs = 60_000;
/** The number of secrets of a workspace: an old one and the one that replaces it. */
export const secretsMax = 2;
/** The clocks of the door and of the host that signs may differ by this. */
export const leewaySeconds = 60;
/** The longest time from now until the end of a token. */
export const tokenMaxSeconds: number = 24 * 60 * 60;
/** The longest time since a token was signed that may create a contact. */
export const freshMaxSeconds: number = 5 * 60;
