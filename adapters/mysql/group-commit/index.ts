export { createBatches } from "./batches.ts";
export type { BatchedWrite } from "./flush.ts";
export { createWaitingPlaces } from "./waiting-places.ts";
