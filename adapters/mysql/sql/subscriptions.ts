/** The end of the log, and the position where each subscription begins. */
import { hexOf } from "./fragments.ts";
import { deleteBy, type ById, type Statement } from "./statement.ts";

/** The clock in microseconds. UNIX_TIMESTAMP with a fraction would repeat an hour when summer time ends. */
export const microseconds = "UNIX_TIMESTAMP() * 1000000 + MICROSECOND(NOW(6))";

/** The clock in milliseconds. */
export const milliseconds: string = `((${microseconds}) DIV 1000)`;

export const readClock: Statement = () => ({ name: "readClock", sql: `SELECT ${microseconds} AS clock`, values: [] });

export const findEnd: Statement = ({ changeHeads }) => ({
  name: "findEnd",
  sql: `SELECT position FROM ${changeHeads} WHERE id = 1`,
  values: [],
});

/** Locks and returns the end of the log. After the restore of a backup the stored end may be too low, but the clock is not. */
export const lockEnd: Statement = ({ changeHeads }) => ({
  name: "lockEnd",
  sql: `SELECT GREATEST(position, ${microseconds}) AS position FROM ${changeHeads} WHERE id = 1 FOR UPDATE`,
  values: [],
});

export const moveEnd =
  (position: number): Statement =>
  ({ changeHeads }) => ({
    name: "moveEnd",
    sql: `UPDATE ${changeHeads} SET position = ? WHERE id = 1`,
    values: [String(position)],
  });

/** Gives out a position, which is the end of the log from now on. */
export const takePosition: Statement = ({ changeHeads }) => ({
  name: "takePosition",
  sql: `INSERT INTO ${changeHeads} (id, position) VALUES (1, ${microseconds})
ON DUPLICATE KEY UPDATE position = GREATEST(${changeHeads}.position + 1, VALUES(position))`,
  values: [],
});

/** Begins the subscription at the end of the log. */
export const insertSubscription =
  (id: string): Statement =>
  ({ subscriptions, changeHeads }) => ({
    name: "insertSubscription",
    sql: `INSERT INTO ${subscriptions} (id, first_position) SELECT UNHEX(?), position FROM ${changeHeads} WHERE id = 1`,
    values: [hexOf(id)],
  });

export const deleteSubscription: ById = deleteBy("deleteSubscription", "subscriptions", "id");

/** Locks a subscription, so that no change that it takes is removed until the end of the transaction. */
export const lockSubscription =
  (id: string): Statement =>
  ({ subscriptions }) => ({
    name: "lockSubscription",
    sql: `SELECT first_position FROM ${subscriptions} WHERE id = UNHEX(?) LOCK IN SHARE MODE`,
    values: [hexOf(id)],
  });

/** Lets the subscriptions begin no earlier than at these positions. */
export const moveBeginnings =
  (positions: ReadonlyMap<string, number>): Statement =>
  ({ subscriptions }) => ({
    name: "moveBeginnings",
    sql: `UPDATE (SELECT UNHEX(id) AS id, position
  FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$[0]', position BIGINT PATH '$[1]')) listed) named
STRAIGHT_JOIN ${subscriptions} s FORCE INDEX (PRIMARY) ON s.id = named.id
SET s.first_position = GREATEST(s.first_position, named.position)`,
    values: [JSON.stringify(Array.from(positions, ([id, position]) => [hexOf(id), position]))],
  });

/** Finds a subscription with its beginning and the end of the log, in one snapshot. */
export const findSubscription =
  (workspace: string, key: string): Statement =>
  ({ definitions, subscriptions, changeHeads }) => ({
    name: "findSubscription",
    sql: `SELECT d.id, d.body, s.first_position, h.position
FROM ${definitions} d JOIN ${subscriptions} s ON s.id = d.id JOIN ${changeHeads} h ON h.id = 1
WHERE d.workspace = CAST(? AS BINARY) AND d.kind = CAST('subscription' AS BINARY) AND d.definition_key = CAST(? AS BINARY)`,
    values: [workspace, key],
  });

/** Lists the subscriptions of all workspaces whose slots were ever leased, the oldest first. */
export const listConsumed =
  (limit: number): Statement =>
  ({ definitions, slots }) => ({
    name: "listConsumed",
    sql: `SELECT d.workspace, d.definition_key
FROM (SELECT subscription_id FROM ${slots} GROUP BY subscription_id HAVING MAX(leased_until) > 0 ORDER BY subscription_id LIMIT ?) t
STRAIGHT_JOIN ${definitions} d FORCE INDEX (PRIMARY) ON d.id = t.subscription_id ORDER BY d.id`,
    values: [String(limit)],
  });
