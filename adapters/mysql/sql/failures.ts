/** The contacts that wait because one of their changes failed. */
import type { ChangeFailure, ContactProgress, SlotProgress, TakeRequest } from "../../../lib/storage/consumers.ts";
import { isShown, listedColumns } from "./changes.ts";
import type { Part } from "./positions.ts";
import { hexOf } from "./fragments.ts";
import { deleteBy, type ById, type Statement, type Tables } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

const listed = `(SELECT UNHEX(id) AS contact_id FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed) named`;

/**
 * Lists the contacts of these slots whose pause is over, and whether the change at their position is kept. A probe lists those that
 * are not parked, the oldest failure first.
 */
export const listDue =
  (
    workspace: string,
    subscriptionId: string,
    slots: readonly number[],
    limit: number,
    probe?: TakeRequest["probe"],
  ): Statement =>
  ({ waiting, changes }) => ({
    name: probe ? "listProbed" : "listDue",
    sql: `SELECT w.contact_id, w.slot, w.position, w.failures, w.error IS NOT NULL AS has_failed, c.position IS NOT NULL AS is_kept
FROM ${waiting} w FORCE INDEX (by_due)
LEFT JOIN ${changes} c FORCE INDEX (PRIMARY) ON c.workspace = CAST(? AS BINARY) AND c.position = w.position
WHERE w.subscription_id = UNHEX(?) AND ${
      probe ? "w.due_at IS NOT NULL AND w.failed_at < COALESCE(?, 9223372036854775807)" : `w.due_at <= ${milliseconds}`
    } AND FIND_IN_SET(w.slot, ?) ORDER BY ${probe ? "w.failed_at" : "w.due_at"} LIMIT ?`,
    values: [
      workspace,
      hexOf(subscriptionId),
      ...(probe ? [probe.failedBefore === null ? null : String(probe.failedBefore)] : []),
      slots.join(),
      String(limit),
    ],
  });

/** Parks contacts that wait. */
export const parkWaiting =
  (subscriptionId: string, contactIds: readonly string[]): Statement =>
  ({ waiting }) => ({
    name: "parkWaiting",
    sql: `UPDATE ${listed} STRAIGHT_JOIN ${waiting} w FORCE INDEX (PRIMARY)
  ON w.subscription_id = UNHEX(?) AND w.contact_id = named.contact_id SET w.due_at = NULL`,
    values: [JSON.stringify(contactIds.map(hexOf)), hexOf(subscriptionId)],
  });

/** Ends the wait of the contacts in one subscription. */
export const deleteWaiting =
  (subscriptionId: string, contactIds: readonly string[]): Statement =>
  ({ waiting }) => ({
    name: "deleteWaiting",
    sql: `DELETE w FROM ${listed} STRAIGHT_JOIN ${waiting} w FORCE INDEX (PRIMARY)
  ON w.subscription_id = UNHEX(?) AND w.contact_id = named.contact_id`,
    values: [JSON.stringify(contactIds.map(hexOf)), hexOf(subscriptionId)],
  });

/** Ends the wait of the contacts in all subscriptions. */
export const deleteWaitingOf =
  (contactIds: readonly string[]): Statement =>
  ({ waiting }) => ({
    name: "deleteWaitingOf",
    sql: `DELETE w FROM ${listed} STRAIGHT_JOIN ${waiting} w FORCE INDEX (by_contact) ON w.contact_id = named.contact_id`,
    values: [JSON.stringify(contactIds.map(hexOf))],
  });

export const deleteAllWaiting: ById = deleteBy("deleteAllWaiting", "waiting", "subscription_id");

/** Stores that the contact waits at the change that failed. */
export const putWaiting =
  (
    { subscriptionId, slot }: Pick<SlotProgress, "subscriptionId" | "slot">,
    { contactId, changeId, position }: ContactProgress,
    { failures, error, pauseMs }: ChangeFailure,
  ): Statement =>
  ({ waiting }) => ({
    name: "putWaiting",
    sql: `INSERT INTO ${waiting} (subscription_id, contact_id, slot, position, change_id, failures, error, due_at, failed_at)
VALUES (UNHEX(?), UNHEX(?), ?, ?, UNHEX(?), ?, ?, ${milliseconds} + CAST(? AS SIGNED), ${milliseconds})
ON DUPLICATE KEY UPDATE position = VALUES(position), change_id = VALUES(change_id), failures = VALUES(failures),
  error = VALUES(error), due_at = VALUES(due_at), failed_at = VALUES(failed_at)`,
    values: [
      hexOf(subscriptionId),
      hexOf(contactId),
      slot,
      String(position),
      hexOf(changeId),
      failures,
      error,
      pauseMs === null ? null : String(Math.round(pauseMs)),
    ],
  });

/** Lets the contact continue at once with the change at the position, which has not failed. */
export const moveWaiting =
  (subscriptionId: string, contactId: string, position: number): Statement =>
  ({ waiting }) => ({
    name: "moveWaiting",
    sql: `UPDATE ${waiting} SET position = ?, failures = 0, error = NULL, due_at = 0
WHERE subscription_id = UNHEX(?) AND contact_id = UNHEX(?)`,
    values: [String(position), hexOf(subscriptionId), hexOf(contactId)],
    mayChangeNothing: true,
  });

/** Ends the wait of the contact if it is parked at the change. With `drops` the contact continues after the change. */
export const releaseParked =
  (subscriptionId: string, contactId: string, changeId: string, drops: boolean): Statement =>
  ({ waiting }) => ({
    name: "releaseParked",
    sql: `UPDATE ${waiting} SET failures = 0, due_at = 0${drops ? ", position = position + 1, error = NULL" : ""}
WHERE subscription_id = UNHEX(?) AND contact_id = UNHEX(?) AND change_id = UNHEX(?) AND due_at IS NULL`,
    values: [hexOf(subscriptionId), hexOf(contactId), hexOf(changeId)],
  });

/** The contacts that wait, each with the change at its position. */
const waitingOnes = ({ waiting, changes, contacts }: Tables): string => `${waiting} w FORCE INDEX (by_due)
LEFT JOIN ${changes} c FORCE INDEX (PRIMARY) ON c.workspace = CAST(? AS BINARY) AND c.position = w.position
LEFT JOIN ${contacts} k FORCE INDEX (PRIMARY) ON k.id = w.contact_id`;

/** Leaves out the rows of deleted contacts, until a pass removes them. */
const isParked = `w.subscription_id = UNHEX(?) AND w.due_at IS NULL AND (c.position IS NULL OR ${isShown})`;

/** Counts the parked contacts, at most `limit`. */
export const countParked =
  (workspace: string, subscriptionId: string, limit: number): Statement =>
  (tables) => ({
    name: "countParked",
    sql: `SELECT COUNT(*) AS parked FROM (SELECT w.slot FROM ${waitingOnes(tables)} WHERE ${isParked} LIMIT ?) p`,
    values: [workspace, hexOf(subscriptionId), String(limit)],
  });

/** Lists the parked contacts with the changes that failed; with `changeId`, only the contact that is parked at this change. */
export const listParked =
  (workspace: string, subscriptionId: string, { limit, after }: Part, changeId: string | null = null): Statement =>
  (tables) => ({
    name: "listParked",
    sql: `SELECT w.contact_id AS parked_id, w.change_id AS failed_id, w.failed_at, w.failures, w.error, c.position, ${listedColumns}, e.properties
FROM ${waitingOnes(tables)}
LEFT JOIN ${tables.events} e FORCE INDEX (PRIMARY) ON e.id = c.change_id
WHERE ${isParked}${
      after ? " AND (w.failed_at > ? OR (w.failed_at = ? AND w.change_id > UNHEX(?)))" : ""
    }${changeId === null ? "" : " AND w.change_id = UNHEX(?)"}
ORDER BY w.failed_at, w.change_id LIMIT ?`,
    values: [
      workspace,
      hexOf(subscriptionId),
      ...(after ? [String(after.createdAt), String(after.createdAt), hexOf(after.id)] : []),
      ...(changeId === null ? [] : [hexOf(changeId)]),
      String(limit),
    ],
  });
