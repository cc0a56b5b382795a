/** The contacts that wait because one of their changes failed. */
import type { ChangeFailure, ContactProgress, SlotProgress, TakeRequest } from "../../../lib/storage/consumers.ts";
import { isShown, listedColumns } from "./changes.ts";
import { fragment, hexOf, integer, named, plain, sqlOf, uuid, type Fragment } from "./fragments.ts";
import type { Part } from "./positions.ts";
import { deleteBy, query, table, template, type ById, type Statement } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

const contactsNamed = (contactIds: readonly string[]): Fragment => named(contactIds.map(hexOf), { contact_id: "id" });
const clock = sqlOf(milliseconds);

/**
 * Lists the contacts of these slots whose pause is over, and whether the change at their position is kept. A probe lists those that
 * are not parked, the oldest failure first.
 */
export function listDue(
  workspace: string,
  subscriptionId: string,
  slots: readonly number[],
  limit: number,
  probe?: TakeRequest["probe"],
): Statement {
  const failedBefore = plain(probe && probe.failedBefore !== null ? String(probe.failedBefore) : null);
  const isDue = probe
    ? fragment`w.due_at IS NOT NULL AND w.failed_at < COALESCE(${failedBefore}, 9223372036854775807)`
    : fragment`w.due_at <= ${clock}`;
  return query(probe ? "listProbed" : "listDue")`
  SELECT w.contact_id, w.slot, w.position, w.failures, w.error IS NOT NULL AS has_failed, c.position IS NOT NULL AS is_kept
  FROM ${table.waiting} w FORCE INDEX (by_due)
  LEFT JOIN ${table.changes} c FORCE INDEX (PRIMARY) ON c.workspace = ${workspace} AND c.position = w.position
  WHERE w.subscription_id = ${uuid(subscriptionId)} AND ${isDue} AND FIND_IN_SET(w.slot, ${plain(slots.join())})
  ORDER BY ${sqlOf(probe ? "w.failed_at" : "w.due_at")} LIMIT ${integer(limit)}`;
}

/** The waits of the contacts in one subscription. */
const waitsOf = (subscriptionId: string, contactIds: readonly string[]) => template`${contactsNamed(contactIds)}
  STRAIGHT_JOIN ${table.waiting} w FORCE INDEX (PRIMARY)
    ON w.subscription_id = ${uuid(subscriptionId)} AND w.contact_id = named.contact_id`;

/** Parks contacts that wait. */
export const parkWaiting = (subscriptionId: string, contactIds: readonly string[]): Statement => query("parkWaiting")`
  UPDATE ${waitsOf(subscriptionId, contactIds)} SET w.due_at = NULL`;

/** Ends the wait of the contacts in one subscription. */
export const deleteWaiting = (subscriptionId: string, contactIds: readonly string[]): Statement =>
  query("deleteWaiting")`DELETE w FROM ${waitsOf(subscriptionId, contactIds)}`;

/** Ends the wait of the contacts in all subscriptions. */
export const deleteWaitingOf = (contactIds: readonly string[]): Statement => query("deleteWaitingOf")`
  DELETE w FROM ${contactsNamed(contactIds)}
  STRAIGHT_JOIN ${table.waiting} w FORCE INDEX (by_contact) ON w.contact_id = named.contact_id`;

export const deleteAllWaiting: ById = deleteBy("deleteAllWaiting", "waiting", "subscription_id");

/** Stores that the contact waits at the change that failed. */
export function putWaiting(
  { subscriptionId, slot }: Pick<SlotProgress, "subscriptionId" | "slot">,
  { contactId, changeId, position }: ContactProgress,
  { failures, error, pauseMs }: ChangeFailure,
): Statement {
  const pause = plain(pauseMs === null ? null : String(Math.round(pauseMs)));
  return query("putWaiting")`
  INSERT INTO ${table.waiting} (subscription_id, contact_id, slot, position, change_id, failures, error, due_at, failed_at)
  VALUES (${uuid(subscriptionId)}, ${uuid(contactId)}, ${slot}, ${integer(position)}, ${uuid(changeId)}, ${failures},
    ${plain(error)}, ${clock} + CAST(${pause} AS SIGNED), ${clock})
  ON DUPLICATE KEY UPDATE position = VALUES(position), change_id = VALUES(change_id), failures = VALUES(failures),
    error = VALUES(error), due_at = VALUES(due_at), failed_at = VALUES(failed_at)`;
}

/** Lets the contact continue at once with the change at the position, which has not failed. */
export const moveWaiting = (subscriptionId: string, contactId: string, position: number): Statement =>
  query("moveWaiting", { mayChangeNothing: true })`
  UPDATE ${table.waiting} SET position = ${integer(position)}, failures = 0, error = NULL, due_at = 0
  WHERE subscription_id = ${uuid(subscriptionId)} AND contact_id = ${uuid(contactId)}`;

/** Ends the wait of the contact if it is parked at the change. With `drops` the contact continues after the change. */
export const releaseParked = (
  subscriptionId: string,
  contactId: string,
  changeId: string,
  drops: boolean,
): Statement => query("releaseParked")`
  UPDATE ${table.waiting} SET failures = 0, due_at = 0${sqlOf(drops ? ", position = position + 1, error = NULL" : "")}
  WHERE subscription_id = ${uuid(subscriptionId)} AND contact_id = ${uuid(contactId)} AND change_id = ${uuid(changeId)}
    AND due_at IS NULL`;

/** The contacts that wait, each with the change at its position. */
const waitingOnes = (workspace: string) => template`${table.waiting} w FORCE INDEX (by_due)
  LEFT JOIN ${table.changes} c FORCE INDEX (PRIMARY) ON c.workspace = ${workspace} AND c.position = w.position
  LEFT JOIN ${table.contacts} k FORCE INDEX (PRIMARY) ON k.id = w.contact_id`;

/** Leaves out the rows of deleted contacts, until a pass removes them. */
const isParked = (subscriptionId: string): Fragment => fragment`w.subscription_id = ${uuid(subscriptionId)}
    AND w.due_at IS NULL AND (c.position IS NULL OR ${sqlOf(isShown)})`;

/** Counts the parked contacts, at most `limit`. */
export const countParked = (workspace: string, subscriptionId: string, limit: number): Statement =>
  query("countParked")`
  SELECT COUNT(*) AS parked FROM (
    SELECT w.slot FROM ${waitingOnes(workspace)} WHERE ${isParked(subscriptionId)} LIMIT ${integer(limit)}) p`;

/** Lists the parked contacts with the changes that failed; with `changeId`, only the contact that is parked at this change. */
export function listParked(
  workspace: string,
  subscriptionId: string,
  { limit, after }: Part,
  changeId: string | null = null,
): Statement {
  const at = after && integer(after.createdAt);
  const isAfter = at
    ? fragment` AND (w.failed_at > ${at} OR (w.failed_at = ${at} AND w.change_id > ${uuid(after.id)}))`
    : sqlOf("");
  return query("listParked")`
  SELECT w.contact_id AS parked_id, w.change_id AS failed_id, w.failed_at, w.failures, w.error,
    c.position, ${sqlOf(listedColumns)}, e.properties
  FROM ${waitingOnes(workspace)}
  LEFT JOIN ${table.events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
  WHERE ${isParked(subscriptionId)}${isAfter}${changeId === null ? sqlOf("") : fragment` AND w.change_id = ${uuid(changeId)}`}
  ORDER BY w.failed_at, w.change_id LIMIT ${integer(limit)}`;
}
