export { createCompletions, findChecklists } from "./completions.ts";
export { batchedEvents, listEvents, recordEvents } from "./record.ts";
