/** The members of watched audiences, as transactions change them. */
export { readCompletions, type ContactEdit } from "./contact-data.ts";
export { createEdits, noData } from "./edits.ts";
export { updateWatches } from "./plan.ts";
