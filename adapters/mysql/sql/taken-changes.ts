/** The changes of the log that consumers take. */
import type { StoredTopics } from "../../../lib/storage/rows.ts";
import { microseconds } from "./subscriptions.ts";
import { isShown, isTaken, isWithin, listedColumns, type LogRange } from "./changes.ts";
import { fragment, hexOf, integer, named, plain, sqlOf, uuid, type Fragment } from "./fragments.ts";
import { query, table, template, type Statement, type Template } from "./statement.ts";

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
const newOnes = (subscriptionId: string): Template => template`${table.changes} c FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN ${table.slots} t FORCE INDEX (PRIMARY) ON t.subscription_id = ${uuid(subscriptionId)}
    AND t.slot = (ORD(RIGHT(c.contact_id, 1)) & 63) AND t.position < c.position
  LEFT JOIN ${table.waiting} w FORCE INDEX (PRIMARY) ON w.subscription_id = t.subscription_id AND w.contact_id = c.contact_id
  LEFT JOIN ${table.contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id`;

const isTakenAndShown = (topics: StoredTopics): Fragment => fragment`${isTaken(topics)} AND ${sqlOf(isShown)}`;

const columns = sqlOf(`c.position, ${listedColumns}, e.properties`);

/** Lists the first changes of the range after the positions of these slots, without those of contacts that wait. */
export const listNew = (
  subscriptionId: string,
  topics: StoredTopics,
  slotNumbers: readonly number[],
  listed: LogRange,
  limit: number,
): Statement => query("listNew")`
  SELECT ${columns} FROM ${newOnes(subscriptionId)}
  LEFT JOIN ${table.events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
  WHERE ${isWithin(listed)} AND FIND_IN_SET(t.slot, ${plain(slotNumbers.join())}) AND w.contact_id IS NULL
    AND ${isTakenAndShown(topics)}
  ORDER BY c.position LIMIT ${integer(limit)}`;

/** Lists the first changes of the contacts in their ranges. */
export function listOfContacts(
  workspace: string,
  topics: StoredTopics,
  ranges: readonly ContactRange[],
  limit: number,
): Statement {
  const listed = ranges.map(({ contactId, from, to }) => [hexOf(contactId), from, to]);
  return query("listOfContacts")`
  SELECT ${columns} FROM ${named(listed, { contact_id: "id", first_position: "number", last_position: "number" })}
  STRAIGHT_JOIN ${table.changes} c FORCE INDEX (by_contact) ON c.contact_id = named.contact_id
    AND c.workspace = ${workspace} AND c.position BETWEEN named.first_position AND named.last_position
  LEFT JOIN ${table.contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id
  LEFT JOIN ${table.events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
  WHERE ${isTakenAndShown(topics)} ORDER BY c.position LIMIT ${integer(limit)}`;
}

/**
 * Counts changes for consumers: those in the range, plus at most `limit` of contacts that pause. Also finds the position of the
 * oldest change.
 */
export const countBacklog = (
  subscriptionId: string,
  topics: StoredTopics,
  counted: LogRange,
  limit: number,
): Statement => query("countBacklog")`
  SELECT COUNT(*) AS changes, MIN(c.position) AS oldest, ${sqlOf(microseconds)} AS clock FROM (
    (SELECT c.position FROM ${newOnes(subscriptionId)}
    WHERE ${isWithin(counted)} AND w.contact_id IS NULL AND ${isTakenAndShown(topics)})
    UNION ALL
    (SELECT c.position FROM ${table.waiting} w FORCE INDEX (by_due)
    STRAIGHT_JOIN ${table.changes} c FORCE INDEX (by_contact)
      ON c.contact_id = w.contact_id AND c.workspace = ${counted.workspace} AND c.position >= w.position
    LEFT JOIN ${table.contacts} k FORCE INDEX (PRIMARY) ON k.id = c.contact_id
    WHERE w.subscription_id = ${uuid(subscriptionId)} AND w.due_at >= 0 AND ${isTakenAndShown(topics)}
    LIMIT ${integer(limit)})) c`;
