export { retriedIfBehind } from "./galera-retry.ts";
export { completionsInside, createCompletions } from "./by-hand.ts";
export { findDefined } from "./defined.ts";
export { createEventLists, listEvents, listRecentEvents } from "./lists.ts";
export { createPruning, findPrunedBefore } from "./pruning.ts";
export { batchedEvents, bytesOfEvent, recordEvents } from "./record.ts";
