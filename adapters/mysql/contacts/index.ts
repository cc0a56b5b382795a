export { deleteContact } from "./deletions.ts";
export { listContacts } from "./lists.ts";
export {
  lockContacts,
  lockFree,
  namesOnly,
  readContact,
  wholeContacts,
  type ContactNames,
  type Reading,
} from "./lookup.ts";
export { batchedContacts } from "./writes.ts";
