/**
 * What MariaDB writes in fewer round trips: a compound statement holds what others servers get as one statement after the other.
 * The decisions are those of `lib/decisions`. A write that needs one beyond these functions goes the usual way.
 */
export { recordingAtOnce } from "./events.ts";
export { upsertingAtOnce, type ReadContacts } from "./contacts.ts";
