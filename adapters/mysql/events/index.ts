export { createCompletions } from "./completions.ts";
export { findDefined } from "./definitions.ts";
export { createRecorded } from "./recorded.ts";
export { createUsage } from "./usage.ts";
export { batchedEvents, listEvents, recordEvents } from "./record.ts";
