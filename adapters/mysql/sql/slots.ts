/** The slots of subscriptions. */
import { slotCount } from "../../../lib/model/limits.ts";
import type { SlotProgress, TakeRequest } from "../../../lib/storage/consumers.ts";
import { hexOf } from "./fragments.ts";
import { deleteBy, type ById, type Statement } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

/** A slot with the token of the call is free too: a call whose answer was lost takes its slots again. */
const isFree = `(t.token IS NULL OR t.leased_until <= ${milliseconds} OR t.token = CAST(? AS BINARY))`;

/** A text that changes with the positions and leases of the slots `t`. The first two sums only grow, unless a lease is ended early. */
export const slotState: string = `CONCAT_WS(' ', SUM(t.position), SUM(t.leased_until), SUM(t.token IS NULL OR t.leased_until <= ${milliseconds}))`;

/** Inserts the slots of a subscription, at the position where it begins. */
export const insertSlots =
  (subscriptionId: string): Statement =>
  ({ slots, subscriptions }) => ({
    name: "insertSlots",
    sql: `INSERT INTO ${slots} (subscription_id, slot, position, token, leased_until)
SELECT s.id, numbered.slot, s.first_position, NULL, 0
FROM ${subscriptions} s STRAIGHT_JOIN JSON_TABLE(?, '$[*]' COLUMNS (slot INT PATH '$')) numbered WHERE s.id = UNHEX(?)`,
    values: [JSON.stringify(Array.from({ length: slotCount }, (_, slot) => slot)), hexOf(subscriptionId)],
  });

/** Finds whether a call with the token would have something to do. */
export const summarizeSlots =
  (workspace: string, subscriptionId: string, token: string): Statement =>
  ({ slots, waiting, changes }) => ({
    name: "summarizeSlots",
    sql: `SELECT MIN(t.position) AS lowest, MIN(CASE WHEN ${isFree} THEN t.position END) AS lowest_free, SUM(${isFree}) AS free,
  (SELECT MAX(c.position) FROM ${changes} c WHERE c.workspace = CAST(? AS BINARY)) AS newest,
  EXISTS (SELECT 1 FROM ${waiting} w FORCE INDEX (by_due)
    STRAIGHT_JOIN ${slots} t FORCE INDEX (PRIMARY) ON t.subscription_id = w.subscription_id AND t.slot = w.slot
    WHERE w.subscription_id = UNHEX(?) AND w.due_at <= ${milliseconds} AND ${isFree}) AS is_due, ${slotState} AS slot_state
FROM ${slots} t FORCE INDEX (PRIMARY) WHERE t.subscription_id = UNHEX(?)`,
    values: [token, token, workspace, hexOf(subscriptionId), token, hexOf(subscriptionId)],
  });

/** Finds the lowest position, and whether a slot was ever leased. */
export const findLowest =
  (subscriptionId: string): Statement =>
  ({ slots }) => ({
    name: "findLowest",
    sql: `SELECT MIN(position) AS lowest, MAX(leased_until) > 0 AS was_leased FROM ${slots} WHERE subscription_id = UNHEX(?)`,
    values: [hexOf(subscriptionId)],
  });

/** Locks the free slots. Leaves out those that other transactions have locked. */
export const lockFree =
  (subscriptionId: string, token: string): Statement =>
  ({ slots }) => ({
    name: "lockFree",
    sql: `SELECT t.slot, t.position FROM ${slots} t FORCE INDEX (PRIMARY)
WHERE t.subscription_id = UNHEX(?) AND ${isFree} ORDER BY t.slot FOR UPDATE SKIP LOCKED`,
    values: [hexOf(subscriptionId), token],
  });

/** Leases some of the slots, and moves the others on to `end`. */
export const leaseSlots =
  (
    subscriptionId: string,
    { token, leaseMs }: Pick<TakeRequest, "token" | "leaseMs">,
    leased: readonly number[],
    others: readonly number[],
    end: number,
  ): Statement =>
  ({ slots }) => ({
    name: "leaseSlots",
    sql: `UPDATE ${slots} t SET
  t.position = IF(FIND_IN_SET(t.slot, ?), t.position, GREATEST(t.position, CAST(? AS SIGNED))),
  t.token = IF(FIND_IN_SET(t.slot, ?), CAST(? AS BINARY), NULL),
  t.leased_until = IF(FIND_IN_SET(t.slot, ?), ${milliseconds} + CAST(? AS SIGNED), t.leased_until)
WHERE t.subscription_id = UNHEX(?) AND FIND_IN_SET(t.slot, ?)`,
    values: [
      leased.join(),
      String(end),
      leased.join(),
      token,
      leased.join(),
      wholeMs(leaseMs),
      hexOf(subscriptionId),
      [...leased, ...others].join(),
    ],
  });

/** Locks the slots that are leased with these tokens. */
export const lockHeld =
  (items: readonly SlotProgress[]): Statement =>
  ({ slots }) => ({
    name: "lockHeld",
    sql: `SELECT t.subscription_id, t.slot, t.token
FROM (SELECT UNHEX(id) AS subscription_id, slot, CAST(token AS BINARY) AS token FROM JSON_TABLE(?, '$[*]' COLUMNS (
  id CHAR(32) PATH '$[0]', slot INT PATH '$[1]', token VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[2]')) listed) named
STRAIGHT_JOIN ${slots} t FORCE INDEX (PRIMARY)
  ON t.subscription_id = named.subscription_id AND t.slot = named.slot AND t.token = named.token
FOR UPDATE`,
    values: [JSON.stringify(items.map(({ subscriptionId, slot, token }) => [hexOf(subscriptionId), slot, token]))],
  });

/** Stores the positions of the slots that are leased with these tokens, and renews or ends their leases. */
export const storeProgress =
  (items: readonly SlotProgress[]): Statement =>
  ({ slots }) => ({
    name: "storeProgress",
    sql: `UPDATE (SELECT UNHEX(id) AS subscription_id, slot, CAST(token AS BINARY) AS token, position, lease_ms FROM JSON_TABLE(?, '$[*]'
  COLUMNS (id CHAR(32) PATH '$[0]', slot INT PATH '$[1]', token VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[2]',
  position BIGINT PATH '$[3]', lease_ms BIGINT PATH '$[4]')) listed) named
STRAIGHT_JOIN ${slots} t FORCE INDEX (PRIMARY)
  ON t.subscription_id = named.subscription_id AND t.slot = named.slot AND t.token = named.token
SET t.position = GREATEST(t.position, named.position), t.token = IF(named.lease_ms IS NULL, NULL, t.token),
  t.leased_until = ${milliseconds} + COALESCE(named.lease_ms, 0)`,
    values: [
      JSON.stringify(
        items.map(({ subscriptionId, slot, token, position, leaseMs }) => [
          hexOf(subscriptionId),
          slot,
          token,
          position,
          leaseMs === null ? null : Math.round(leaseMs),
        ]),
      ),
    ],
  });

/** Ends all leases of the subscription, and moves its slots on to the position; with `back` also back. */
export const resumeSlots =
  (subscriptionId: string, from: number, back: boolean): Statement =>
  ({ slots }) => ({
    name: "resumeSlots",
    sql: `UPDATE ${slots} SET position = GREATEST(${back ? "0" : "position"}, CAST(? AS SIGNED)), token = NULL WHERE subscription_id = UNHEX(?)`,
    values: [String(from), hexOf(subscriptionId)],
    mayChangeNothing: true,
  });

export const deleteSlots: ById = deleteBy("deleteSlots", "slots", "subscription_id");

function wholeMs(ms: number): string {
  return String(Math.round(ms));
}
