export { completions, completionsByHand } from "./completions.ts";
export { dismissals } from "./dismissals.ts";
