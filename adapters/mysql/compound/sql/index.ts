export { mayCreate } from "./contacts.ts";
export { recordAll, recordInPacket, recordOne } from "./events.ts";
