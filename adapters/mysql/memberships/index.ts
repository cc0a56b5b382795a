/** The members of watched audiences, as transactions change them. */
export { createEdits, noData, type ContactEdit } from "./edits.ts";
export { updateWatches } from "./definitions.ts";
