export { deleteContact } from "./deletions.ts";
export { countContacts, listContacts } from "./lists.ts";
export { lockContacts, namesOnly, readContact, wholeContacts, type ContactNames, type Reading } from "./lookup.ts";
export { batchedContacts, mayBeMissing } from "./writes.ts";
