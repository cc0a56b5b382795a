export { activity } from "./activity.ts";
export { eventLists } from "./lists.ts";
export { events, replays, summaries } from "./record.ts";
export { pruning } from "./pruning.ts";
export { recentEvents } from "./recent-events.ts";
export { recordings } from "./in-order-of-recording.ts";
