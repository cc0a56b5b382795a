export { createActivity } from "./activity.ts";
export { complete, completeInside, createChecklists } from "./by-hand.ts";
export { findDefined, findDefinedInside } from "./defined.ts";
export { createEventLists, listEvents, listRecentEvents } from "./lists.ts";
export { createPruning, findPrunedBefore } from "./pruning.ts";
export { batchedEvents } from "./record.ts";
