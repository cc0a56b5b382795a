/** The changes of the log that consumers take. */
import type { StoredTopics } from "../../../lib/storage/rows.ts";
import { microseconds } from "./subscriptions.ts";
import { isShown, isTaken, listedColumns, range, valuesOf, type LogRange } from "./changes.ts";
import { hexOf } from "./fragments.ts";
import type { Statement, Tables } from "./statement.ts";

/** A contact, and the part of the log with its changes: both positions are included. */
export interface ContactRange {
  contactId: string;
  from: number;
  to: number;
}

/**
 * The changes `c` that their slots `t` have not handled. `k` is the contact, NULL if deleted; `w` its wait, NULL if it does not
 * wait. Selects slots as `slotOf` of `lib/decisions/slots.ts`.
 */
const newOnes = ({ changes, slots, waiting, contacts }: Tables): string => `${changes} c FORCE INDEX (PRIMARY)
STRAIGHT_JOIN ${slots} t FORCE INDEX (PRIMARY)
  ON t.subscription_id = UNHEX(?) AND t.slot = (ORD(RIGHT(c.contact_id, 1)) & 63) AND t.position < c.position
LEFT JOIN ${waiting} w FORCE INDEX (PRIMARY) ON w.subscription_id = t.subscription_id AND w.contact_id = c.contact_id
LEFT JOIN ${contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id`;

/** Lists the first changes of the range after the positions of these slots, without those of contacts that wait. */
export const listNew =
  (
    subscriptionId: string,
    topics: StoredTopics,
    slotNumbers: readonly number[],
    listed: LogRange,
    limit: number,
  ): Statement =>
  (tables) => {
    const taken = isTaken(topics);
    return {
      name: "listNew",
      sql: `SELECT c.position, ${listedColumns}, e.properties
FROM ${newOnes(tables)}
LEFT JOIN ${tables.events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
WHERE ${range} AND FIND_IN_SET(t.slot, ?) AND w.contact_id IS NULL AND ${taken.sql} AND ${isShown}
ORDER BY c.position LIMIT ?`,
      values: [hexOf(subscriptionId), ...valuesOf(listed), slotNumbers.join(), ...taken.values, String(limit)],
    };
  };

/** Lists the first changes of the contacts in their ranges. */
export const listOfContacts =
  (workspace: string, topics: StoredTopics, ranges: readonly ContactRange[], limit: number): Statement =>
  ({ changes, contacts, events }) => {
    const taken = isTaken(topics);
    return {
      name: "listOfContacts",
      sql: `SELECT c.position, ${listedColumns}, e.properties
FROM (SELECT UNHEX(id) AS contact_id, first_position, last_position FROM JSON_TABLE(?, '$[*]' COLUMNS (
  id CHAR(32) PATH '$[0]', first_position BIGINT PATH '$[1]', last_position BIGINT PATH '$[2]')) listed) named
STRAIGHT_JOIN ${changes} c FORCE INDEX (by_contact) ON c.contact_id = named.contact_id
  AND c.workspace = CAST(? AS BINARY) AND c.position BETWEEN named.first_position AND named.last_position
LEFT JOIN ${contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id
LEFT JOIN ${events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
WHERE ${taken.sql} AND ${isShown}
ORDER BY c.position LIMIT ?`,
      values: [
        JSON.stringify(ranges.map(({ contactId, from, to }) => [hexOf(contactId), from, to])),
        workspace,
        ...taken.values,
        String(limit),
      ],
    };
  };

/**
 * Counts changes for consumers: those in the range, plus at most `limit` of contacts that pause. Also finds the position of the
 * oldest change.
 */
export const countBacklog =
  (subscriptionId: string, topics: StoredTopics, counted: LogRange, limit: number): Statement =>
  (tables) => {
    const taken = isTaken(topics);
    return {
      name: "countBacklog",
      sql: `SELECT COUNT(*) AS changes, MIN(c.position) AS oldest, ${microseconds} AS clock FROM (
  (SELECT c.position FROM ${newOnes(tables)} WHERE ${range} AND w.contact_id IS NULL AND ${taken.sql} AND ${isShown})
  UNION ALL
  (SELECT c.position FROM ${tables.waiting} w FORCE INDEX (by_due)
  STRAIGHT_JOIN ${tables.changes} c FORCE INDEX (by_contact)
    ON c.contact_id = w.contact_id AND c.workspace = CAST(? AS BINARY) AND c.position >= w.position
  LEFT JOIN ${tables.contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id
  WHERE w.subscription_id = UNHEX(?) AND w.due_at >= 0 AND ${taken.sql} AND ${isShown} LIMIT ?)) c`,
      values: [
        hexOf(subscriptionId),
        ...valuesOf(counted),
        ...taken.values,
        counted.workspace,
        hexOf(subscriptionId),
        ...taken.values,
        String(limit),
      ],
    };
  };
