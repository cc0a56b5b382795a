export { definitions } from "./writes.ts";
export { eventTypes, eventUsage } from "./event-types.ts";
