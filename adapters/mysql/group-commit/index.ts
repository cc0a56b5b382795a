export { createBatches, type BatchedWrite } from "./batches.ts";
export { createWaitingPlaces } from "./waiting-places.ts";
