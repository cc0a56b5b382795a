export { announcements } from "./announcements.ts";
export { watchedCounts } from "./counts.ts";
export { silentWrites, watchedWrites } from "./writes.ts";
export { sweeps, watchedDefinitions } from "./sweeps.ts";
