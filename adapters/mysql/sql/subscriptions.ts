/** The end of the log, and the position where each subscription begins. */
import { hexOf, integer, named, sqlOf, uuid } from "./fragments.ts";
import { deleteBy, query, table, type ById, type Statement } from "./statement.ts";

/** The clock in microseconds. UNIX_TIMESTAMP with a fraction would repeat an hour when summer time ends. */
export const microseconds = "UNIX_TIMESTAMP() * 1000000 + MICROSECOND(NOW(6))";

/** The clock in milliseconds. */
export const milliseconds: string = `((${microseconds}) DIV 1000)`;

const clock = sqlOf(microseconds);

export const readClock: Statement = query("readClock")`SELECT ${clock} AS clock`;

export const findEnd: Statement = query("findEnd")`SELECT position FROM ${table.changeHeads} WHERE id = 1`;

/** Locks and returns the end of the log. After the restore of a backup the stored end may be too low, but the clock is not. */
export const lockEnd: Statement = query("lockEnd")`
  SELECT GREATEST(position, ${clock}) AS position FROM ${table.changeHeads} WHERE id = 1 FOR UPDATE`;

export const moveEnd = (position: number): Statement => query("moveEnd")`
  UPDATE ${table.changeHeads} SET position = ${integer(position)} WHERE id = 1`;

/** Gives out a position, which is the end of the log from now on. */
export const takePosition: Statement = query("takePosition")`
  INSERT INTO ${table.changeHeads} (id, position) VALUES (1, ${clock})
  ON DUPLICATE KEY UPDATE position = GREATEST(${table.changeHeads}.position + 1, VALUES(position))`;

/** Begins the subscription at the end of the log. */
export const insertSubscription = (id: string): Statement => query("insertSubscription")`
  INSERT INTO ${table.subscriptions} (id, first_position)
  SELECT ${uuid(id)}, position FROM ${table.changeHeads} WHERE id = 1`;

export const deleteSubscription: ById = deleteBy("deleteSubscription", "subscriptions", "id");

/** Locks a subscription, so that no change that it takes is removed until the end of the transaction. */
export const lockSubscription = (id: string): Statement => query("lockSubscription")`
  SELECT first_position FROM ${table.subscriptions} WHERE id = ${uuid(id)} LOCK IN SHARE MODE`;

/** Lets the subscriptions begin no earlier than at these positions. */
export function moveBeginnings(positions: ReadonlyMap<string, number>): Statement {
  const listed = Array.from(positions, ([id, position]) => [hexOf(id), position]);
  return query("moveBeginnings")`
  UPDATE ${named(listed, { id: "id", position: "number" })}
  STRAIGHT_JOIN ${table.subscriptions} s FORCE INDEX (PRIMARY) ON s.id = named.id
  SET s.first_position = GREATEST(s.first_position, named.position)`;
}

/** Finds a subscription with its beginning and the end of the log, in one snapshot. */
export const findSubscription = (workspace: string, key: string): Statement => query("findSubscription")`
  SELECT d.id, d.body, s.first_position, h.position
  FROM ${table.definitions} d JOIN ${table.subscriptions} s ON s.id = d.id JOIN ${table.changeHeads} h ON h.id = 1
  WHERE d.workspace = ${workspace} AND d.kind = CAST('subscription' AS BINARY) AND d.definition_key = ${key}`;

/** Lists the subscriptions of all workspaces whose slots were ever leased, the oldest first. */
export const listConsumed = (limit: number): Statement => query("listConsumed")`
  SELECT d.workspace, d.definition_key FROM (
    SELECT subscription_id FROM ${table.slots}
    GROUP BY subscription_id HAVING MAX(leased_until) > 0 ORDER BY subscription_id LIMIT ${integer(limit)}) t
  STRAIGHT_JOIN ${table.definitions} d FORCE INDEX (PRIMARY) ON d.id = t.subscription_id ORDER BY d.id`;
