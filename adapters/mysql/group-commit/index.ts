export { createBatches, writeInside } from "./batches.ts";
export type { BatchedWrite } from "./entry.ts";
export { createLockWaits } from "./flush.ts";
