export { deleteContact } from "./deletions.ts";
export { countContacts, listContacts } from "./lists.ts";
export { lockContacts, namesOnly, readContact, wholeContacts, type ContactNames, type Reading } from "./lookup.ts";
export { batchedContacts, bytesOfContact, mayBeMissing, updateContact, upsertContacts } from "./writes.ts";
