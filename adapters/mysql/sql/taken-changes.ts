/** The changes of the log that consumers take. */
import type { SubscribedTopics } from "../../../lib/model/types.ts";
import { isShown, isTaken, listedColumns, range, valuesOf, type LogRange } from "./changes.ts";
import { hexOf, type Statement } from "./statement.ts";

/** A contact, and the part of the log with its changes: both positions are included. */
export interface ContactRange {
  contactId: string;
  from: number;
  to: number;
}

/** Lists the first changes of the range after the positions of these slots, without those of contacts that wait. */
export const listNew =
  (
    subscriptionId: string,
    topics: SubscribedTopics,
    slotNumbers: readonly number[],
    listed: LogRange,
    limit: number,
  ): Statement =>
  ({ changes, slots, waiting, contacts, events }) => {
    const taken = isTaken(topics);
    return {
      name: "listNew",
      // `slotOf` of `lib/decisions/consumers.ts`.
      sql: `SELECT c.position, ${listedColumns}, e.properties
FROM ${changes} c FORCE INDEX (PRIMARY)
STRAIGHT_JOIN ${slots} t FORCE INDEX (PRIMARY)
  ON t.subscription_id = UNHEX(?) AND t.slot = (ORD(RIGHT(c.contact_id, 1)) & 63) AND t.position < c.position
LEFT JOIN ${waiting} w FORCE INDEX (PRIMARY) ON w.subscription_id = t.subscription_id AND w.contact_id = c.contact_id
LEFT JOIN ${contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id
LEFT JOIN ${events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
WHERE ${range} AND FIND_IN_SET(t.slot, ?) AND w.contact_id IS NULL AND ${taken.sql} AND ${isShown}
ORDER BY c.position LIMIT ?`,
      values: [hexOf(subscriptionId), ...valuesOf(listed), slotNumbers.join(), ...taken.values, String(limit)],
    };
  };

/** Lists the first changes of the contacts in their ranges. */
export const listOfContacts =
  (workspace: string, topics: SubscribedTopics, ranges: readonly ContactRange[], limit: number): Statement =>
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
