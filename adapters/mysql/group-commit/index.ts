export { createBatches, type BatchedWrite } from "./batches.ts";
