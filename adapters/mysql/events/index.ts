export { createCompletions } from "./completions.ts";
export { findDefined } from "./definitions.ts";
export { createUsage } from "./usage.ts";
export { batchedEvents, listEvents, recordEvents } from "./record.ts";
