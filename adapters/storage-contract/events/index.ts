export { activity } from "./activity.ts";
export { eventLists, recordings } from "./lists.ts";
export { events, replays, summaries } from "./record.ts";
export { pruning } from "./pruning.ts";
