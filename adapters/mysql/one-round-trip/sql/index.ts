export { mayCreate } from "./contacts.ts";
export { recordAll, recordInSeveral, recordOne } from "./events.ts";
