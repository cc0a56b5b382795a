export { retriedIfBehind } from "./galera-retry.ts";
export { completionsInside, createCompletions } from "./by-hand.ts";
export { findDefined } from "./defined.ts";
export { listEvents, listRecentEvents } from "./lists.ts";
export { createPruning, findPrunedBefore } from "./pruning.ts";
export { createRecorded } from "./recorded.ts";
export { batchedEvents, bytesOfEvent, recordEvents } from "./record.ts";
