/**
 * Writes in fewer round trips, on connections of a URL. A compound statement of MariaDB, or a text of several statements for MySQL,
 * contains the statements that a given pool gets one after another. The decisions are those of `lib/decisions`. A write that needs
 * a decision in the middle is sent statement by statement.
 */
export { recordingAtOnce } from "./events.ts";
export { upsertingAtOnce, type ReadContacts } from "./contacts.ts";
