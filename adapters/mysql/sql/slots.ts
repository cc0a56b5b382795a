/** The slots of subscriptions. */
import { slotCount } from "../../../lib/model/limits.ts";
import type { SlotProgress, TakeRequest } from "../../../lib/storage/consumers.ts";
import { fragment, hexOf, integer, named, plain, sqlOf, uuid, type Fragment } from "./fragments.ts";
import { deleteBy, query, table, type ById, type Statement } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

const clock = sqlOf(milliseconds);

/** A slot with the token of the call is free too: a call whose answer was lost takes its slots again. */
const isFree = (token: string): Fragment =>
  fragment`(t.token IS NULL OR t.leased_until <= ${clock} OR t.token = ${token})`;

/** A text that changes with the positions and leases of the slots `t`. The first two sums only grow, unless a lease is ended early. */
export const slotState: string = `CONCAT_WS(' ', SUM(t.position), SUM(t.leased_until), SUM(t.token IS NULL OR t.leased_until <= ${milliseconds}))`;

/** Inserts the slots of a subscription, at the position where it begins. */
export function insertSlots(subscriptionId: string): Statement {
  const numbers = Array.from({ length: slotCount }, (_, slot) => slot);
  return query("insertSlots")`
  INSERT INTO ${table.slots} (subscription_id, slot, position, token, leased_until)
  SELECT s.id, numbered.slot, s.first_position, NULL, 0 FROM ${table.subscriptions} s
  STRAIGHT_JOIN JSON_TABLE(${plain(JSON.stringify(numbers))}, '$[*]' COLUMNS (slot INT PATH '$')) numbered
  WHERE s.id = ${uuid(subscriptionId)}`;
}

/** Finds whether a call with the token would have something to do. */
export function summarizeSlots(workspace: string, subscriptionId: string, token: string): Statement {
  const free = isFree(token);
  return query("summarizeSlots")`
  SELECT MIN(t.position) AS lowest, MIN(CASE WHEN ${free} THEN t.position END) AS lowest_free, SUM(${free}) AS free,
    (SELECT MAX(c.position) FROM ${table.changes} c WHERE c.workspace = ${workspace}) AS newest,
    EXISTS (SELECT 1 FROM ${table.waiting} w FORCE INDEX (by_due)
      STRAIGHT_JOIN ${table.slots} t FORCE INDEX (PRIMARY) ON t.subscription_id = w.subscription_id AND t.slot = w.slot
      WHERE w.subscription_id = ${uuid(subscriptionId)} AND w.due_at <= ${clock} AND ${free}) AS is_due,
    ${sqlOf(slotState)} AS slot_state
  FROM ${table.slots} t FORCE INDEX (PRIMARY) WHERE t.subscription_id = ${uuid(subscriptionId)}`;
}

/** Finds the lowest position, and whether a slot was ever leased. */
export const findLowest = (subscriptionId: string): Statement => query("findLowest")`
  SELECT MIN(position) AS lowest, MAX(leased_until) > 0 AS was_leased FROM ${table.slots}
  WHERE subscription_id = ${uuid(subscriptionId)}`;

/** Locks the free slots. Leaves out those that other transactions have locked. */
export const lockFree = (subscriptionId: string, token: string): Statement => query("lockFree")`
  SELECT t.slot, t.position FROM ${table.slots} t FORCE INDEX (PRIMARY)
  WHERE t.subscription_id = ${uuid(subscriptionId)} AND ${isFree(token)} ORDER BY t.slot FOR UPDATE SKIP LOCKED`;

/** Leases some of the slots, and moves the others on to `end`. */
export function leaseSlots(
  subscriptionId: string,
  { token, leaseMs }: Pick<TakeRequest, "token" | "leaseMs">,
  leased: readonly number[],
  others: readonly number[],
  end: number,
): Statement {
  const isLeased = fragment`FIND_IN_SET(t.slot, ${plain(leased.join())})`;
  return query("leaseSlots")`
  UPDATE ${table.slots} t SET
    t.position = IF(${isLeased}, t.position, GREATEST(t.position, CAST(${integer(end)} AS SIGNED))),
    t.token = IF(${isLeased}, ${token}, NULL),
    t.leased_until = IF(${isLeased}, ${clock} + CAST(${integer(Math.round(leaseMs))} AS SIGNED), t.leased_until)
  WHERE t.subscription_id = ${uuid(subscriptionId)} AND FIND_IN_SET(t.slot, ${plain([...leased, ...others].join())})`;
}

/** Selects the slots `t` that are leased with the tokens of the items. */
const isNamed = sqlOf("t.subscription_id = named.subscription_id AND t.slot = named.slot AND t.token = named.token");

/** Locks the slots that are leased with these tokens. */
export function lockHeld(items: readonly SlotProgress[]): Statement {
  const held = items.map(({ subscriptionId, slot, token }) => [hexOf(subscriptionId), slot, token]);
  return query("lockHeld")`
  SELECT t.subscription_id, t.slot, t.token FROM ${named(held, { subscription_id: "id", slot: "number", token: "token" })}
  STRAIGHT_JOIN ${table.slots} t FORCE INDEX (PRIMARY) ON ${isNamed} FOR UPDATE`;
}

/** Stores the positions of the slots that are leased with these tokens, and renews or ends their leases. */
export function storeProgress(items: readonly SlotProgress[]): Statement {
  const moved = items.map(({ subscriptionId, slot, token, position, leaseMs }) => {
    return [hexOf(subscriptionId), slot, token, position, leaseMs === null ? null : Math.round(leaseMs)];
  });
  const columns = {
    subscription_id: "id",
    slot: "number",
    token: "token",
    position: "number",
    lease_ms: "number",
  } as const;
  return query("storeProgress")`
  UPDATE ${named(moved, columns)} STRAIGHT_JOIN ${table.slots} t FORCE INDEX (PRIMARY) ON ${isNamed}
  SET t.position = GREATEST(t.position, named.position), t.token = IF(named.lease_ms IS NULL, NULL, t.token),
    t.leased_until = ${clock} + COALESCE(named.lease_ms, 0)`;
}

/** Ends all leases of the subscription, and moves its slots on to the position; with `back` also back. */
export const resumeSlots = (subscriptionId: string, from: number, back: boolean): Statement =>
  query("resumeSlots", { mayChangeNothing: true })`
  UPDATE ${table.slots}
  SET position = GREATEST(${sqlOf(back ? "0" : "position")}, CAST(${integer(from)} AS SIGNED)), token = NULL
  WHERE subscription_id = ${uuid(subscriptionId)}`;

export const deleteSlots: ById = deleteBy("deleteSlots", "slots", "subscription_id");
