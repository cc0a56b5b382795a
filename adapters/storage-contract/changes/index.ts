export { causedChanges } from "./caused.ts";
export { changeLimits } from "./limits.ts";
export { changeOrder } from "./order.ts";
export { nextChanges } from "./next.ts";
