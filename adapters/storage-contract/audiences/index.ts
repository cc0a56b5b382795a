export { audiences } from "./members.ts";
export { contactConditions } from "./contact-conditions.ts";
export { occurrences } from "./occurrences.ts";
